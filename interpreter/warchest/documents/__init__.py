"""Documents in the files of a game's folders, by kind and name, checked against their schemas."""
