"""How much there may be of what somebody sends: each bound that a user can meet, with its number, in one place.

Each is ten times what the shipped games need, or more; for all text together it is five. docs/limits.md lists them.
"""

from __future__ import annotations

MAX_BYTES = 1 << 20
"""How large a file may be."""
MAX_TEXT = 4 << 20
"""How many characters all files together may have that are read at once."""
MAX_FILES = 2_000
"""How many YAML files are read at once."""
MAX_ENTRIES = 50_000
"""How many files and folders, of whatever kind, are looked through for them."""
MAX_DOCUMENTS = 2_000
"""How many documents are read at once."""
MAX_DEPTH = 40
"""How deep lists and mappings may be nested."""
MAX_RULES = 400_000
"""How many characters all texts of rules together may have."""
MAX_SENTENCES = 5_000
"""How many sentences all texts of rules together may have."""
MAX_TOKENS = 300
"""How many words and signs a sentence may have, so that no tree is deeper than any reader of it can go."""
MAX_PHRASES = 40
"""How many phrases and clauses of a sentence may lie within each other."""
MAX_SETS = 6
"""How many sets of things may be looked through within each other; each takes as long as all those within it."""
MAX_WITHIN = 20
"""How many definitions may be used within each other, one by the next."""
MAX_UNFOLDED, MAX_UNFOLDED_IN_ALL = 1_000, 200_000
"""How many definitions a sentence, and all texts together, may unfold into."""
MAX_DIGITS = 9
"""How many digits a number in a sentence may have."""
MAX_DECLARED = 1_000
"""How many things, fields, zones, kinds of document and keys of positions a game and its packs may declare."""
MAX_BOARDS = 20
"""How many boards a game may have, each of which its rules are checked on."""
MAX_SPACES = 640
"""How many spaces a board may have."""
MAX_SEATS = 8
"""How many players a board may have seats for."""
MAX_FINDINGS = 200
"""How many findings are shown; and with how many a file, or all files together, are not read any further."""
MAX_REPLAY = 8 << 20
"""How large a replay may be."""
MAX_LINES = 400
"""How many lines a script may have."""
MAX_LINE = 700
"""How many characters a line of a script may have."""
MAX_TRIES = 200
"""How often lines of a script are tried anew, with what they wish for or answer meant for later."""
