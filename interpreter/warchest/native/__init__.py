"""Native code: the rules of a program as C, with a runtime that plays it."""
