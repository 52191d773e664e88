"""Names of documents: texts use them as words, so that none may be taken for another word, or for another name."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label, quoted
from warchest.documents.library import Document, Library
from warchest.ir.ruleset import Ruleset
from warchest.syntax.parse import begins_word, is_word
from warchest.syntax.words import Vocabulary


def add_names(ruleset: Ruleset, vocabulary: Vocabulary) -> None:
    """Let texts use the names of all documents that they can speak of, but for those that are words already."""
    names = {sheet.name for sheet in ruleset.sheets if sheet.spoken}
    for sheet in ruleset.sheets:
        if sheet.spoken and not _reads_as_words(sheet.name, names, vocabulary):
            vocabulary.add_name(sheet.name)
    for sheet in ruleset.sheets:
        if tuple(sheet.name.split()) in vocabulary.entries:
            vocabulary.add_names(sheet.name, sheet.plural)


def _reads_as_words(name: str, names: Collection[str], vocabulary: Vocabulary) -> bool:
    """Whether a text could mean something else by a name: it begins with a word, and goes on with words and names."""
    words = name.split()
    if not begins_word(words[0], vocabulary):
        return False
    # The places that can be reached in the name word by word.
    reached = {end for end in range(1, len(words) + 1) if is_word(words[:end], vocabulary)}
    for start in range(1, len(words)):
        if start in reached:
            reached |= {end for end in range(start + 1, len(words) + 1)
                        if is_word(words[start:end], vocabulary) or " ".join(words[start:end]) in names}  # fmt: skip
    return len(words) in reached


def name_findings(library: Library, ruleset: Ruleset, vocabulary: Vocabulary) -> Iterator[Diagnostic]:
    """Find names that are words of the rules, and documents of one name that a text can take for each other."""
    spoken = {(sheet.kind, sheet.name) for sheet in ruleset.sheets if sheet.spoken}
    names = {name for _, name in spoken}
    seen: dict[tuple[str, str], Document] = {}
    for document in library.documents:
        is_spoken = (document.kind, document.name) in spoken
        if is_spoken and _reads_as_words(document.name, names, vocabulary):
            yield _word(document, vocabulary)
        place, several = document.node.get("plural"), document.values.get("plural", document.name)
        if is_spoken and place is not None and not _is_plural(several, document.name, vocabulary):
            yield report("name-is-a-word", f"{quoted(several)} means something else already", place.span,
                         help="leave the plural out, or choose another one")  # fmt: skip
        # All names that texts can use are words of one sort, whatever is called by them.
        first = seen.setdefault(("" if is_spoken else document.kind, document.name), document)
        if first is not document:
            yield _twice(first, document)


def _is_plural(words: str, name: str, vocabulary: Vocabulary) -> bool:
    """Whether some words are the plural of a name; an undeclared one may be spelled like the name itself."""
    return words == name or vocabulary.entries.get(tuple(words.split()), {}).get("NAMES") == name


def _word(document: Document, vocabulary: Vocabulary) -> Diagnostic:
    name = document.name
    says = "is a word of the rules" if is_word(name.split(), vocabulary) else "reads like words of the rules"
    capital = name[:1].upper() + name[1:]
    help = "choose another name"
    if capital != name:
        help = f"begin it with a capital letter, `{capital}`, or {help}"
    return report("name-is-a-word", f"{quoted(name)} {says}", document.span, help=help)


def _twice(first: Document, second: Document) -> Diagnostic:
    message, help = f"there are two documents {quoted(second.name)}", "give one of them another name"
    if first.kind == second.kind:
        help += ", or make it an erratum"
    else:
        message += f", of kind {quoted(first.kind)} and {quoted(second.kind)}"
    labels = (Label(first.span, "first here"),)
    return report("duplicate-name", message, second.span, help=help, labels=labels)
