"""The machine that carries out rules: a flat memory, a stack of pending work, and nothing hidden beside them."""
