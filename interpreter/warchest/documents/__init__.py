"""Documents: what the files of a game's folders hold, by kind and name, checked against their schemas."""
