"""Relative clauses about acts under way: `a unit that attacks this` is a unit that is attacking this just now."""

from __future__ import annotations

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir.values import Condition
from warchest.resolve.conditions import ConditionReader
from warchest.resolve.model import FALL
from warchest.resolve.types import Flaw, Scope, Typed, flaw
from warchest.resolve.value_reader import article
from warchest.syntax import ast


class DoingReader(ConditionReader):
    """Reads relative clauses about acts under way."""

    def does(self, clause: ast.ThatDoes, thing: Typed, scope: Scope) -> Condition:
        """Read that a thing is the doer of an act under way; raises Flaw if such things never do that."""
        for word in clause.verbs:
            self._refuse_no_act(word, clause, thing)
        return self.under_way(clause.verbs, thing, clause.arguments, scope, clause.span)

    def _refuse_no_act(self, word: ast.Word, clause: ast.ThatDoes, thing: Typed) -> None:
        if self.is_fall(word):
            raise flaw(
                "says-nothing",
                f"{quoted(FALL)} is an event, which cannot be a condition",
                clause.span,
                help="leave it out: a piece that has fallen is not on a space",
            )
        if word.text not in self.model.verbs or word.text in self.model.relations:
            said = f"{word.span.text} {clause.arguments.span.one_line}".strip()
            message = f"{quoted(word.span.text)} is not an act that can be under way"
            fact = f"ask for `while that {thing.noun} {said}`, or " if word.text in self.model.relations else ""
            raise flaw(
                "wrong-kind", message, word.span, help=f"{fact}describe it: `{with_article(thing.noun)} whose … is …`"
            )
        verb = self.model.ruleset.verbs[self.model.verbs[word.text]]
        doers, kinds = set(self.model.kinds(verb.agent_noun)), set(self.model.kinds(thing.noun))
        if verb.by != thing.base or (doers and kinds and doers.isdisjoint(kinds)):
            raise flaw(
                "wrong-kind",
                f"{article(thing)} never {quoted(word.span.text)}",
                word.span,
                help=f"that is something {with_article(verb.agent_noun)} does",
            )

    def said_by_role(self, arguments: ast.Arguments) -> dict[str, ast.Expression | None]:
        """Return the phrases of a verb by role; raises Flaw for one that could belong to another verb."""
        said: ast.Expression | None = arguments.object
        for role in arguments.roles:
            self._refuse_of_two(said, role)
            said = role.phrase
        return super().said_by_role(arguments)

    def _refuse_of_two(self, before: ast.Expression | None, role: ast.RolePhrase) -> None:
        """Raise Flaw for a role that could also belong to the verb of the relative clause before it."""
        while isinstance(before, ast.Phrase) and before.modifiers:
            last = before.modifiers[-1]
            if isinstance(last, ast.ThatDoes):
                for word in last.verbs:
                    verb = self.model.verb(word.text)
                    if verb is not None and role.word in [one.word for one in verb.roles]:
                        raise self._role_of_two(before, last, word, role)
                before = last.arguments.object
            else:
                before = getattr(last, "phrase", None)

    def _role_of_two(self, whose: ast.Phrase, clause: ast.ThatDoes, verb: ast.Word, role: ast.RolePhrase) -> Flaw:
        """Return the flaw of a role that could belong to the verb of a relative clause or to the one around it."""
        noun, what = whose.head.text, quoted(role.span.one_line)
        first = f"choose first, `choose {whose.span.one_line}`, and then say `that {noun}`"
        does = f"{clause.span.one_line.removeprefix('that ')} {role.span.one_line}"
        return flaw(
            "unclear-reach",
            f"{what} could belong to {quoted(verb.span.text)}, too",
            role.span,
            help=f"{first}; or define a word for it: `{with_article(noun)} is … when it {does}`",
        )
