"""The core of the second game once more: moves, facing, melee attacks and captures, written from its rulebook alone."""
