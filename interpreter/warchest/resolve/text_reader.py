"""The reader of texts: everything that is kept while texts are read; all functions that read get it as an argument."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.ruleset import Verb
from warchest.ir.values import Condition, Set, Var
from warchest.resolve.model import Model
from warchest.resolve.reading_cache import Put, ReadSentences
from warchest.resolve.types import Mention, Scope, Typed, flaw
from warchest.source.limits import MAX_UNFOLDED, MAX_UNFOLDED_IN_ALL, MAX_WITHIN
from warchest.source.text import Span
from warchest.syntax import ast

Foreseen: TypeAlias = "list[ir.Foresee]"


@dataclass(frozen=True, slots=True)
class PhraseReaders:
    """The readers of phrases that are called from modules below the ones that define them."""

    members: Callable[[TextReader, ast.Phrase, Scope], Set]
    """Read an indefinite phrase as the set of all things that fit it."""
    condition: Callable[[TextReader, ast.Proposition, Scope], Condition]
    """Read a condition."""
    is_so: Callable[[TextReader, Typed, ast.ValuePhrase, Scope, Span], Condition]
    """Read the value after `is`, as a condition on a thing."""
    does: Callable[[TextReader, ast.ThatDoes, Typed, Scope], Condition]
    """Read a relative clause about the act that a thing is doing."""
    can_do: Callable[[TextReader, ast.CanDo, Scope], Condition]
    """Read a condition that a subject can or cannot do an act."""


class TextReader:
    """All data that is kept while the texts of a game are read.

    It gives up on definitions which expand to far more text than was written: each use of a defined word is read again,
    so that twenty definitions with two uses each would make a million.
    """

    def __init__(self, model: Model, phrases: PhraseReaders) -> None:
        self.model, self.phrases = model, phrases
        self.everywhere = False
        """Whether phrases may mean tokens in any place."""
        self.named: set[str] = set()
        """The documents that were named since this was last emptied."""
        self.taken_up: dict[Span, str] = {}
        """The words for the things that `it`, `that …` and `the …` referred to in the texts read last."""
        self.seen_from: dict[str, str] = {}
        """The relative words of rules about others that were read since this was last emptied, each with its side."""
        self.relative: tuple[int, frozenset[str]] = (-1, frozenset())
        """The words whose meaning depends on `you`, after the number of texts that were searched for them."""
        self.foreseen: Foreseen | None = None
        """The look-ahead steps of the condition that is being read; None where no look-ahead is possible."""
        self.ahead: dict[ast.CanDo, Var] = {}
        """The variables of existing look-ahead steps, when rules are put into words."""
        self.written: list[Put] = []
        """The rules that were added to the rule set since this was last emptied."""
        self.diverted: list[Put] | None = None
        """The rules that are kept out of the rule set, while a text is only tried; None otherwise."""
        self.spoken_before: tuple[Mention, ...] = ()
        """The things in the surrounding steps that a rule among steps can refer to."""
        self.unfolded = self.in_all = 0
        """The number of definitions expanded in the present sentence, and in all."""
        self.used_in: dict[str, int] = {}
        """The number of uses of defined words that were read in the texts of each file."""

    def put(self, part: str, verb: Verb | None, rule: object) -> None:
        """Add a rule to a list of the rule set, or of a verb."""
        put = part, self.model.verbs[verb.name] if verb is not None else -1, rule
        if self.diverted is not None:
            self.diverted.append(put)
            return
        self.written.append(put)
        self.again(self.written[-1:])

    def again(self, put: Iterable[Put]) -> None:
        """Add rules to the rule set that were added to another rule set before."""
        ruleset = self.model.ruleset
        for part, verb, rule in put:
            getattr(ruleset.verbs[verb] if verb >= 0 else ruleset, part).append(rule)

    def repeated(self, reading: ReadSentences, path: str) -> bool:
        """Take over an earlier reading of sentences of a file; return False if it would expand too many definitions."""
        if self.in_all + reading.unfolded > MAX_UNFOLDED_IN_ALL:
            return False
        self.in_all += reading.unfolded
        self.unfolded = reading.unfolded
        self.put_down(path)
        self.again(reading.put)
        reading.numbered.add_to(self.model)
        return True

    def put_down(self, path: str) -> None:
        """Charge the definitions expanded so far to a file, and reset the count."""
        self.used_in[path] = self.used_in.get(path, 0) + self.unfolded
        self.unfolded = 0

    def unfold(self, subject: ast.NounPhrase, word: str, scope: Scope) -> None:
        """Count a definition that is about to be read; raises Flaw if there are too many."""
        self.unfolded += 1
        self.in_all += 1
        if self.unfolded > MAX_UNFOLDED or self.in_all > MAX_UNFOLDED_IN_ALL:
            message = f"{quoted(word)} unfolds into too many other definitions"
        elif len(scope.within) >= MAX_WITHIN:
            message = f"{quoted(word)} is the end of a chain of definitions more than {MAX_WITHIN} long"
        else:
            return
        raise flaw("nesting-too-deep", message, subject.span, help="define it by fewer words")
