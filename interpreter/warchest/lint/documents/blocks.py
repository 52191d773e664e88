"""Blocks of clauses and the words in them: blocks that are empty, words that are never used or never defined."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from warchest.diagnostics.articles import article, with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Fix, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.layers import LAYER
from warchest.documents.library import Document, Library
from warchest.lint.documents.declarations import text_under, under, words_of
from warchest.lint.documents.unused import Heard, Unused
from warchest.resolve.model import BUILT_IN_VERBS, declare
from warchest.source.nodes import Entry, Mapping, Node, Scalar, entries, scalars
from warchest.source.text import Source, Span
from warchest.syntax.lexer import Raw, begun_small, cut, scan, small
from warchest.syntax.parse import begins_word, is_word
from warchest.syntax.words import Vocabulary, participle, third_person

_NOT_FACTS = ("when", "before", "after", "if", "until", "for", "to", "normally", "otherwise")
"""The words that only begin sentences which are not facts."""

_NAMING = ("verbs", "adjectives", "numbers", "names", "things", "zones", "documents", "spaces")
"""The keys of a pack whose words texts can use."""


def block_findings(library: Library, game: Document) -> list[Diagnostic]:
    """Find empty blocks, words that are never used, verbs that are never defined, and layers on no block."""
    vocabulary = declare(library, game, None).vocabulary
    for board in library.of_kind("board"):
        for number in board.values.get("numbers", {}):
            vocabulary.add_noun(number, number)
    heard = Heard()
    found: list[Diagnostic] = []
    several = {
        first: longer
        for first, spellings in vocabulary.by_first.items()
        if (longer := [one for one in spellings if len(one) > 1])
    }
    for key, span in _all_blocks(library, game):
        sentences = _sentences(span.source.text, span.start, span.end)
        if not sentences:
            found.append(
                report(
                    "empty-block",
                    f"the block {quoted(key.text)} holds no sentence",
                    key.span,
                    help="write its sentences below the key, or leave the key out",
                )
            )
        for sentence in sentences:
            found += _wrong_articles(sentence, span.source)
            words = [raw.text for raw in begun_small(sentence, vocabulary)]
            _hear(words, several, heard)
            _hear_definitions(words, vocabulary, heard)
    found += Unused(library, game, heard, vocabulary).findings()
    found += _undefined_verbs(library, game, heard)
    found += _not_instead(library, game, vocabulary)
    for layer in library.of_kind(LAYER):
        found += _no_such_blocks(library, game, layer)
    return found


@lru_cache(maxsize=4000)
def _sentences(text: str, start: int, end: int) -> list[list[Raw]]:
    """Return the sentences of a block, which callers must not change: they are cached for the next run."""
    return cut(scan(text, start, end))


def _wrong_articles(sentence: list[Raw], source: Source) -> Iterator[Diagnostic]:
    """Find `a` where `an` is right, and vice versa; before letters and initials both are allowed."""
    for number, (raw, following) in enumerate(pairwise(sentence)):
        said = raw.text if number else small(raw.text)
        word = following.text
        if said not in ("a", "an") or not word[0].isalpha() or len(word) == 1 or word.isupper():
            continue
        right = article(word)
        if said != right:
            place = source.span(raw.start, raw.end)
            right = right.capitalize() if said != raw.text else right
            yield report(
                "wrong-article",
                f"{quoted(raw.text)} does not fit before {quoted(word)}",
                place,
                help=f"say `{right}`",
                fix=Fix.put(place, right),
            )


def _not_instead(library: Library, game: Document, vocabulary: Vocabulary) -> Iterator[Diagnostic]:
    """Find words with a needless replacement, and replacements that the game does not know."""
    # A folder of cards may declare a word that the game has a replacement for: then it is a word.
    new: set[str] = set()
    for document in library.of_kind("words"):
        for key in _NAMING:
            new.update(entry.key.text for entry in entries(document.node.get(key)))
            new.update(one.text for one in scalars(document.node.get(key)))
        for fields in entries(document.node.get("fields")):
            new.update(one for entry in entries(fields.value) for one in (entry.key.text, *_opposite(entry.value)))
    for node in words_of(library, game):
        later = new if node is game.node.get("words") else ()
        for entry in (one for key in ("instead", "renamed") for one in entries(under(node, key))):
            if entry.key.text not in later:
                yield from _not_needed(entry, vocabulary)


def _opposite(shape: Node) -> tuple[str, ...]:
    """Return the adjective for the opposite of a flag, if one is declared."""
    return tuple(one.text for one in scalars(under(shape, "opposite")))


def _not_needed(entry: Entry, vocabulary: Vocabulary) -> Iterator[Diagnostic]:
    """Find a word of `instead` that is one of the game's own, or that has advice in words that no text can use."""
    if is_word(entry.key.text.split(), vocabulary):
        yield report(
            "declared-twice",
            f"{quoted(entry.key.text)} is a word that texts can say",
            entry.key.span,
            help="leave it out here",
        )
    for say in [entry.value] if isinstance(entry.value, Scalar) else scalars(entry.value):
        words = say.text.split()
        odd = next((word for word in words if not begins_word(word, vocabulary)), None)
        if odd is not None and not is_word(words, vocabulary):
            help = did_you_mean(odd, vocabulary.spellings()) or "write words that texts can say"
            yield report("undeclared", f"there is no word {quoted(odd)}", say.span, help=help)


def _all_blocks(library: Library, game: Document) -> Iterator[tuple[Scalar, Span]]:
    """Yield every block of clauses with its key, those of layers included."""
    for document in library.documents:
        if document.kind == LAYER:
            for part in ("replace", "add"):
                yield from _texts(document.node.get(part), None)
        elif document.amended:
            # A game that begins from another one has the texts of both.
            for name, spans in document.amended:
                entry = document.node.entry(name)
                yield from ((entry.key, span) for span in spans if entry is not None)
        else:
            yield from _texts(document.node, _blocks_of(game, document))


def _texts(node: Node | None, keys: tuple[str, ...] | None) -> Iterator[tuple[Scalar, Span]]:
    """Yield the literal blocks of a mapping under these keys, or under any key."""
    for entry in node.entries if isinstance(node, Mapping) else ():
        wanted = keys is None or entry.key.text in keys
        if wanted and isinstance(entry.value, Scalar) and entry.value.block is not None:
            yield entry.key, entry.value.block


def _blocks_of(game: Document, document: Document) -> tuple[str, ...]:
    if document is game:
        return ("play", "rules")
    if document.kind == "setup":
        return ("steps",)
    return tuple(game.values["documents"].get(document.kind, {}).get("blocks", ()))


def _hear(words: list[str], several: dict[str, list[tuple[str, ...]]], heard: Heard) -> None:
    """Note the words of a sentence, and the spellings of `several` words, keyed by the first, that occur in it."""
    heard.used.update(words)
    for position, word in enumerate(words):
        if word in several:
            heard.used.update(" ".join(one) for one in several[word] if _stands(one, words, position))


def _stands(spelling: tuple[str, ...], words: list[str], position: int) -> bool:
    """Whether a spelling occurs at a position in a sentence."""
    return tuple(words[position : position + len(spelling)]) == spelling


def _hear_definitions(words: list[str], vocabulary: Vocabulary, heard: Heard) -> None:
    """Note the verbs that a sentence defines, by `to claim a space: …` or as facts: `a team holds a space when …`."""
    if words[0] == "to" and len(words) > 1:
        heard.defined.update(" ".join(one) for one in vocabulary.by_first.get(words[1], ()) if _stands(one, words, 1))
    if words[0] == "as" and "," in words:
        heard.defined.update(
            verb for word in words[1 : words.index(",")] if (verb := vocabulary.kinds(word).get("VERBS")) is not None
        )
    if words[-1] == "." and "when" in words[1:] and words[0] not in _NOT_FACTS:
        for spelling in words[: words.index("when")]:
            verb = vocabulary.kinds(spelling).get("VERBS")
            if verb is not None:
                heard.defined.add(verb)


def _undefined_verbs(library: Library, game: Document, heard: Heard) -> list[Diagnostic]:
    declared = [entry for words in words_of(library, game) for entry in entries(under(words, "verbs"))]
    parents = {one.text for entry in declared for one in scalars(under(entry.value, "is"))}
    found = [
        report(
            "verb-without-definition",
            f"no text says how to {quoted(name)}",
            entry.key.span,
            help=f"define it in a block of rules: `to {name} …: …`",
        )
        for entry in declared
        if (name := entry.key.text) not in heard.defined
        and name not in parents
        and name not in BUILT_IN_VERBS
        and name in heard.used | _other_forms(heard, name)
    ]
    for entry in declared:
        act = with_article(text_under(entry.value, "noun") or entry.key.text)
        found += [
            report(
                "verb-without-definition",
                f"no text says how {act} {third_person(one.text)}",
                one.span,
                help=f"define it in a block of rules: `as {act} {third_person(one.text)}, …`",
            )
            for one in scalars(under(entry.value, "moments"))
            if one.text not in heard.defined and one.text in heard.used | _other_forms(heard, one.text)
        ]
    return found


def _other_forms(heard: Heard, verb: str) -> set[str]:
    return {verb} if heard.used & {third_person(verb), participle(verb)} else set()


def _no_such_blocks(library: Library, game: Document, layer: Document) -> Iterator[Diagnostic]:
    target = layer.values["amends"]
    document = library.named(target["kind"], target["name"])
    if document is None:
        return
    keys = _blocks_of(game, document)
    for part in ("replace", "add"):
        node = layer.node.get(part)
        for entry in node.entries if isinstance(node, Mapping) else ():
            name = entry.key.text
            if name not in keys:
                listed = ", ".join(f"`{key}`" for key in keys)
                message = f"a document of kind {quoted(document.kind)} has no block {quoted(name)}"
                yield report(
                    "unused-layer",
                    message,
                    entry.key.span,
                    help=did_you_mean(name, keys) or (f"it has {listed}" if listed else ""),
                )
            elif part == "replace" and not document.blocks(name):
                message = f"{quoted(document.name)} has no {quoted(name)} to replace"
                yield report("unused-layer", message, entry.key.span, help="put the text under `add`")
