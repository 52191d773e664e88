"""Small faults in the interpreter itself, drawn by seed, nearly all of which the tests have to notice."""
