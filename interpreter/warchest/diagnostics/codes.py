"""The table of all codes. A code is never reused for something else, and a name never changes.

Blocks: WC0xx YAML and syntax, WC1xx schema, WC2xx names, WC3xx types, WC4xx meaning, WC5xx scripts.
"""

from __future__ import annotations

from warchest.diagnostics.diagnostic import Diagnostic, Label, Severity
from warchest.source.records import record
from warchest.source.text import Span


@record()
class Code:
    """One kind of finding: its stable code and name, its severity, and its subject in one line."""

    code: str
    name: str
    severity: Severity
    summary: str


TABLE: tuple[Code, ...] = (
    # Files
    Code("WC001", "unreadable-file", "error", "the file cannot be opened or read"),
    Code("WC002", "not-a-file", "error", "the path is a folder or a device, not a file"),
    Code("WC003", "not-text", "error", "the file is not text in UTF-8"),
    Code("WC004", "byte-order-mark", "warning", "the file starts with a byte order mark"),
    Code("WC005", "file-too-large", "error", "the file is larger than any document may be"),
    Code("WC006", "empty-file", "error", "the file holds no document"),
    Code("WC007", "tab-indentation", "error", "a line is indented with a tab"),
    Code("WC008", "invisible-character", "error", "the text holds a character that hides what it says"),
    Code("WC009", "too-much", "error", "there is more of something than is read at once"),
    # YAML
    Code("WC010", "yaml-syntax", "error", "the file is not well-formed YAML"),
    Code("WC011", "duplicate-key", "error", "a key is given twice in one mapping"),
    Code("WC012", "yaml-anchor", "error", "YAML anchors (`&name`) are not used here"),
    Code("WC013", "yaml-alias", "error", "YAML aliases (`*name`) are not used here"),
    Code("WC014", "yaml-tag", "error", "YAML tags (`!name`) are not used here"),
    Code("WC015", "yaml-merge", "error", "YAML merge keys (`<<`) are not used here"),
    Code("WC016", "invalid-key", "error", "a key is not a single word or text"),
    Code(
        "WC017", "nesting-too-deep", "error", "lists and mappings are nested deeper than any document needs"
    ),
    Code("WC018", "folded-text", "error", "a folded block (`>`) stands where a literal one (`|`) should"),
    Code("WC019", "unmarked-text", "error", "a text of rules stands beside its key, and not in a block below it"),
    # Schema
    Code("WC101", "missing-key", "error", "a key that must be given is missing"),
    Code("WC102", "unknown-key", "error", "a key is not known at this place"),
    Code("WC103", "wrong-type", "error", "a value is of another type than asked for"),
    Code("WC104", "unknown-value", "error", "a value is not among the possible ones"),
    Code("WC105", "malformed-value", "error", "a value does not have the form asked for"),
    Code("WC106", "wrong-size", "error", "a number, a text or a list is too small or too large"),
    Code("WC107", "repeated-item", "error", "a list whose items must differ holds one twice"),
    Code("WC108", "schema-mismatch", "error", "a value does not fit its schema"),
    Code("WC109", "too-many-findings", "info", "there are more findings than are shown"),
    # Words and sentences
    Code("WC020", "missing-full-stop", "error", "a sentence has no full stop"),
    Code("WC021", "syntax-error", "error", "a sentence is not built as the language builds sentences"),
    Code("WC201", "unknown-word", "error", "a word is in no vocabulary of the game"),
    Code("WC110", "no-documents", "error", "a folder holds no document"),
    Code("WC111", "not-a-document", "error", "a YAML root does not begin with a kind and a name"),
    Code("WC112", "unknown-kind", "error", "a document is of a kind that does not exist"),
    Code("WC202", "duplicate-name", "error", "two documents that can be taken for each other have the same name"),
    Code("WC203", "undefined-word", "error", "a word is declared, and no text says what it means"),
    Code("WC307", "ambiguous-it", "error", "a phrase takes up something, and two things fit"),
    Code("WC204", "no-antecedent", "error", "a phrase takes up something that was not named before"),
    Code("WC205", "undeclared-verb", "error", "a rule is about a verb that is not declared"),
    Code("WC206", "unknown-role", "error", "a verb is said with something it does not take"),
    Code("WC207", "circular-definition", "error", "a word is defined by itself"),
    Code("WC301", "wrong-kind", "error", "a phrase means another kind of thing than is needed"),
    Code("WC302", "no-such-attribute", "error", "a thing does not have what is asked of it"),
    Code("WC303", "not-definite", "error", "a phrase leaves open which thing it means"),
    Code("WC304", "not-indefinite", "error", "a phrase leaves nothing to choose"),
    Code("WC305", "yields-nothing", "error", "a definition does not end with what its verb hands back"),
    Code("WC306", "number-of-things", "error", "several things, or none, are said where one is meant"),
    Code("WC401", "rule-among-steps", "error", "a rule stands in a block of steps"),
    Code("WC402", "step-among-rules", "error", "an order stands in a block of rules"),
    Code("WC403", "otherwise-without-if", "error", "an `otherwise` follows no `if`"),
    Code("WC404", "permits-nothing", "error", "a permission does not say what it permits"),
    Code("WC405", "not-a-definition", "error", "a definition defines nothing"),
    Code("WC113", "no-such-document", "error", "a document names another that does not exist"),
    Code("WC407", "colliding-layers", "error", "two layers replace the same text and neither says it comes last"),
    Code("WC408", "never-ends", "error", "what is ordered never comes to an end"),
    Code("WC409", "again-and-again", "warning", "an order always brings itself about again"),
    Code("WC410", "says-nothing", "error", "what is said can be so of nothing, or at no time"),
    Code("WC411", "never-so", "warning", "what is said of can never be so"),
    Code("WC412", "no-difference", "warning", "what is said makes no difference"),
    Code("WC413", "at-odds", "warning", "a card forbids what it gives"),
    Code("WC415", "may-be-itself", "warning", "an order can be turned on the very piece that carries it out"),
    # Line scripts
    Code("WC501", "unreadable-line", "error", "a line of a script is not written as the game's notation writes lines"),
    Code("WC502", "misplaced-line", "error", "a line of a script stands where it cannot"),
    Code("WC503", "impossible-position", "error", "the lines of a script describe a position that cannot be"),
    Code("WC504", "refused-line", "error", "what a line of a script does cannot be done"),
    Code("WC505", "not-refused", "error", "what a line of a script says cannot be done is possible"),
    Code("WC506", "wrong-assertion", "error", "what a line of a script says of the state is not so"),
    # Further findings of the linter
    Code("WC114", "empty-block", "warning", "a block of clauses holds no sentence"),
    Code("WC115", "several-games", "error", "a folder holds more than one document of kind `game`"),
    Code("WC215", "name-is-a-word", "error", "a document is called by a word of the rules"),
    Code("WC208", "unknown-name", "error", "a printed name is that of no document of the game"),
    Code("WC209", "unused-word", "warning", "a word is declared, and no text uses it"),
    Code("WC210", "verb-without-definition", "warning", "a verb is declared, and no text says how it is done"),
    Code("WC211", "undeclared", "error", "a declaration names something that is declared nowhere"),
    Code("WC212", "declared-twice", "error", "a word is declared twice with different meanings"),
    Code("WC213", "not-on-the-board", "error", "a space, a player or a team is none of the board's"),
    Code("WC214", "unused-layer", "error", "an erratum touches a block that what it amends does not have"),
    # Things that are accepted and could do nothing
    Code("WC220", "never-applied", "error", "an erratum, or a text of it, can come to count under no option"),
    Code("WC221", "unclear-option", "error", "an option has one value only, or two that are the usual one"),
    Code("WC222", "changes-nothing", "warning", "an erratum puts a text in the place of the same text"),
    Code("WC223", "unknown-option", "error", "an option, or a value of one, that no erratum offers is named"),
    Code("WC224", "unknown-reading", "error", "a question and its readings do not fit together"),
    Code("WC225", "lonely-set", "warning", "a document is of a set that looks like a misspelt one"),
    Code("WC226", "never-offered", "error", "a ruling speaks of an option that nobody can ever be offered"),
)

BY_NAME: dict[str, Code] = {code.name: code for code in TABLE}


def report(
    name: str,
    message: str,
    span: Span | None,
    help: str = "",
    labels: tuple[Label, ...] = (),
    path: str = "",
) -> Diagnostic:
    """Make the finding of the kind called `name`; a name that is not in the table is a bug (KeyError)."""
    code = BY_NAME[name]
    return Diagnostic(code.code, code.name, code.severity, message, span, help, labels, path)
