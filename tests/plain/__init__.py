"""Plain readings: small cards whose meaning is computed here once more, from a plain reading of their sentences.

`board`, `world`, `phrases`, `clauses`, `hooks` and `reading` share nothing with the package; `comparing` holds them
against it.
"""
