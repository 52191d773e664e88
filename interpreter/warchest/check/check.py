"""Check all texts of a game and make its rule set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from warchest.check.model import Model, declare
from warchest.check.rules import FIXED, Carrier, RuleReader
from warchest.check.types import Flaw, Scope, Typed, Variables
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label, quoted
from warchest.documents.load import Document, Library
from warchest.rules import steps as ir
from warchest.rules.ruleset import AGENT, MANNER, THIS, YOU, Ruleset
from warchest.rules.values import Attribute, Var
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.parse import parse_block


@dataclass(frozen=True, slots=True)
class Text:
    """A parsed block: the document it stands in, its key, whether it holds steps or rules, and its sentences."""

    document: Document
    key: str
    meaning: str
    carrier: Carrier
    sentences: list[ast.Sentence]
    span: Span


def check(library: Library, game: Document, board: Document | None) -> tuple[Ruleset, list[Diagnostic]]:
    """Check every text of a game; return its rules (whole only if no finding is an error) and the findings."""
    findings = _names(library)
    model = declare(library, game, board)
    texts = _texts(model, library, game, findings)
    reader = RuleReader(model)
    rules = [(text, reader.rules(text.sentences, text.carrier)) for text in texts if text.meaning == "rules"]
    for text, sentences in rules:
        for sentence, _ in sentences:
            _guarded(findings, lambda s=sentence, t=text: reader.announce(s, t.carrier))  # type: ignore[misc]
    for text, sentences in rules:
        for sentence, number in sentences:
            _guarded(findings, lambda s=sentence, n=number, t=text: reader.rule(s, n, t.carrier))  # type: ignore[misc]
    for text in texts:
        if text.meaning == "steps":
            _guarded(findings, lambda t=text: _steps(reader, t, game))  # type: ignore[misc]
    _guarded(findings, lambda: _limits(reader, game))
    return model.ruleset, findings


def _limits(reader: RuleReader, game: Document) -> None:
    """Read the limits that positions are held to: a value of each document, by the noun for it."""
    for shape in game.values.get("position", {}).values():
        noun = shape.get("limit")
        if noun is not None:
            document = Typed(Var(FIXED, "document"), "document", "type")
            scope = Scope(Variables(FIXED + 1))
            reader.model.ruleset.limits[noun] = reader.apply(noun, document, game.span, scope).value


def _names(library: Library) -> list[Diagnostic]:
    """Find documents of one kind with one name."""
    seen: dict[tuple[str, str], Document] = {}
    findings = []
    for document in library.documents:
        key = (document.kind, document.name)
        if key in seen:
            labels = (Label(seen[key].span, "first here"),)
            findings.append(
                report("duplicate-name", f"there are two documents {quoted(document.name)}", document.span,
                       help="give one of them another name, or make it an erratum", labels=labels)
            )
        seen.setdefault(key, document)
    return findings


def _guarded(findings: list[Diagnostic], work: Callable[[], object]) -> None:
    try:
        work()
    except Flaw as found:
        findings.append(found.finding)


def _texts(model: Model, library: Library, game: Document, findings: list[Diagnostic]) -> list[Text]:
    texts: list[Text] = []
    for document in library.documents:
        if document is game:
            shape = {"play": "steps", "rules": "rules"}
        elif document.kind == "setup":
            shape = {"steps": "steps"}
        else:
            shape = model.blocks.get(document.kind, {})
        for key, meaning in shape.items():
            spans = document.blocks(key)
            if spans:
                texts.append(_text(model, document, key, meaning, spans, findings))
    return texts


def _text(
    model: Model,
    document: Document,
    key: str,
    meaning: str,
    spans: tuple[Span, ...],
    findings: list[Diagnostic],
) -> Text:
    """Parse a block; what layers add to it counts as its end."""
    number = model.ruleset.sheet_number(document.name) if document.kind in model.blocks else -1
    noun = next((thing.name for thing in model.things.values()
                 if thing.base == "piece" and document.kind in thing.sheets), "")  # fmt: skip
    carrier = Carrier(number, noun, f"{document.kind}/{document.name}/{key}")
    sentences: list[ast.Sentence] = []
    for span in spans:
        parsed, found = parse_block(span, model.vocabulary)
        sentences.extend(parsed)
        findings.extend(found)
    return Text(document, key, meaning, carrier, sentences, spans[0])


def _steps(reader: RuleReader, text: Text, game: Document) -> None:
    """Read a block of steps and keep its code where it belongs."""
    ruleset = reader.model.ruleset
    variables = Variables(FIXED)
    carried = text.carrier.number >= 0
    this = Typed(Var(THIS, "piece", text.carrier.noun), "piece", text.carrier.noun) if carried else None
    you = Attribute("owner", Var(THIS, "piece"), "player") if carried else None
    scope = Scope(variables, this, Var(YOU, "player") if you else None, this, this, text.carrier.number)
    steps, _ = reader.block(text.sentences, scope)
    agent = Var(AGENT, "piece" if carried else "player")
    params = (Var(THIS, "piece"), Var(YOU, "player"), Var(MANNER, "manner"), agent)
    code = ir.Code(text.carrier.path, "block" if carried else "game", -1, params, steps, variables.used, text.span)
    if text.document is game:
        ruleset.play = code
    elif text.document.kind == "setup":
        ruleset.setups[text.document.name] = code
    else:
        ruleset.sheets[text.carrier.number].blocks[text.key] = code
