"""Plain readings: small cards whose meaning is worked out here once more, from what their sentences say to a reader.

`board`, `world`, `phrases`, `clauses`, `hooks` and `reading` share nothing with the package; `comparing` holds them
against it.
"""
