"""The verbs the machine itself knows: a dozen, from which all others are defined."""

from __future__ import annotations

import re
from dataclasses import replace

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.values import (
    NOTHING,
    Apart,
    Attribute,
    Bearing,
    Compare,
    Const,
    Holder,
    InPiece,
    InZone,
    Ray,
    Set,
    Value,
)
from warchest.resolve.amounts import as_any, how_many
from warchest.resolve.antecedents import PronounTest
from warchest.resolve.sides import SideReader, chosen_as
from warchest.resolve.types import Mention, Scope, Typed, flaw
from warchest.resolve.value_reader import article, is_indefinite
from warchest.source.limits import MAX_OF_A_KIND
from warchest.source.text import Span
from warchest.syntax import ast

_DONE_BY = ("win", "choose", "see", "perform", "swap places")
"""The built-in verbs that are said of somebody also where nothing is left to choose."""
MAX_CHOSEN = 20
"""The most things of one phrase that are chosen one by one."""
_TAKES: dict[str, tuple[str, ...]] = {
    "put": ("", "into", "onto", "as"),
    "swap": ("", "for"),
    "swap places": ("with",),
    "win": (),
    "end the game": (),
    "begin a turn": (),
    "begin a round": (),
    "begin a choice": (),
    "do nothing": (),
}
"""The prepositions that built-in verbs take (empty: an object); the others take an object."""
_SAID_OTHERWISE = {
    "from": "say where a thing is behind the noun: `a … in …`",
    "to": "say where it goes: `into …` a place of things, `onto …` a space",
}
"""Help on prepositions that a built-in verb does not take."""
_CLOCKS = {
    "end the game": "end",
    "begin a turn": "turn",
    "begin a round": "round",
    "begin a choice": "choice",
    "do nothing": "nothing",
}


_LINE = re.compile(r"\bin\s+that\s+line\b")


class BuiltIns(SideReader):
    """Reads orders with built-in verbs."""

    def built_in(self, node: ast.Do, manner: int, scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read an order with a built-in verb."""
        verb = node.verb.text
        self._refuse_idle(node)
        if verb in _CLOCKS:
            return (ir.Clock(_CLOCKS[verb], span=node.span),), scope  # type: ignore[arg-type]
        if verb == "win":
            return self._win(node, scope)
        if verb == "swap places":
            return self._swap_places(node, scope)
        thing = node.arguments.object
        if thing is None:
            raise flaw("unknown-role", f"{quoted(verb)} needs an object", node.span)
        if verb == "swap":
            return self._swap(thing, node, scope)
        if verb == "choose":
            choice, thing_chosen = self._choose(thing, "chosen", node, scope)
            return choice, scope.mentioning(thing_chosen)
        if verb == "see":
            return self._see(thing, node, scope)
        if verb == "perform":
            return self._perform(thing, node, scope)
        if verb == "remove":
            return self._remove(thing, node, scope)
        if verb == "take":
            return self._put(thing, None, manner, node, scope)
        return self._put_somewhere(thing, manner, node, scope)

    def leaves_no_choice(self, verb: ast.Word, node: ast.May) -> bool:
        """Whether an order by a built-in verb would say in vain who does it, so that only an offer says that."""
        if verb.text in self.model.verbs or verb.text in _DONE_BY or verb.text in _CLOCKS:
            return False
        return not _asks(verb.text, node.arguments.object)

    def _refuse_idle(self, node: ast.Do) -> None:
        """Raise Flaw for a phrase or a subject that makes no difference to a built-in verb."""
        verb = node.verb.text
        takes = _TAKES.get(verb, ("",))
        for word, phrase in self.said_by_role(node.arguments).items():
            if phrase is not None and word not in takes:
                about = f"`{word} …`" if word else "an object"
                help = f"say `{verb} with …`" if takes == ("with",) else _SAID_OTHERWISE.get(word, "leave it out")
                raise flaw("unknown-role", f"{quoted(verb)} does not take {about}", phrase.span, help=help)
        asks = _asks(verb, node.arguments.object)
        if node.subject is not None and not asks and verb not in _DONE_BY:
            raise flaw(
                "says-nothing",
                f"it makes no difference who does it where {quoted(verb)} leaves no choice",
                node.subject.span,
                help=f"leave it out: `{verb} …`",
            )

    def _win(self, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        fits: PronounTest = lambda one: one.base in ("team", "player")  # noqa: E731
        subject = self.value(node.subject, scope, fits) if node.subject else None
        if subject is None or subject.base not in ("team", "player"):
            raise flaw("wrong-kind", "only a player or a team can win", node.span)
        team = subject.value if subject.base == "team" else Attribute("team", subject.value, "team")
        return (ir.Win(team, span=node.span),), scope

    def _choose(self, thing: ast.NounPhrase, key: str, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Mention]:
        """Read a choice; return it with the mention of its result."""
        if not isinstance(thing, ast.Phrase) or not self.leaves_open(thing, scope):
            self.refuse_one_of(thing, scope)
            raise flaw(
                "not-indefinite",
                f"{quoted(thing.span.text)} leaves nothing to choose",
                thing.span,
                help="say `a …` or `another …`",
            )
        rest = tuple(word for word in thing.adjectives if word.text != "random")
        by_chance = len(rest) < len(thing.adjectives)
        if by_chance and node.subject is not None:
            raise flaw("says-nothing", "what is random is chosen by nobody", node.subject.span, help="leave it out")
        open_thing = replace(thing, adjectives=rest)
        if node.subject is not None:
            fits: PronounTest = lambda one: one.base in ("player", "piece")  # noqa: E731
            self.refuse_sides(open_thing, self.value(node.subject, scope, fits), scope)
        elif scope.asked_of is not None and not by_chance:
            self.refuse_sides(open_thing, Typed(scope.asked_of, "player", "player"), scope)
        among = self.members(open_thing, scope.from_here(scope.this))
        var = scope.variables.new(among.var.base, self.thing_of(thing).name)
        scope.variables.known += chosen_as(var, among)
        decider = None if by_chance else self._chooser(node, scope) if node.subject is not None else self.asked(scope)
        if node.subject is not None and decider is not None:
            scope.variables.chosen_by[var.id] = decider
        key = among.var.noun if key == "chosen" and among.var.base == "direction" else key
        choice = ir.Choose(var, among, decider, key, span=node.span)
        chosen = self.mentioned(open_thing, Typed(var, var.base, var.noun))
        start = _line_from(among)
        if start is None or not _LINE.search(rest_of_block(node.span)):
            return (choice,), chosen
        # A piece that moves afterwards changes the bearing, so the direction is kept now.
        line = scope.variables.new("direction", "direction")
        kept = ir.Keep(line, Bearing(start, var), span=node.span)
        return (choice, kept), replace(chosen, line=(start, line))

    def asked(self, scope: Scope) -> Value:
        """Return the player who decides what a text leaves open: to whom an offer is made, or else `you`."""
        if scope.asked_of is not None:
            return scope.asked_of
        return scope.you if scope.you is not None else Const(NOTHING, "player")

    def offered(self, decider: Value, scope: Scope) -> Scope:
        """Return the scope within an offer to a player, who decides all that is in it."""
        this = scope.this.value if scope.this is not None else None
        own = decider == scope.you or (this is not None and decider == Attribute("decider", this, "player"))
        return scope if own else replace(scope, asked_of=decider)

    def _chooser(self, node: ast.Do, scope: Scope) -> Value:
        if node.subject is not None:
            fits: PronounTest = lambda one: one.base in ("player", "piece")  # noqa: E731
            return self.controller(self.value(node.subject, scope, fits), node.subject.span)
        return scope.you if scope.you is not None else Const(NOTHING, "player")

    def controller(self, subject: Typed, span: Span) -> Value:
        """Return the player who decides for a piece or a player."""
        if subject.base == "player":
            return subject.value
        if subject.base == "piece":
            return Attribute("decider", subject.value, "player")
        is_act = subject.noun in self.model.of_acts.values()
        raise flaw(
            "wrong-kind",
            f"{article(subject)} cannot be asked",
            span,
            help="offer it to whoever does the act: `this may …`" if is_act else "",
        )

    def _perform(self, thing: ast.NounPhrase, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        if isinstance(thing, ast.Phrase) and isinstance(thing.head, ast.Word):
            block = thing.head.text
            if any(block in blocks for blocks in self.model.blocks.values()):
                carrier = self._carrier_of(thing, scope)
                return (ir.Perform(block, carrier, self._chooser(node, scope), span=node.span),), scope
        raise flaw("wrong-kind", f"{quoted(thing.span.text)} is not a block of a document", thing.span)

    def _carrier_of(self, thing: ast.Phrase, scope: Scope) -> Value:
        of = thing.modifiers[0] if thing.modifiers else None
        if isinstance(of, ast.Related) and of.preposition == "of" and thing.determiner == "the":
            self.nothing_more(thing, thing.adjectives, thing.modifiers[1:])
            return self.of_base(of.phrase, scope, "piece", "token").value
        if thing.determiner == "its":
            self.nothing_more(thing, thing.adjectives, thing.modifiers)
            return self.of_base(ast.Pronoun("it", span=thing.span), scope, "piece", "token").value
        raise flaw(
            "no-antecedent",
            f"{quoted(thing.span.text)} does not say whose",
            thing.span,
            help=f"say `the {thing.head.text} of …`",
        )

    def _see(self, thing: ast.NounPhrase, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read that somebody is shown tokens; it changes nothing but the news of that player."""
        if not isinstance(thing, ast.Phrase) or thing.determiner != "all":
            raise flaw(
                "not-indefinite",
                f"{quoted(thing.span.text)} is not a set of things",
                thing.span,
                help="say `all … in …`",
            )
        tokens = self.members(as_any(thing), scope)
        if tokens.var.base != "token":
            message = f"only what lies in a zone can be hidden, not {with_article(tokens.var.noun)}"
            raise flaw("wrong-kind", message, thing.span)
        return (ir.See(tokens, self._chooser(node, scope), span=node.span),), scope

    def _swap(self, thing: ast.NounPhrase, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read that a piece changes to its other form: `swap this for …`."""
        other = next((role.phrase for role in node.arguments.roles if role.word == "for"), None)
        if other is None:
            raise flaw("unknown-role", "`swap` needs to know for what", node.span, help="say `for …`")
        piece = self.of_base(thing, scope, "piece")
        if help := self._by_becoming(piece, thing, other):
            raise flaw("wrong-kind", f"{quoted(other.span.text)} is not a form of {article(piece)}", other.span, help)
        form = self.of_base(other, self.having_named(thing, scope), "document")
        return (ir.SwapForm(piece.value, form.value, span=node.span),), scope

    def _by_becoming(self, piece: Typed, thing: ast.NounPhrase, said: ast.Expression) -> str:
        """Return help on a piece that should change its kind, if it can; else an empty text."""
        noun = said.head.text if isinstance(said, ast.Phrase) and isinstance(said.head, ast.Word) else ""
        return f"say `{thing.span.text} becomes {with_article(noun)}`" if self.model.akin(piece.noun, noun) else ""

    def _swap_places(self, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read that a piece, or else `this`, and another one change places."""
        other = next((role.phrase for role in node.arguments.roles if role.word == "with"), None)
        if not isinstance(other, ast.Pronoun | ast.Phrase):
            raise flaw("unknown-role", "`swap places` needs to know with what", node.span, help="say `with …`")
        subject = node.subject if node.subject is not None else ast.Pronoun("this", span=node.verb.span)
        first, chosen = self.of_base(subject, scope, "piece"), tuple[ir.Order, ...]()
        scope = self.having_named(subject, scope)
        if self.leaves_open(other, scope):
            within = self.swapping(first, scope)
            chosen, told = self._choose(other, "chosen", replace(node, subject=None), within)
            second, scope = told.thing, scope.mentioning(told)
        else:
            second = self.of_base(other, scope, "piece")
        if second.base != "piece":
            raise flaw("wrong-kind", f"{article(second)} does not swap places", other.span, help="name a piece")
        if second.value == first.value:
            raise flaw(
                "says-nothing", f"{quoted(other.span.text)} stands there already", other.span, help="name two pieces"
            )
        return (*chosen, ir.SwapPlaces(first.value, second.value, span=node.span)), scope

    def swapping(self, piece: Typed, scope: Scope) -> Scope:
        """Return the scope of the phrase for what a piece swaps places with."""
        return scope if scope.this is not None and piece.value == scope.this.value else replace(scope, ordered=piece)

    def _remove(self, thing: ast.NounPhrase, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        if isinstance(thing, ast.Phrase) and thing.determiner == "all":
            members = self.members(as_any(thing), scope)
            if members.var.base == "token":
                return (ir.MoveAll(members, -1, None, -1, span=node.span),), scope
        gone = self.of_base(thing, scope, "piece", "token")
        if gone.base == "token":
            return (ir.MoveToken(gone.value, None, ir.INHERITED, span=node.span),), scope
        return (ir.RemovePiece(gone.value, span=node.span),), scope

    # ---- putting things somewhere

    def _put_somewhere(self, thing: ast.NounPhrase, manner: int, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        roles = {role.word: role.phrase for role in node.arguments.roles}
        if "into" in roles:
            for word in ("onto", "as"):
                if word in roles:
                    raise flaw(
                        "unknown-role",
                        f"what goes into something is not put `{word} …`",
                        roles[word].span,
                        help="leave out one of the two",
                    )
            into = self._definite_holder(self._place(roles["into"]), scope)
            return self._put(thing, into, manner, node, scope)
        if "onto" not in roles:
            raise flaw("unknown-role", "`put` needs to know where", node.span, help="say `into …` or `onto …`")
        if manner != ir.INHERITED:
            raise flaw("says-nothing", "what is put onto a space has no side", node.span, help="leave out the adverb")
        chosen: ir.Steps = ()
        if self.leaves_open(thing, scope):
            chosen, told = self._choose(thing, self.thing_of(thing).name, node, scope)  # type: ignore[arg-type]
            typed, scope = told.thing, scope.mentioning(told)
        else:
            typed = self.of_base(thing, scope, "piece", "token")
            scope = self.having_named(thing, scope)
        space = self.of_base(roles["onto"], scope, "space")
        if typed.base == "piece":
            if "as" in roles:
                raise flaw(
                    "unknown-role",
                    f"{article(typed)} is on the board already",
                    roles["as"].span,
                    help=self._by_becoming(typed, thing, roles["as"]) or "leave out `as …`",
                )
            return (*chosen, ir.MovePiece(typed.value, space.value, span=node.span)), scope
        if "as" not in roles:
            raise flaw(
                "wrong-kind",
                f"{article(typed)} cannot stand on a space",
                thing.span,
                help="say as what: `put the … onto the space as a …`",
            )
        raised, piece = self._raise(typed, space, roles["as"], node, scope)
        return (*chosen, raised), scope.mentioning(piece)

    def _raise(
        self, token: Typed, space: Typed, said: ast.Expression, node: ast.Do, scope: Scope
    ) -> tuple[ir.Order, Mention]:
        """Read that a token becomes a piece: `as a unit`, or `as a unit of that player`."""
        named = isinstance(said, ast.Phrase) and isinstance(said.head, ast.Word) and said.determiner in ("a", "an")
        if not isinstance(said, ast.Phrase) or not named:
            raise flaw("wrong-kind", f"{quoted(said.span.text)} is not a kind of piece", said.span, help="say `as a …`")
        kind = self.thing_of(said)
        if kind.base != "piece" or not kind.kinds:
            raise flaw("wrong-kind", f"{with_article(kind.name)} is not a piece", said.span)
        of = said.modifiers[0] if said.modifiers else None
        is_owned = isinstance(of, ast.Related) and of.preposition == "of"
        self.nothing_more(said, said.adjectives, said.modifiers[int(is_owned) :])
        owner: Value = scope.you if kind.owned and scope.you is not None else Const(NOTHING, "player")
        if isinstance(of, ast.Related):
            owner = self.of_base(of.phrase, scope, "player").value
        piece = scope.variables.new("piece", kind.name)
        raised = ir.RaisePiece(token.value, space.value, kind.kinds[0], owner, piece, span=node.span)
        return raised, Mention(Typed(piece, "piece", kind.name), (kind.name,), span=said.span)

    def _definite_holder(self, node: ast.NounPhrase, scope: Scope) -> Holder:
        """Read the place to which tokens go; raises Flaw where it is left open whose place that is."""
        holder = self.holders(node, scope)[0]
        if isinstance(holder, InZone) and holder.of is None and self.model.ruleset.zones[holder.zone].of != "game":
            noun = self.model.ruleset.zones[holder.zone].name
            raise flaw(
                "not-definite",
                f"{quoted(node.span.text)} does not say whose",
                node.span,
                help=f"say `your {noun}` or `the {noun} of …`",
            )
        return holder

    def _place(self, node: ast.Expression) -> ast.NounPhrase:
        if isinstance(node, ast.Number | ast.Letter | ast.Total | ast.Amount):
            raise flaw("wrong-kind", f"{quoted(node.span.text)} is no place", node.span)
        return node

    def _put(
        self, thing: ast.NounPhrase, into: Holder | None, manner: int, node: ast.Do, scope: Scope
    ) -> tuple[ir.Steps, Scope]:
        if isinstance(thing, ast.Phrase) and any(word.text == "new" for word in thing.adjectives):
            return self._make(thing, into, node, scope)
        if isinstance(thing, ast.Phrase) and (thing.determiner == "all" or thing.count is not None):
            return self._put_several(thing, into, manner, node, scope)
        if self.leaves_open(thing, scope):
            chosen, told = self._choose(thing, self.thing_of(thing).name, node, scope)  # type: ignore[arg-type]
            if told.thing.base != "token":
                raise flaw("wrong-kind", f"{article(told.thing)} is not a token", thing.span)
            self._refuse_into(told.thing, into, thing)
            move = ir.MoveToken(told.thing.value, into, manner, span=node.span)
            return (*chosen, move), scope.mentioning(told)
        token = self.of_base(thing, scope, "token")
        self._refuse_into(token, into, thing)
        return (ir.MoveToken(token.value, into, manner, span=node.span),), scope

    def _refuse_into(self, token: Typed, into: Holder | None, thing: ast.NounPhrase) -> None:
        """Raise Flaw where a token is put into a zone that holds none of its kind."""
        known = self.model.thing(token.noun)
        if not isinstance(into, InZone) or known is None or not known.sheets:
            return
        zone = self.model.ruleset.zones[into.zone]
        holds = self.model.thing(zone.holds)
        if holds is not None and set(holds.sheets).isdisjoint(known.sheets):
            raise flaw(
                "wrong-kind",
                f"{with_article(token.noun)} does not go into the {zone.name}",
                thing.span,
                help=f"it holds each {zone.holds}",
            )

    def _put_several(
        self, thing: ast.Phrase, into: Holder | None, manner: int, node: ast.Do, scope: Scope
    ) -> tuple[ir.Steps, Scope]:
        count = how_many(thing.count) if thing.count is not None else -1
        if thing.determiner not in ("all", ""):
            raise flaw(
                "number-of-things",
                f"{quoted(thing.determiner)} does not go with a number",
                thing.span,
                help=f"say `{count} …`",
            )
        if thing.determiner == "all" and count >= 0:
            raise flaw(
                "number-of-things", "`all` does not go with a number", thing.span, help="leave out one of the two"
            )
        tokens = self.members(as_any(replace(thing, count=None)), scope)
        if tokens.var.base != "token":
            raise flaw("wrong-kind", f"{with_article(tokens.var.noun)} is not a token", thing.span)
        self._refuse_into(Typed(tokens.var, "token", tokens.var.noun), into, thing)
        if count >= 0 and not _is_of_one_type(tokens):
            return self._put_one_by_one(replace(thing, determiner="a", count=None), count, into, manner, node, scope)
        return (ir.MoveAll(tokens, count, into, manner, span=node.span),), scope

    def _put_one_by_one(
        self, thing: ast.Phrase, count: int, into: Holder | None, manner: int, node: ast.Do, scope: Scope
    ) -> tuple[ir.Steps, Scope]:
        """Read that so many different things go somewhere: each is chosen."""
        if count > MAX_CHOSEN:
            raise flaw(
                "number-of-things",
                f"{count} things are too many to choose one by one",
                node.span,
                help="say of which type, or `all …`",
            )
        done: list[ir.Order] = []
        for _ in range(count):
            chosen, told = self._choose(thing, self.thing_of(thing).name, node, scope)
            done += [*chosen, ir.MoveToken(told.thing.value, into, manner, span=node.span)]
        return tuple(done), scope

    def _make(self, thing: ast.Phrase, into: Holder | None, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        if into is None or isinstance(into, InPiece):
            raise flaw("wrong-kind", "new things come into a zone", node.span)
        if node.subject is not None:
            raise flaw(
                "says-nothing", "it makes no difference who brings what is new", node.subject.span, help="leave it out"
            )
        others = tuple(word for word in thing.adjectives if word.text != "new")
        of_type = isinstance(thing.head, ast.Word)
        self.nothing_more(replace(thing, count=None), others, thing.modifiers[int(of_type) :])
        if thing.determiner not in ("a", "an", "all", "") or (thing.determiner == "" and thing.count is None):
            raise flaw(
                "number-of-things",
                f"{quoted(thing.span.text)} does not say how many",
                thing.span,
                help="say `a new …`, `all new …` or a number",
            )
        if thing.determiner != "" and thing.count is not None:
            raise flaw(
                "number-of-things",
                f"{quoted(thing.determiner)} does not go with a number",
                thing.span,
                help="leave out one of the two",
            )
        made = self.thing_of(replace(thing, modifiers=(ast.Related("in", thing, span=thing.span),)))
        if made.base != "token":
            raise flaw(
                "wrong-kind", f"no {made.name} comes into a zone", thing.span, help="name the tokens that are made"
            )
        self._refuse_into(Typed(into.of or Const(NOTHING, "token"), "token", made.name), into, thing)
        if isinstance(thing.head, ast.Name):
            document: Value = Const(self._document(thing.head), "document")
            key = self._copies_of(thing.head)
        else:
            of = [mod.phrase for mod in thing.modifiers if isinstance(mod, ast.Related) and mod.preposition == "of"]
            if not of:
                raise flaw("not-definite", "new things are of some type", thing.span, help="say `of …`")
            document = self.of_base(of[0], scope, "document").value
            key = self.thing_of(thing).copies
        count = None if thing.determiner == "all" else self._number_of_new(thing, scope)
        if count is None and not key:
            raise flaw("not-definite", "nothing says how many of them there are", thing.span)
        return (ir.MakeTokens(document, key, count, into, span=node.span),), scope

    def _number_of_new(self, thing: ast.Phrase, scope: Scope) -> Value:
        if thing.count is not None and thing.count.letter is not None:
            return self.number(thing.count.letter, scope)
        count = how_many(thing.count) if thing.count is not None else 1
        if count > MAX_OF_A_KIND:
            raise flaw(
                "number-of-things", f"{count} new things are too many", thing.span, help=f"say at most {MAX_OF_A_KIND}"
            )
        return Const(count, "number")

    def _copies_of(self, name: ast.Name) -> str:
        """Return the number of a document that says how many tokens of it there are, if any does."""
        kind = self.model.ruleset.sheets[self._document(name)].kind
        return next((thing.copies for thing in self.model.things.values() if thing.copies and kind in thing.sheets), "")


def _asks(verb: str, thing: ast.NounPhrase | None) -> bool:
    """Whether a built-in verb leaves it to somebody which thing is meant."""
    return verb in ("put", "take") and thing is not None and is_indefinite(thing) and _is_one(thing)


def _is_one(thing: ast.NounPhrase) -> bool:
    """Whether a phrase is about one thing, so that somebody may choose it."""
    return isinstance(thing, ast.Phrase) and thing.count is None and thing.determiner != "all"


def _is_of_one_type(tokens: Set) -> bool:
    """Whether all tokens of a set are alike, so that it makes no difference which of them are taken."""
    kind = Attribute("document", tokens.var, "document")
    return any(isinstance(one, Compare) and one.how == "==" and one.left == kind for one in tokens.filters)


def rest_of_block(span: Span) -> str:
    """Return the text behind a place, up to the next key or document."""
    text = span.source.text
    ended = re.compile(r"\n(?:---|[a-z ]+: )").search(text, span.end)
    return text[span.end : ended.start() if ended is not None else len(text)]


def _line_from(among: Set) -> Value | None:
    """Return the beginning of the straight line in which all things of a set are; None where they are in none."""
    if isinstance(among.members, Ray):
        return among.members.origin
    return next(
        (one.left for one in among.filters if isinstance(one, Apart) and one.straight and one.right == among.var), None
    )
