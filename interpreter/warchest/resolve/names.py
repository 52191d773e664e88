"""Names of documents: texts use them as words, so no name may be mistaken for another word or name."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from functools import cache

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label, quoted
from warchest.documents.library import Document, Library
from warchest.ir.ruleset import Ruleset
from warchest.source.data import data_folder
from warchest.syntax.lexer import NUMBER_WORDS
from warchest.syntax.parse import begins_word, is_word
from warchest.syntax.words import Vocabulary, plural


def add_names(ruleset: Ruleset, vocabulary: Vocabulary, library: Library, game: Document) -> None:
    """Let texts use the names of all documents that they can mention, except those that are words already."""
    names = {sheet.name for sheet in ruleset.sheets if sheet.spoken}
    taken = {(one.kind, one.name) for one, _ in _taken(library, game, ruleset, vocabulary)}
    for sheet in ruleset.sheets:
        if (
            sheet.spoken
            and (sheet.kind, sheet.name) not in taken
            and not _reads_as_words(sheet.name, names, vocabulary)
        ):
            vocabulary.add_name(sheet.name)
    for sheet in ruleset.sheets:
        if tuple(sheet.name.split()) in vocabulary.entries:
            vocabulary.add_names(sheet.name, sheet.plural)


def _reads_as_words(name: str, names: Collection[str], vocabulary: Vocabulary) -> bool:
    """Whether a text could mean something else by a name: it begins with a word, and continues with words and names."""
    words = name.split()
    if not begins_word(words[0], vocabulary):
        return False
    # The offsets that are reachable in the name word by word.
    reached = {end for end in range(1, len(words) + 1) if is_word(words[:end], vocabulary)}
    for start in range(1, len(words)):
        if start in reached:
            reached |= {
                end
                for end in range(start + 1, len(words) + 1)
                if is_word(words[start:end], vocabulary) or " ".join(words[start:end]) in names
            }
    return len(words) in reached


def name_findings(library: Library, game: Document, ruleset: Ruleset, vocabulary: Vocabulary) -> Iterator[Diagnostic]:
    """Find names that are words of the rules, and documents with the same name that texts could confuse."""
    for document, said in _taken(library, game, ruleset, vocabulary):
        if not _reads_as_words(document.name, (), vocabulary) and document.node.get("plural") is None:
            yield report("name-is-a-word", said, document.span, help="choose another name")
    spoken = {(sheet.kind, sheet.name) for sheet in ruleset.sheets if sheet.spoken}
    names = {name for _, name in spoken}
    seen: dict[tuple[str, str], Document] = {}
    for document in library.documents:
        is_spoken = (document.kind, document.name) in spoken
        if is_spoken and _reads_as_words(document.name, names, vocabulary):
            yield _word(document, vocabulary)
        place, several = document.node.get("plural"), document.values.get("plural", document.name)
        if is_spoken and place is not None and not _is_plural(several, document.name, vocabulary):
            yield report(
                "name-is-a-word",
                f"{quoted(several)} means something else already",
                place.span,
                help="leave the plural out, or choose another one",
            )
        # All names that texts can use are words of one kind, for all kinds of things.
        first = seen.setdefault(("" if is_spoken else document.kind, document.name), document)
        if first is not document:
            yield _twice(first, document)


def _taken(
    library: Library, game: Document, ruleset: Ruleset, vocabulary: Vocabulary
) -> Iterator[tuple[Document, str]]:
    """Yield the documents whose names, or plurals, are already words, ignoring case, and report them.

    Sentences begin with capital letters, so the name would change the meaning of another card's text. The game's own
    documents that are not pieces may be named after their subject, and so may documents that others bear.
    """
    spoken = {(sheet.kind, sheet.name) for sheet in ruleset.sheets if sheet.spoken}
    pieces = {kind.sheet for kind in ruleset.kinds}
    borne = {kind for shape in game.values["documents"].values() for kind in shape.get("bears", {}).values()}
    is_own_file = _files_of(game)
    known: dict[str, tuple[str, str]] = {}
    about = [(is_own_file(one.span.path), one) for one in library.documents if (one.kind, one.name) in spoken]
    for is_own, document in sorted(about, key=lambda one: not one[0]):
        forms = _forms(document)
        if known.get(document.name.casefold()) == (document.name, document.name):
            continue  # two documents of one name are reported elsewhere
        is_about = document.kind not in pieces or document.name.casefold() == document.kind
        is_free = document.kind in borne or (is_own and is_about)
        said = "" if is_free else next((_word_said(form, document) for form in forms if _is_said(form, vocabulary)), "")
        said = said or next(
            (
                _name_said(form, document, *known[form.casefold()])
                for form in forms
                if known.get(form.casefold(), ("", document.name))[1] != document.name
            ),
            "",
        )
        if said:
            yield document, said
        else:
            known |= {form.casefold(): (form, document.name) for form in reversed(forms)}


def _files_of(game: Document) -> Callable[[str], bool]:
    """Return the test of whether a path, as the user wrote it, is in the folder of a game or of shipped games."""
    folders = tuple(
        os.path.join(os.path.abspath(one), "") for one in (os.path.dirname(game.span.path), data_folder("cards"))
    )
    return cache(lambda path: os.path.abspath(path).startswith(folders))


def _forms(document: Document) -> list[str]:
    """Return the name of a document, and its plural if it has one."""
    name, several = document.name, document.values.get("plural", "")
    return [name, *([several or plural(name)] if several or name[-1].isalpha() else [])]


def _is_said(form: str, vocabulary: Vocabulary) -> bool:
    """Whether a word of the rules is spelled like a form of a name, ignoring case."""
    small = form.casefold()
    return is_word(small.split(), vocabulary) or small in NUMBER_WORDS


def _word_said(form: str, document: Document) -> str:
    small = form.casefold()
    said = "is a word of the rules" if form == small else f"is spelled like {quoted(small)}, a word of the rules"
    return _of_form(form, document, said)


def _name_said(form: str, document: Document, other: str, name: str) -> str:
    whose = f"the name {quoted(name)}" if other == name else f"the plural of {quoted(name)}"
    return _of_form(form, document, f"is {whose}" if form == other else f"is spelled like {quoted(other)}, {whose}")


def _of_form(form: str, document: Document, said: str) -> str:
    """Return the words for a fault of a name, or of its plural."""
    whole = f"{quoted(form)} {said}"
    return whole if form == document.name else f"{whole}, and would be the plural of {quoted(document.name)}"


def _is_plural(words: str, name: str, vocabulary: Vocabulary) -> bool:
    """Whether the given words are the plural of a name; an undeclared plural may be spelled like the name itself."""
    return words == name or vocabulary.entries.get(tuple(words.split()), {}).get("NAMES") == name


def _word(document: Document, vocabulary: Vocabulary) -> Diagnostic:
    name = document.name
    says = "is a word of the rules" if is_word(name.split(), vocabulary) else "reads like words of the rules"
    return report("name-is-a-word", f"{quoted(name)} {says}", document.span, help="choose another name")


def _twice(first: Document, second: Document) -> Diagnostic:
    message, help = f"there are two documents {quoted(second.name)}", "give one of them another name"
    if first.kind == second.kind:
        help += ", or make it an erratum"
    else:
        message += f", of kind {quoted(first.kind)} and {quoted(second.kind)}"
    labels = (Label(first.span, "first here"),)
    return report("duplicate-name", message, second.span, help=help, labels=labels)
