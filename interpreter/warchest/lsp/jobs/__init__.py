"""Jobs: long requests about the cards of a game, with reports of their progress and results as plain data."""
