"""Bounds on all untrusted input: each limit that a user can reach, with its number, in one place.

Each is ten times what the shipped games need, or more; for all text together it is five. They are listed in
docs/reference/limits.md.
"""

from __future__ import annotations

MAX_BYTES = 1 << 20
"""The most bytes of a file."""
MAX_TEXT = 4 << 20
"""The most characters of all files together that are read at once."""
MAX_FILES = 2_000
"""The most YAML files that are read at once."""
MAX_ENTRIES = 50_000
"""The most files and folders of any kind that are looked through for them."""
MAX_PATTERNS = 2_000
"""The most patterns of a `.gitignore`; each pattern is compared with all files."""
MAX_DOCUMENTS = 2_000
"""The most documents that are read at once."""
MAX_DEPTH = 40
"""The deepest that lists and mappings may be nested."""
MAX_RULES = 400_000
"""The most characters of all texts of rules together."""
MAX_SENTENCES = 5_000
"""The most sentences of all texts of rules together."""
MAX_TOKENS = 300
"""The most words and signs of a sentence, so that no tree is deeper than any reader of it can go."""
MAX_PHRASES = 40
"""The greatest nesting depth of the phrases and clauses of a sentence."""
MAX_SETS = 6
"""The most sets of things that may be looked through within each other; each takes as long as all those within it."""
MAX_WITHIN = 20
"""The most definitions that may be used within each other, one by the next."""
MAX_UNFOLDED, MAX_UNFOLDED_IN_ALL = 1_000, 200_000
"""The most definitions that a sentence, and all texts together, may unfold into."""
MAX_DIGITS = 9
"""The most digits of a number in a sentence."""
MAX_DECLARED = 1_000
"""The most things, fields, zones, kinds of document and keys of positions that a game and its packs may declare."""
MAX_LIMITS = 100
"""The most limits, such as `once a round`, that are counted in all texts together."""
MAX_BOARDS = 20
"""The most boards of a game; its rules are checked on each."""
MAX_SPACES = 640
"""The most spaces of a board."""
MAX_SEATS = 8
"""The most players that a board may have seats for."""
MAX_PIECES = 64
"""The most pieces that a board may have room for."""
MAX_OF_A_KIND = 10_000
"""The most tokens of one kind in one place."""
MAX_FINDINGS = 200
"""The most findings that are shown; at this number, a file, or all files together, are read no further."""
MAX_REPLAY = 8 << 20
"""The most bytes of a replay."""
MAX_PAGE = 16 << 20
"""The most bytes, about, of a replay as a page."""
MAX_LINES = 400
"""The most lines of a script."""
MAX_LINE = 700
"""The most characters of a line of a script."""
MAX_TRIES = 200
"""The most times lines of a script are tried again, with their wishes or answers meant for later."""
