"""Native code: the rules of a program as C, with a runtime beside it that plays it."""
