"""Check all texts of a game and make its rule set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TypeAlias, TypeVar

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document, Library, texts_declared
from warchest.ir import steps as ir
from warchest.ir.parts import calls_in, nodes_in, settles, steps_in
from warchest.ir.ruleset import AGENT, FIXED, MANNER, THIS, YOU, Ruleset, Verb
from warchest.ir.values import NOTHING, Base, Const, Var
from warchest.resolve import parsed_blocks
from warchest.resolve.announce import Carrier, announce
from warchest.resolve.bearing import borne_findings
from warchest.resolve.budgets import begins_within
from warchest.resolve.conditions import read_condition, read_doing, read_is_so
from warchest.resolve.foresight import read_can_do
from warchest.resolve.idle import finished, without_idle
from warchest.resolve.initial_values import vain_changes
from warchest.resolve.joining import joined
from warchest.resolve.model import Model, declare, settle_kinds, with_plain
from warchest.resolve.moments import settle_parts
from warchest.resolve.names import name_findings
from warchest.resolve.reading_cache import READINGS, Numbered, Readings, as_read
from warchest.resolve.rules import numbered_rules, read_rule
from warchest.resolve.sets import read_adjective, read_members, read_relation
from warchest.resolve.step_reader import read_steps
from warchest.resolve.stopping import stopped
from warchest.resolve.text_reader import PhraseReaders, TextReader
from warchest.resolve.types import Flaw, Scope, Typed, Variables, flaw
from warchest.resolve.value_reader import read_attribute
from warchest.source.limits import MAX_FINDINGS as MAX_FINDINGS_IN_ALL
from warchest.source.nodes import Scalar
from warchest.source.records import record
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.agreement import read_block
from warchest.syntax.lexer import scan
from warchest.syntax.words import Vocabulary

# ---- check all texts of a game and make its rule set

MAX_FINDINGS = 50
"""The most findings in a block before the rest of it is skipped."""


@record()
class Text:
    """A parsed block: its document, its key, whether it holds steps or rules, and its sentences.

    `lost` holds the places of sentences that could not be parsed.
    """

    document: Document
    key: str
    meaning: str
    carrier: Carrier
    sentences: list[ast.Sentence]
    span: Span
    lost: list[Span]


_PHRASES = PhraseReaders(read_members, read_condition, read_is_so, read_doing, read_can_do)


def new_reader(model: Model) -> TextReader:
    """Return a reader for the texts of a game, before it has read any."""
    return TextReader(model, _PHRASES)


@dataclass(slots=True)
class Findings:
    """The findings so far, and the sentences that could not be understood, which would cause further findings."""

    found: list[Diagnostic]
    reader: TextReader
    lost: list[Span] = field(default_factory=list)

    def guarded(self, work: Callable[[], object], span: Span) -> bool:
        """Call `work`; return whether it raised no flaw. `span` is the place of its text."""
        self.reader.unfolded = 0
        try:
            work()
        except Flaw as flaw:
            self.found.append(flaw.finding)
        except RecursionError:
            self.found.append(report("nesting-too-deep", "the sentence is nested too deeply", span))
        else:
            return True
        finally:
            self.reader.put_down(span.path)
        return False

    def joined(self, join: Callable[[list[ast.Sentence]], list[_Joined]], text: Text) -> list[_Joined]:
        """Join each `otherwise` to its `if`; a misplaced sentence is reported and left out."""
        left = list(text.sentences)
        for _ in range(MAX_FINDINGS):
            try:
                return join(left)
            except Flaw as flaw:
                wrong = flaw.finding
            # The `if` that an `otherwise` belongs to may be among the sentences that could not be parsed.
            lost = any(wrong.span is not None and span.end <= wrong.span.start for span in text.lost)
            if wrong.name != "otherwise-without-if" or not lost:
                self.found.append(wrong)
            left = [sentence for sentence in left if sentence.span != wrong.span]
        return []

    def settled(self) -> list[Diagnostic]:
        """Return the findings, each once, without those that only follow from a definition that was lost."""
        words = {word for span in self.lost for word in _defined_in(span)}
        return [one for one in dict.fromkeys(self.found) if not (_may_follow(one) and _about(one) & words)]


_Joined = TypeVar("_Joined")
_FOLLOWING = ("undefined-word", "unknown-role", "no-such-attribute", "permits-nothing")


def _defined_in(span: Span) -> list[str]:
    """Return the words of a sentence if it looks like a definition."""
    words = [raw.text for raw in scan(span.source.text, span.start, span.end)]
    return words if words[:1] == ["to"] or not {"is", "are", "when"}.isdisjoint(words) else []


def _may_follow(finding: Diagnostic) -> bool:
    return finding.name in _FOLLOWING or (finding.name == "wrong-kind" and "is not said of" in finding.message)


def _about(finding: Diagnostic) -> set[str]:
    """Return the words that a message quotes one by one."""
    return set(re.findall(r"`([A-Za-z][A-Za-z'-]*)`", finding.message))


Parsed: TypeAlias = dict[Span, parsed_blocks.ParsedBlock]
"""Blocks that were parsed with one vocabulary, by their places: each sentence's place, its trees and its findings."""


def check(
    library: Library, game: Document, board: Document | None, parsed: Parsed | None = None
) -> tuple[Ruleset, list[Diagnostic]]:
    """Check every text of a game; return its rules (complete only if no finding is an error) and the findings.

    A caller that checks several variants on one board gives the same `parsed` to each, so that no sentence is parsed
    twice.
    """
    reader, found = read_all(library, game, board, parsed)
    return reader.model.ruleset, found


def check_plain(
    model: Model, library: Library, game: Document, documents: Sequence[Document]
) -> tuple[Model, list[Diagnostic]]:
    """Check documents without texts on top of a model whose texts were read; return the model with them, and findings.

    The documents are in the library already.
    """
    made = with_plain(model, library, game, documents)
    return made, list(borne_findings(made, library, game, documents))


def read_all(
    library: Library,
    game: Document,
    board: Document | None,
    parsed: Parsed | None = None,
    readings: Readings = READINGS,
) -> tuple[TextReader, list[Diagnostic]]:
    """Read every text of a game; return the reader, which can read further sentences, and the findings.

    A caller that reads several variants gives the same `parsed` to each.
    """
    model = declare(library, game, board)
    reader = new_reader(model)
    findings = Findings(list(name_findings(library, game, model.ruleset, model.vocabulary)), reader)
    texts = _texts(model, library, game, findings, parsed if parsed is not None else {})
    if len(findings.found) > MAX_FINDINGS_IN_ALL:
        return reader, findings.settled()
    rules = [
        (text, findings.joined(lambda left, t=text: numbered_rules(reader, left, t.carrier), text))  # type: ignore[misc]
        for text in texts
        if text.meaning == "rules"
    ]
    for text, sentences in rules:
        for sentence, _ in sentences:
            if not findings.guarded(lambda s=sentence, t=text: announce(reader, s, t.carrier), sentence.span):  # type: ignore[misc]
                findings.lost.append(sentence.span)
    defined = {one.verb.text for _, sentences in rules for one, _ in sentences if isinstance(one, ast.DefineVerb)}
    settle_kinds(model, defined)
    findings.found.extend(settle_parts(model, library, game, defined))
    repeating = _Repeating(reader, findings, readings)
    for text, sentences in rules:
        repeating.rules(text, sentences)
    for text, sentences in rules:
        repeating.definitions(text, sentences)
    for text in texts:
        if text.meaning == "steps":
            _put_code(reader.model.ruleset, text, game, repeating.steps(text))
    for declared in (_limits, _impossible, _concession):
        findings.guarded(partial(declared, reader, game), game.span)
    _measures(reader, game)
    findings.found.extend(borne_findings(model, library, game, library.documents))
    findings.found.extend(unsettled_findings(model.ruleset))
    findings.found.extend(_standing_findings(model))
    return reader, findings.settled()


def _definition(reader: TextReader, sentence: ast.Sentence) -> None:
    """Read a definition as a text that uses it would, so that a mistake is found even if no text uses it."""
    match sentence:
        case ast.DefineIs(ast.Phrase(head=ast.Word(noun)), _, ast.Adjective(word)):
            thing = _any(reader, noun, FIXED)
            if thing is not None:
                read_adjective(reader, word, thing, _scope_of(thing))
        case ast.DefineHolds(ast.Phrase(head=ast.Word(noun)), verb, ast.Arguments(ast.Phrase(head=ast.Word(other)))):
            first, second = _any(reader, noun, FIXED), _any(reader, other, FIXED + 1)
            if first is not None and second is not None:
                read_relation(reader, verb, first, second, _scope_of(first))


def _any(reader: TextReader, noun: str, number: int) -> Typed | None:
    """Return any thing of a noun; None if it is not a noun for things."""
    thing = reader.model.thing(noun)
    if noun == "game" or noun in reader.model.ruleset.singles:
        return Typed(Const(NOTHING, "flag"), "flag", noun)
    return Typed(Var(number, thing.base, noun), thing.base, noun) if thing is not None and thing.base else None


def _scope_of(thing: Typed) -> Scope:
    return Scope(Variables(FIXED + 2), None, Var(YOU, "player")).about(thing)


def _limits(reader: TextReader, game: Document) -> None:
    """Read the limits on positions: for the noun of each limit, the value that a document has."""
    for shape in game.values.get("position", {}).values():
        noun = shape.get("limit") if isinstance(shape, dict) else None
        if isinstance(noun, str):
            document = Typed(Var(FIXED, "document"), "document", "type")
            scope = Scope(Variables(FIXED + 1))
            reader.model.ruleset.limits[noun] = read_attribute(reader, noun, document, game.span, scope).value


def _impossible(reader: TextReader, game: Document) -> None:
    """Read the adjectives that no space, or no piece of a kind, may fit in a position between two acts."""
    kinds: list[tuple[Base, str]] = [("space", "space"), *(("piece", kind.name) for kind in reader.model.ruleset.kinds)]
    for word in game.values.get("impossible", ()):
        said, flaws = ast.Word(word, span=game.span), []
        for base, noun in kinds:
            role = Var(FIXED, base, noun)
            thing = Typed(role, base, noun)
            try:
                condition = read_adjective(reader, said, thing, _scope_of(thing))
            except Flaw as wrong:
                flaws.append(wrong)
            else:
                reader.model.ruleset.impossible.append((word, role, condition))
        if len(flaws) == len(kinds):
            raise flaws[0]


def _concession(reader: TextReader, game: Document) -> None:
    """Read the verb for giving the game up: its agent is a player, and it has no other role."""
    node = game.node.get("concession")
    if not isinstance(node, Scalar):
        return
    number = reader.model.verbs.get(node.text, -1)
    if number < 0:
        help = did_you_mean(node.text, reader.model.verbs) or "declare it under `verbs`"
        raise flaw("undeclared", f"there is no verb {quoted(node.text)}", node.span, help=help)
    verb = reader.model.ruleset.verbs[number]
    if verb.by != "player" or verb.roles:
        message = f"players cannot give a game up by {quoted(node.text)}"
        raise flaw("wrong-kind", message, node.span, help="name a verb `{by: player}` that is said of nothing else")
    reader.model.ruleset.concession = number


def _measures(reader: TextReader, game: Document) -> None:
    """Read the declared numbers as values of a piece, for callers that ask a state for them."""
    ruleset = reader.model.ruleset
    for noun in sorted(reader.model.numbers):
        for number, kind in enumerate(ruleset.kinds):
            piece = Typed(Var(FIXED, "piece", kind.name), "piece", kind.name)
            try:
                value = read_attribute(reader, noun, piece, game.span, Scope(Variables(FIXED + 1))).value
            except Flaw:
                continue  # a number of something else, or one with a finding already
            ruleset.measures[noun, number] = value


def texts_of(reader: TextReader, library: Library, game: Document, parsed: Parsed | None = None) -> list[Text]:
    """Return the parsed blocks of all documents that were read; sentences with findings are left out.

    Blocks in `parsed` are not parsed again.
    """
    return _texts(reader.model, library, game, Findings([], reader), parsed if parsed is not None else {})


def _texts(model: Model, library: Library, game: Document, findings: Findings, parsed: Parsed) -> list[Text]:
    texts: list[Text] = []
    for document in library.documents:
        if document.span.path in library.unread:
            continue
        for key, meaning in texts_declared(document, game).items():
            spans = document.blocks(key)
            if spans and len(findings.found) <= MAX_FINDINGS_IN_ALL:
                texts.append(_text(model, document, key, meaning, spans, findings, parsed))
    return texts


def _text(
    model: Model, document: Document, key: str, meaning: str, spans: tuple[Span, ...], findings: Findings, known: Parsed
) -> Text:
    """Parse a block; additions by layers count as its end."""
    number = model.ruleset.sheet_number(document.name, (document.kind,))
    sheets = {document.kind, *model.bearers.get(document.kind, ())}
    noun = next(
        (
            thing.name
            for thing in model.things.values()
            if thing.base == "piece" and not sheets.isdisjoint(thing.sheets)
        ),
        "",
    )
    carrier = Carrier(number, noun, f"{document.kind}/{document.name}/{key}")
    sentences: list[ast.Sentence] = []
    found: list[Diagnostic] = []
    lost: list[Span] = []
    parse_blocks(spans, model.vocabulary, known)
    for piece, parsed, wrong in (sentence for span in spans for sentence in known[span]):
        sentences.extend(parsed)
        if wrong:
            found.extend(wrong)
            lost.append(piece)
        if len(found) == MAX_FINDINGS:
            message = "there are more findings in this block; the rest of it was not read"
            found.append(report("too-many-findings", message, piece))
            break
    findings.found.extend(found)
    findings.lost.extend(lost)
    return Text(document, key, meaning, carrier, sentences, spans[0], lost)


def parse_blocks(spans: Iterable[Span], vocabulary: Vocabulary, known: Parsed) -> None:
    """Parse the blocks that are not known yet."""
    for span in spans:
        if span not in known:
            known[span] = _parsed(span, vocabulary)


def _parsed(span: Span, vocabulary: Vocabulary) -> parsed_blocks.ParsedBlock:
    """Parse a block sentence by sentence, until it has too many findings."""
    before = parsed_blocks.known(span, vocabulary)
    if before is not None:
        return before
    done: parsed_blocks.ParsedBlock = []
    left = MAX_FINDINGS
    for piece in _pieces(span):
        sentences, wrong = read_block(piece, vocabulary)
        done.append((piece, sentences, wrong))
        left -= len(wrong)
        if left <= 0:
            break
    parsed_blocks.keep(span, vocabulary, done)
    return done


def _pieces(span: Span) -> Iterator[Span]:
    """Divide a block at the full stops."""
    raw = scan(span.source.text, span.start, span.end)
    start = span.start
    for token in raw:
        if token.text == ".":
            yield Span(span.source, start, token.end)
            start = token.end
    if raw and start < raw[-1].end:
        yield Span(span.source, start, raw[-1].end)


class _Repeating:
    """Reads sentences, or takes the result of an earlier reading if there is one."""

    def __init__(self, reader: TextReader, findings: Findings, readings: Readings) -> None:
        self.reader, self.findings, self.readings = reader, findings, readings
        self.lost = set(findings.lost)
        self.known = readings.under(reader.model)

    def rules(self, text: Text, sentences: Iterable[tuple[ast.Sentence, int]]) -> None:
        """Read the sentences of a block of rules, each with its number."""
        for sentence, number in sentences:
            if sentence.span not in self.lost:
                work = partial(read_rule, self.reader, sentence, number, text.carrier)
                self._read([sentence], work, text, number, sentence.span)

    def definitions(self, text: Text, sentences: Iterable[tuple[ast.Sentence, int]]) -> None:
        """Read the definitions in a block of rules as texts that use them would."""
        for sentence, _ in sentences:
            self._read([sentence], partial(_definition, self.reader, sentence), text, "used", sentence.span)

    def steps(self, text: Text) -> ir.Code:
        """Read a block of steps; return its code."""
        code = self._read(text.sentences, lambda: _code(self.reader, text, self.findings), text, text.key, text.span)
        assert isinstance(code, ir.Code)
        return code

    def _read(
        self, sentences: Sequence[ast.Sentence], work: Callable[[], object], text: Text, place: int | str, span: Span
    ) -> object:
        """Do the work of reading sentences at a place of a text; return its result, None if it fails."""
        model = self.reader.model
        model.reading = text.document.name
        before = Numbered.of(model)
        told = text.carrier.path, as_read(model, text.carrier.number), place, before
        known = self.known.get(model, sentences, *told) if not text.lost else None
        if known is not None and self.reader.repeated(known, span.path):
            return known.code
        found, unfolded = len(self.findings.found), self.reader.in_all
        self.reader.written.clear()
        self.reader.named.clear()
        done: list[object] = [None]
        self.findings.guarded(lambda: done.append(work()), span)
        if not text.lost and found == len(self.findings.found):
            self.readings.keep(
                self.known,
                model,
                sentences,
                *told,
                put=tuple(self.reader.written),
                code=done[-1],
                unfolded=self.reader.in_all - unfolded,
                names=self.reader.named,
                numbered=before.further(model),
            )
        return done[-1]


def _code(reader: TextReader, text: Text, findings: Findings) -> ir.Code:
    """Return the code of a block of steps."""
    scope = block_scope(text.carrier)
    variables, of_document = scope.variables, text.carrier.number >= 0
    steps = _sentences(reader, _parts(text, findings), scope, text, findings)
    agent = Var(AGENT, "piece" if scope.this is not None else "player")
    params = (Var(THIS, "piece"), Var(YOU, "player"), Var(MANNER, "manner"), agent)
    findings.guarded(lambda: finished(steps, variables), text.span)
    steps = begins_within(without_idle(steps, variables.joined))
    origin: ir.Origin = "block" if of_document else "game"
    return ir.Code(text.carrier.path, origin, -1, params, steps, variables.used, text.span)


def _parts(text: Text, findings: Findings) -> list[ast.Statement]:
    """Return the parts of a block of steps; an empty list if a `stop` in it makes no sense."""
    parts, done = findings.joined(joined, text), list[ast.Statement]()
    findings.guarded(lambda: done.extend(stopped(parts)), text.span)
    return done


def _put_code(ruleset: Ruleset, text: Text, game: Document, code: ir.Code) -> None:
    """Store the code of a block of steps at its place in the rule set."""
    if text.document is game:
        ruleset.play = code
    elif text.document.kind == "setup":
        ruleset.setups[text.document.name] = code
    else:
        ruleset.sheets[text.carrier.number].blocks[text.key] = code


def block_scope(carrier: Carrier) -> Scope:
    """Return the scope at the beginning of a block of steps."""
    this = Typed(Var(THIS, "piece", carrier.noun), "piece", carrier.noun) if carrier.noun else None
    you = Var(YOU, "player") if carrier.number >= 0 else None
    return Scope(Variables(FIXED), this, you, this, carrier.number)


def _sentences(
    reader: TextReader, sentences: list[ast.Statement], scope: Scope, text: Text, findings: Findings
) -> ir.Steps:
    """Read steps one after the other; after one that makes no sense, the meaning of `it` is unknown."""
    done, read = list[ir.Order](), list[tuple[ir.Steps, Scope]]()
    for sentence in sentences:
        before = len(findings.found)
        if findings.guarded(lambda s=sentence, at=scope: read.append(read_steps(reader, s, at)), sentence.span):  # type: ignore[misc]
            steps, scope = read[-1]
            done.extend(steps)
            continue
        if text.lost and findings.found[-1].name == "no-antecedent":
            del findings.found[before:]
        text.lost.append(sentence.span)
    return tuple(done)


# ---- roles that nothing settles


def _standing_findings(model: Model) -> Iterator[Diagnostic]:
    """Find standing changes of numbers that no text settles, or that are settled before any change applies."""
    yield from vain_changes(model)
    steps = [step for code in model.ruleset.codes() for step in steps_in(code.steps) if isinstance(step, ir.SetField)]
    for one in model.ruleset.standing:
        if not any(settles(step, one.number) for step in steps):
            noun = model.ruleset.fields[one.number].name
            how = "increase" if model.vocabulary.is_plural(noun) else "increases"
            yield report(
                "says-nothing",
                f"no text settles the {noun}, so this changes nothing",
                one.span,
                help=f"say when it changes: `after …, the {noun} of … {how} by …`",
            )


def unsettled_findings(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Find orders without an instrument of the act, if no rule gives a default instrument."""
    needed = cache(lambda number: tuple(_needed(ruleset.verbs[number])))
    for call in (call for code in ruleset.codes() for call in calls_in(code.steps)):
        verb = ruleset.verbs[call.verb]
        for role, fill in enumerate(call.roles):
            if isinstance(fill, ir.Usual) and role in needed(call.verb):
                yield _unsettled(call, verb, role)
        # The kind of act that is chosen has roles of its own.
        for kind in () if verb.definitions else verb.kinds:
            yield from (_unsettled(call, ruleset.verbs[kind], role) for role in needed(kind))


def _unsettled(call: ir.Call, verb: Verb, role: int) -> Diagnostic:
    noun, word = verb.roles[role].noun, verb.roles[role].word
    where = f" by `{word} {with_article(noun)} …`" if word else ""
    help = f"name it here{where}, or state the usual one: `normally, …`"
    if verb.is_source(verb.roles[role]):
        help = "name the source, `from this`, or say that it has none: `from nobody`"
    message = f"{quoted(verb.name)} needs {with_article(noun)}, and nothing says which"
    return report("not-definite", message, call.span, help=help)


def _needed(verb: Verb) -> Iterator[int]:
    """Yield the roles of a verb that its definitions use and do not fill, and that no rule fills by default."""
    permitted = {domain.role for domain in verb.domains}
    left = [role for role in range(len(verb.roles)) if role not in permitted]
    used = [_used(one.code.steps) for one in verb.definitions] if left else []
    yield from (role for role in left if any(FIXED + role in one for one in used))


def _used(steps: ir.Steps) -> set[int]:
    """Return the variables that steps use without setting them."""
    parts = nodes_in(steps)
    found = {
        getattr(part, name).id
        for part in parts
        for name in ("var", "result")
        if isinstance(getattr(part, name, None), Var)
    }
    return {part.id for part in parts if isinstance(part, Var)} - found
