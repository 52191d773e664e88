"""Accounts of the history of a game: log, events, news, motions on the board; and labels of options."""
