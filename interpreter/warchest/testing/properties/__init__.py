"""Properties in the words of the cards: read from documents, and watched while a game is played."""
