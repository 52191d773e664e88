"""Telling what has happened: log, events, news, motions on the board, and labels of options."""
