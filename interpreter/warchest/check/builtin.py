"""The verbs the machine itself knows: a dozen, from which all others are defined."""

from __future__ import annotations

from dataclasses import replace

from warchest.check.amounts import as_any, how_many
from warchest.check.conditions import ConditionReader
from warchest.check.types import Scope, Typed, flaw
from warchest.check.values import article, is_indefinite
from warchest.diagnostics.diagnostic import quoted
from warchest.rules import steps as ir
from warchest.rules.values import NOTHING, Attribute, Const, Holder, InPiece, Value
from warchest.syntax import ast

_CLOCKS = {
    "end the game": "end", "begin a turn": "turn", "begin a round": "round", "begin a choice": "choice",
    "do nothing": "nothing",
}  # fmt: skip


class BuiltIns(ConditionReader):
    """Reads orders with built-in verbs."""

    def built_in(self, node: ast.Do, manner: int, scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read an order with a built-in verb."""
        verb = node.verb.text
        if verb in _CLOCKS:
            return (ir.Clock(_CLOCKS[verb], span=node.span),), scope  # type: ignore[arg-type]
        if verb == "win":
            return self._win(node, scope)
        if verb == "forget":
            return (ir.Forget(span=node.span),), scope
        thing = node.arguments.object
        if thing is None:
            raise flaw("unknown-role", f"{quoted(verb)} needs an object", node.span)
        if verb == "swap":
            return self._swap(thing, node, scope)
        if verb == "choose":
            return self._choose(thing, "chosen", node, scope)
        if verb == "see":
            return self._see(thing, node, scope)
        if verb == "perform":
            return self._perform(thing, node, scope)
        if verb == "remove":
            return self._remove(thing, node, scope)
        if verb == "take":
            return self._put(thing, None, manner, node, scope)
        return self._put_somewhere(thing, manner, node, scope)

    def _win(self, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        subject = self.value(node.subject, scope) if node.subject else None
        if subject is None or subject.base not in ("team", "player"):
            raise flaw("wrong-kind", "only a player or a team can win", node.span)
        team = subject.value if subject.base == "team" else Attribute("team", subject.value, "team")
        return (ir.Win(team, span=node.span),), scope

    def _choose(
        self, thing: ast.NounPhrase, key: str, node: ast.Do, scope: Scope
    ) -> tuple[ir.Steps, Scope]:
        if not isinstance(thing, ast.Phrase) or not is_indefinite(thing):
            raise flaw("not-indefinite", f"{quoted(thing.span.text)} leaves nothing to choose", thing.span,
                       help="say `a …` or `another …`")  # fmt: skip
        origin = scope.this
        among = self.members(thing, scope.from_here(origin))
        var = scope.variables.new(among.var.base, self.thing_of(thing).name)
        by_chance = any(word.text == "random" for word in thing.adjectives)
        decider = None if by_chance else self._chooser(node, scope)
        key = among.var.noun if key == "chosen" and among.var.base == "direction" else key
        choice = ir.Choose(var, among, decider, key, span=node.span)
        return (choice,), scope.about(Typed(var, var.base, var.noun))

    def _chooser(self, node: ast.Do, scope: Scope) -> Value:
        if node.subject is not None:
            subject = self.value(node.subject, scope)
            if subject.base == "player":
                return subject.value
        return scope.you if scope.you is not None else Const(NOTHING, "player")

    def _perform(self, thing: ast.NounPhrase, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        if isinstance(thing, ast.Phrase) and isinstance(thing.head, ast.Word):
            block = thing.head.text
            if any(block in blocks for blocks in self.model.blocks.values()):
                carrier = self._carrier_of(thing, scope)
                return (ir.Perform(block, carrier, self._chooser(node, scope), span=node.span),), scope
        raise flaw("wrong-kind", f"{quoted(thing.span.text)} is not a block of a document", thing.span)

    def _carrier_of(self, thing: ast.Phrase, scope: Scope) -> Value:
        if thing.modifiers and isinstance(thing.modifiers[0], ast.Related):
            return self.of_base(thing.modifiers[0].phrase, scope, "piece", "token").value
        if scope.this is None or scope.this.base != "piece":
            raise flaw("no-antecedent", f"{quoted(thing.span.text)} does not say whose", thing.span)
        return scope.this.value

    def _see(self, thing: ast.NounPhrase, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read that somebody is shown tokens; it changes nothing but what that player is told."""
        if not isinstance(thing, ast.Phrase) or not is_indefinite(thing):
            raise flaw("not-indefinite", f"{quoted(thing.span.text)} is not a set of things", thing.span,
                       help="say `all … in …`")  # fmt: skip
        tokens = self.members(as_any(thing) if thing.determiner == "all" else thing, scope)
        if tokens.var.base != "token":
            raise flaw("wrong-kind", f"only what lies in a zone can be hidden, not a {tokens.var.noun}", thing.span)
        return (ir.See(tokens, self._chooser(node, scope), span=node.span),), scope

    def _swap(self, thing: ast.NounPhrase, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read that a piece changes to its other form: `swap this for …`."""
        other = next((role.phrase for role in node.arguments.roles if role.word == "for"), None)
        if other is None:
            raise flaw("unknown-role", "`swap` needs to know for what", node.span, help="say `for …`")
        piece, form = self.of_base(thing, scope, "piece"), self.of_base(other, scope, "document")
        return (ir.SwapForm(piece.value, form.value, span=node.span),), scope

    def _remove(self, thing: ast.NounPhrase, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        if isinstance(thing, ast.Phrase) and thing.determiner == "all":
            members = self.members(as_any(thing), scope)
            if members.var.base == "token":
                return (ir.MoveAll(members, -1, None, -1, span=node.span),), scope
        piece = self.of_base(thing, scope, "piece")
        return (ir.RemovePiece(piece.value, span=node.span),), scope

    # ---- putting things somewhere

    def _put_somewhere(
        self, thing: ast.NounPhrase, manner: int, node: ast.Do, scope: Scope
    ) -> tuple[ir.Steps, Scope]:
        roles = {role.word: role.phrase for role in node.arguments.roles}
        if "into" in roles:
            place = self._place(roles["into"])
            return self._put(thing, self.holders(place, scope)[0], manner, node, scope)
        if "onto" not in roles:
            raise flaw("unknown-role", "`put` needs to know where", node.span, help="say `into …` or `onto …`")
        space = self.of_base(roles["onto"], scope, "space")
        if is_indefinite(thing):
            chosen, scope = self._choose(thing, self.thing_of(thing).name, node, scope)  # type: ignore[arg-type]
            assert scope.it is not None
            typed = scope.it
        else:
            chosen, typed = (), self.value(thing, scope)
        if typed.base == "piece":
            return (*chosen, ir.MovePiece(typed.value, space.value, span=node.span)), scope
        if typed.base != "token" or "as" not in roles:
            raise flaw("wrong-kind", f"{article(typed)} cannot stand on a space", thing.span,
                       help="say as what: `put the … onto the space as a …`")  # fmt: skip
        said = roles["as"]
        if not isinstance(said, ast.Phrase):
            raise flaw("wrong-kind", f"{quoted(said.span.text)} is not a kind of piece", said.span)
        kind = self.thing_of(said)
        if kind.base != "piece" or not kind.kinds:
            raise flaw("wrong-kind", f"a {kind.name} is not a piece", roles["as"].span)
        of = [mod.phrase for mod in said.modifiers if isinstance(mod, ast.Related) and mod.preposition == "of"]
        owner: Value = scope.you if kind.owned and scope.you is not None else Const(NOTHING, "player")
        if of:
            owner = self.of_base(of[0], scope, "player").value
        piece = scope.variables.new("piece", kind.name)
        raised = ir.RaisePiece(typed.value, space.value, kind.kinds[0], owner, piece, span=node.span)
        return (*chosen, raised), scope.speaking_of(Typed(piece, "piece", kind.name))

    def _place(self, node: ast.Expression) -> ast.NounPhrase:
        if isinstance(node, ast.Number | ast.Parameter | ast.Total):
            raise flaw("wrong-kind", f"{quoted(node.span.text)} is no place", node.span)
        return node

    def _put(
        self, thing: ast.NounPhrase, into: Holder | None, manner: int, node: ast.Do, scope: Scope
    ) -> tuple[ir.Steps, Scope]:
        if isinstance(thing, ast.Phrase) and any(word.text == "new" for word in thing.adjectives):
            return self._make(thing, into, node, scope)
        if isinstance(thing, ast.Phrase) and (thing.determiner == "all" or thing.count is not None):
            count = how_many(thing.count) if thing.count is not None else -1
            tokens = self.members(as_any(replace(thing, count=None)), scope)
            return (ir.MoveAll(tokens, count, into, manner, span=node.span),), scope
        if isinstance(thing, ast.Phrase) and is_indefinite(thing):
            chosen, after = self._choose(thing, self.thing_of(thing).name, node, scope)
            assert after.it is not None
            move = ir.MoveToken(after.it.value, into, manner, span=node.span)
            return (*chosen, move), after
        token = self.of_base(thing, scope, "token")
        return (ir.MoveToken(token.value, into, manner, span=node.span),), scope

    def _make(
        self, thing: ast.Phrase, into: Holder | None, node: ast.Do, scope: Scope
    ) -> tuple[ir.Steps, Scope]:
        if into is None or isinstance(into, InPiece):
            raise flaw("wrong-kind", "new things come into a zone", node.span)
        if isinstance(thing.head, ast.Name):
            document: Value = Const(self._document(thing.head), "document")
            key = self._copies_of(thing.head)
        else:
            of = [mod.phrase for mod in thing.modifiers if isinstance(mod, ast.Related) and mod.preposition == "of"]
            if not of:
                raise flaw("not-definite", "new things are of some type", thing.span, help="say `of …`")
            document = self.of_base(of[0], scope, "document").value
            key = self.thing_of(thing).copies
        count = -1 if thing.determiner == "all" else (how_many(thing.count) if thing.count else 1)
        if count == -1 and not key:
            raise flaw("not-definite", "nothing says how many of them there are", thing.span)
        return (ir.MakeTokens(document, key, count, into, span=node.span),), scope

    def _copies_of(self, name: ast.Name) -> str:
        """Return the number of a document that says how many tokens of it there are, if any does."""
        kind = self.model.ruleset.sheets[self._document(name)].kind
        return next((thing.copies for thing in self.model.things.values() if thing.copies and kind in thing.sheets), "")
