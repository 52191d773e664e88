"""The table of all codes. A code is never reused for something else, and a name never changes.

Blocks: WC0xx YAML and syntax, WC1xx schema, WC2xx names, WC3xx types, WC4xx meaning, WC5xx scripts.
"""

from __future__ import annotations

from warchest.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from warchest.diagnostics.suggest import did_you_mean
from warchest.source.records import record
from warchest.source.text import Span


@record()
class FindingCode:
    """One kind of finding: its stable code and name, its severity, and its subject in one line."""

    code: str
    name: str
    severity: Severity
    summary: str


TABLE: tuple[FindingCode, ...] = (
    # Files
    FindingCode("WC001", "unreadable-file", "error", "the file cannot be opened or read"),
    FindingCode("WC002", "not-a-file", "error", "the path is a folder or a device, not a file"),
    FindingCode("WC003", "not-text", "error", "the file is not text in UTF-8"),
    FindingCode("WC004", "byte-order-mark", "warning", "the file starts with a byte order mark"),
    FindingCode("WC005", "file-too-large", "error", "the file is larger than any document may be"),
    FindingCode("WC006", "empty-file", "error", "the file holds no document"),
    FindingCode("WC007", "tab-indentation", "error", "a line is indented with a tab"),
    FindingCode("WC008", "invisible-character", "error", "the text holds an invisible or misleading character"),
    FindingCode("WC009", "too-much", "error", "there is more to read than is allowed at once"),
    # YAML
    FindingCode("WC010", "yaml-syntax", "error", "the file is not well-formed YAML"),
    FindingCode("WC011", "duplicate-key", "error", "a key is given twice in one mapping"),
    FindingCode("WC012", "yaml-anchor", "error", "YAML anchors (`&name`) are not used here"),
    FindingCode("WC013", "yaml-alias", "error", "YAML aliases (`*name`) are not used here"),
    FindingCode("WC014", "yaml-tag", "error", "YAML tags (`!name`) are not used here"),
    FindingCode("WC015", "yaml-merge", "error", "YAML merge keys (`<<`) are not used here"),
    FindingCode("WC016", "invalid-key", "error", "a key is not a single word or text"),
    FindingCode("WC017", "nesting-too-deep", "error", "lists and mappings are nested deeper than any document needs"),
    FindingCode("WC018", "folded-text", "error", "a folded block (`>`) is used instead of a literal one (`|`)"),
    FindingCode("WC019", "unmarked-text", "error", "a text of rules is beside its key, and not in a block below it"),
    # Sentences
    FindingCode("WC020", "missing-full-stop", "error", "a sentence has no full stop"),
    FindingCode("WC021", "syntax-error", "error", "a sentence does not have a form of the language"),
    FindingCode("WC022", "wrong-article", "warning", "`a` is used for `an`, or `an` for `a`"),
    # Schemas, documents and notes
    FindingCode("WC101", "missing-key", "error", "a key that must be given is missing"),
    FindingCode("WC102", "unknown-key", "error", "a key is not known at this place"),
    FindingCode("WC103", "wrong-type", "error", "a value does not have the required type"),
    FindingCode("WC104", "unknown-value", "error", "a value is not among the possible ones"),
    FindingCode("WC105", "malformed-value", "error", "a value does not have the required form"),
    FindingCode("WC106", "wrong-size", "error", "a number, a text or a list is too small or too large"),
    FindingCode("WC107", "repeated-item", "error", "a list whose items must differ holds one twice"),
    FindingCode("WC108", "schema-mismatch", "error", "a value does not fit its schema"),
    FindingCode("WC109", "too-many-findings", "info", "there are more findings than are shown"),
    FindingCode("WC110", "no-documents", "error", "a folder holds no document"),
    FindingCode("WC111", "not-a-document", "error", "a YAML root does not begin with a kind and a name"),
    FindingCode("WC112", "unknown-kind", "error", "a document is of a kind that does not exist"),
    FindingCode("WC113", "no-such-document", "error", "a document names another that does not exist"),
    FindingCode("WC114", "empty-block", "warning", "a block of clauses holds no sentence"),
    FindingCode("WC115", "several-games", "error", "a folder holds more than one document of kind `game`"),
    FindingCode("WC116", "lifts-nothing", "error", "a document lifts a property that no document states"),
    FindingCode("WC117", "unclear-note", "warning", "a note to the linter is not valid"),
    FindingCode("WC118", "unused-note", "warning", "a note to the linter has no effect"),
    FindingCode("WC119", "other-game", "warning", "a document is of a kind that only other games have"),
    # Words and names
    FindingCode("WC201", "unknown-word", "error", "a word is in no vocabulary of the game"),
    FindingCode(
        "WC202", "duplicate-name", "error", "two documents that can be taken for each other have the same name"
    ),
    FindingCode("WC203", "undefined-word", "error", "a word is declared, and no text defines it"),
    FindingCode("WC204", "no-antecedent", "error", "a phrase refers to a thing that was not named before"),
    FindingCode("WC205", "undeclared-verb", "error", "a rule is about a verb that is not declared"),
    FindingCode("WC206", "unknown-role", "error", "a verb is used with a role that it does not have"),
    FindingCode("WC207", "circular-definition", "error", "a word is defined by itself"),
    FindingCode("WC208", "unknown-name", "error", "a text uses a printed name that no document has"),
    FindingCode("WC209", "unused-word", "warning", "a word is declared, and no text uses it"),
    FindingCode("WC210", "verb-without-definition", "warning", "a verb is declared, and no text defines it"),
    FindingCode("WC211", "undeclared", "error", "a declaration names a thing that is declared nowhere"),
    FindingCode("WC212", "declared-twice", "error", "a word is declared twice with different meanings"),
    FindingCode("WC213", "not-on-the-board", "error", "a space, a player or a team is not on the board"),
    FindingCode("WC214", "unused-layer", "error", "an erratum changes a block that the amended document does not have"),
    FindingCode("WC215", "name-is-a-word", "error", "the name of a document is a word of the rules"),
    # Texts without effect
    FindingCode("WC220", "never-applied", "error", "no option puts an erratum, or a text of it, into use"),
    FindingCode("WC221", "unclear-option", "error", "an option has one value only, or two that are the usual one"),
    FindingCode("WC222", "changes-nothing", "warning", "an erratum replaces a text with the same text"),
    FindingCode("WC223", "unknown-option", "error", "an option or a value is named that no erratum offers"),
    FindingCode("WC224", "unknown-reading", "error", "a question and its readings do not fit together"),
    FindingCode("WC225", "lonely-set", "warning", "the set of a document looks like a misspelt one"),
    FindingCode("WC226", "never-offered", "error", "a ruling names an option that can never be on offer"),
    FindingCode("WC227", "unknown-clause", "error", "an excuse is about a clause that the document does not have"),
    # Types
    FindingCode("WC301", "wrong-kind", "error", "a phrase means another kind of thing than is needed"),
    FindingCode("WC302", "no-such-attribute", "error", "a phrase asks for a value that the thing does not have"),
    FindingCode("WC303", "not-definite", "error", "a phrase leaves open which thing it means"),
    FindingCode("WC304", "not-indefinite", "error", "a phrase leaves nothing to choose"),
    FindingCode(
        "WC305", "yields-nothing", "error", "a definition does not end with the thing that its verb hands back"
    ),
    FindingCode("WC306", "number-of-things", "error", "a phrase means several things, or none, where one is needed"),
    FindingCode("WC307", "ambiguous-it", "error", "a phrase can refer to either of two things"),
    # Meaning
    FindingCode("WC401", "rule-among-steps", "error", "a rule is in a block of steps"),
    FindingCode("WC402", "step-among-rules", "error", "an order is in a block of rules"),
    FindingCode("WC403", "otherwise-without-if", "error", "an `otherwise` follows no `if`"),
    FindingCode("WC404", "permits-nothing", "error", "a permission does not say what it permits"),
    FindingCode("WC405", "not-a-definition", "error", "a definition defines nothing"),
    FindingCode(
        "WC407", "colliding-layers", "error", "two layers replace the same text and neither says it comes last"
    ),
    FindingCode("WC408", "never-ends", "error", "an order never ends"),
    FindingCode("WC409", "again-and-again", "warning", "an order always causes itself again"),
    FindingCode("WC410", "says-nothing", "error", "a text can be true of nothing, or at no time"),
    FindingCode("WC411", "never-so", "warning", "a text describes something impossible"),
    FindingCode("WC412", "no-difference", "warning", "a part of a text makes no difference"),
    FindingCode("WC413", "at-odds", "warning", "a card forbids an act that it permits or offers"),
    FindingCode("WC415", "may-be-itself", "warning", "an order can apply to the piece that carries it out"),
    FindingCode("WC416", "property-among-rules", "error", "a property is in a block of rules or steps"),
    FindingCode("WC417", "not-a-property", "error", "a sentence in a block of properties is not a property"),
    FindingCode("WC418", "unclear-reach", "error", "a step may or may not belong to a `for each`, `if` or `otherwise`"),
    FindingCode("WC419", "watched-number", "error", "a card changes a number that a rule of the game watches"),
    FindingCode("WC420", "left-idle", "warning", "a piece becomes one that no player can act with"),
    FindingCode("WC421", "two-ways", "warning", "two texts define the same moment of an act"),
    # Line scripts
    FindingCode("WC501", "unreadable-line", "error", "a line of a script is not in the game's notation"),
    FindingCode("WC502", "misplaced-line", "error", "a line of a script is in a place where it cannot be"),
    FindingCode("WC503", "impossible-position", "error", "the lines of a script describe an impossible position"),
    FindingCode("WC504", "refused-line", "error", "an act in a line of a script is not possible"),
    FindingCode("WC505", "not-refused", "error", "an act that a line of a script calls impossible is possible"),
    FindingCode("WC506", "wrong-assertion", "error", "a line of a script makes a false statement about the state"),
)

GAPS = {
    "WC216": "WC216 to WC219 were never used: the findings on texts without effect begin at WC220",
    "WC217": "WC216 to WC219 were never used: the findings on texts without effect begin at WC220",
    "WC218": "WC216 to WC219 were never used: the findings on texts without effect begin at WC220",
    "WC219": "WC216 to WC219 were never used: the findings on texts without effect begin at WC220",
    "WC406": "WC406 not-supported is no longer found: all forms of the language can be used everywhere",
    "WC414": "WC414 was never used",
}
"""Codes that are missing between others, with the reason."""
LISTED = "`wc-lint explain` lists all codes"
BY_NAME: dict[str, FindingCode] = {code.name: code for code in TABLE}


def find_code(word: str) -> tuple[FindingCode | None, str]:
    """Return the kind of finding with a code or a name, ignoring case; or None, with help."""
    for row in TABLE:
        if word.upper() == row.code or word.lower() == row.name:
            return row, ""
    if word.upper() in GAPS:
        return None, GAPS[word.upper()]
    return None, did_you_mean(word, [one for row in TABLE for one in (row.name, row.code)]) or LISTED


def report(
    name: str,
    message: str,
    span: Span | None,
    help: str = "",
    labels: tuple[Label, ...] = (),
    path: str = "",
    fix: Fix | None = None,
) -> Diagnostic:
    """Make the finding of the kind called `name`; a name that is not in the table is a bug (KeyError)."""
    code = BY_NAME[name]
    return Diagnostic(code.code, code.name, code.severity, message, span, help, labels, path, fix)
