"""The dozen verbs that are built into the machine; all others are defined by them."""

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
from warchest.resolve.antecedents import PronounTest, nothing_more
from warchest.resolve.conditions import having_named, said_by_role
from warchest.resolve.phrase_nouns import (
    article,
    document_named,
    is_indefinite,
    leaves_open,
    mentioned,
    noun_of,
    thing_of,
)
from warchest.resolve.sets import read_members
from warchest.resolve.sides import chosen_as, refuse_sides
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Mention, Scope, Typed, flaw
from warchest.resolve.value_reader import (
    read_holders,
    read_number,
    read_of_base,
    read_value,
    refuse_one_of,
    unclear_whose,
)
from warchest.source.limits import MAX_OF_A_KIND
from warchest.source.text import Span
from warchest.syntax import ast

_DONE_BY = ("win", "choose", "see", "perform", "swap places")
"""The built-in verbs that take a subject even if no choice is left."""
MAX_CHOSEN = 20
"""The most things of one phrase that are chosen one after another."""
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
    "from": "say the place of a thing after the noun: `a … in …`",
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


def read_built_in(reader: TextReader, node: ast.Do, manner: int, scope: Scope) -> tuple[ir.Steps, Scope]:
    """Read an order with a built-in verb."""
    verb = node.verb.text
    _refuse_idle(reader, node)
    if verb in _CLOCKS:
        return (ir.Clock(_CLOCKS[verb], span=node.span),), scope  # type: ignore[arg-type]
    if verb == "win":
        return _win(reader, node, scope)
    if verb == "swap places":
        return _swap_places(reader, node, scope)
    thing = node.arguments.object
    if thing is None:
        raise flaw("unknown-role", f"{quoted(verb)} needs an object", node.span)
    if verb == "swap":
        return _swap(reader, thing, node, scope)
    if verb == "choose":
        choice, thing_chosen = read_choice(reader, thing, "chosen", node, scope)
        return choice, scope.mentioning(thing_chosen)
    if verb == "see":
        return _see(reader, thing, node, scope)
    if verb == "perform":
        return _perform(reader, thing, node, scope)
    if verb == "remove":
        return _remove(reader, thing, node, scope)
    if verb == "take":
        return _put(reader, thing, None, manner, node, scope)
    return _put_somewhere(reader, thing, manner, node, scope)


def leaves_no_choice(reader: TextReader, verb: ast.Word, node: ast.May) -> bool:
    """Whether a built-in verb needs no subject in an order, so that only an offer with this verb can have a subject."""
    if verb.text in reader.model.verbs or verb.text in _DONE_BY or verb.text in _CLOCKS:
        return False
    return not _asks(verb.text, node.arguments.object)


def _refuse_idle(reader: TextReader, node: ast.Do) -> None:
    """Raise Flaw for a phrase or a subject that makes no difference to a built-in verb."""
    verb = node.verb.text
    takes = _TAKES.get(verb, ("",))
    for word, phrase in said_by_role(reader, node.arguments).items():
        if phrase is not None and word not in takes:
            about = f"`{word} …`" if word else "an object"
            help = f"say `{verb} with …`" if takes == ("with",) else _SAID_OTHERWISE.get(word, "leave it out")
            raise flaw("unknown-role", f"{quoted(verb)} does not take {about}", phrase.span, help=help)
    asks = _asks(verb, node.arguments.object)
    if node.subject is not None and not asks and verb not in _DONE_BY:
        message = f"it makes no difference who does it where {quoted(verb)} leaves no choice"
        raise flaw("says-nothing", message, node.subject.span, help=f"leave it out: `{verb} …`")


def _win(reader: TextReader, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
    fits: PronounTest = lambda one: one.base in ("team", "player")  # noqa: E731
    subject = read_value(reader, node.subject, scope, fits) if node.subject else None
    if subject is None or subject.base not in ("team", "player"):
        raise flaw("wrong-kind", "only a player or a team can win", node.span)
    team = subject.value if subject.base == "team" else Attribute("team", subject.value, "team")
    return (ir.Win(team, span=node.span),), scope


def read_choice(
    reader: TextReader, thing: ast.NounPhrase, key: str, node: ast.Do, scope: Scope
) -> tuple[ir.Steps, Mention]:
    """Read a choice; return its steps with the mention of its result."""
    if not isinstance(thing, ast.Phrase) or not leaves_open(reader, thing, scope):
        refuse_one_of(reader, thing, scope)
        message = f"{quoted(thing.span.text)} leaves nothing to choose"
        raise flaw("not-indefinite", message, thing.span, help="say `a …` or `another …`")
    rest = tuple(word for word in thing.adjectives if word.text != "random")
    by_chance = len(rest) < len(thing.adjectives)
    if by_chance and node.subject is not None:
        raise flaw("says-nothing", "no player makes a random choice", node.subject.span, help="leave it out")
    open_thing = replace(thing, adjectives=rest)
    if node.subject is not None:
        fits: PronounTest = lambda one: one.base in ("player", "piece")  # noqa: E731
        refuse_sides(reader, open_thing, read_value(reader, node.subject, scope, fits), scope)
    elif scope.asked_of is not None and not by_chance:
        refuse_sides(reader, open_thing, Typed(scope.asked_of, "player", "player"), scope)
    among = read_members(reader, open_thing, scope.from_here(scope.this))
    var = scope.variables.new(among.var.base, thing_of(reader, thing).name)
    scope.variables.known += chosen_as(var, among)
    decider = None if by_chance else _chooser(reader, node, scope) if node.subject is not None else asked_player(scope)
    if node.subject is not None and decider is not None:
        scope.variables.chosen_by[var.id] = decider
    key = among.var.noun if key == "chosen" and among.var.base == "direction" else key
    choice = ir.Choose(var, among, decider, key, span=node.span)
    chosen = mentioned(open_thing, Typed(var, var.base, var.noun))
    start = _line_from(among)
    if start is None or not _LINE.search(rest_of_block(node.span)):
        return (choice,), chosen
    # A later move would change the bearing, so the direction is kept now.
    line = scope.variables.new("direction", "direction")
    kept = ir.Keep(line, Bearing(start, var), span=node.span)
    return (choice, kept), replace(chosen, line=(start, line))


def asked_player(scope: Scope) -> Value:
    """Return the player who makes the choices that a text leaves open: the one who gets an offer, or `you`."""
    if scope.asked_of is not None:
        return scope.asked_of
    return scope.you if scope.you is not None else Const(NOTHING, "player")


def scope_of_offer(decider: Value, scope: Scope) -> Scope:
    """Return the scope within an offer to a player, who makes all decisions in it."""
    this = scope.this.value if scope.this is not None else None
    own = decider == scope.you or (this is not None and decider == Attribute("decider", this, "player"))
    return scope if own else replace(scope, asked_of=decider)


def _chooser(reader: TextReader, node: ast.Do, scope: Scope) -> Value:
    if node.subject is not None:
        fits: PronounTest = lambda one: one.base in ("player", "piece")  # noqa: E731
        return controller_of(reader, read_value(reader, node.subject, scope, fits), node.subject.span)
    return scope.you if scope.you is not None else Const(NOTHING, "player")


def controller_of(reader: TextReader, subject: Typed, span: Span) -> Value:
    """Return the player who decides for a piece or a player."""
    if subject.base == "player":
        return subject.value
    if subject.base == "piece":
        return Attribute("decider", subject.value, "player")
    is_act = subject.noun in reader.model.of_acts.values()
    message = f"{article(subject)} cannot be asked"
    raise flaw("wrong-kind", message, span, help="offer it to the agent: `this may …`" if is_act else "")


def _perform(reader: TextReader, thing: ast.NounPhrase, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
    if isinstance(thing, ast.Phrase) and isinstance(thing.head, ast.Word):
        block = thing.head.text
        if any(block in blocks for blocks in reader.model.blocks.values()):
            carrier = _carrier_of(reader, thing, scope)
            return (ir.Perform(block, carrier, _chooser(reader, node, scope), span=node.span),), scope
    raise flaw("wrong-kind", f"{quoted(thing.span.text)} is not a block of a document", thing.span)


def _carrier_of(reader: TextReader, thing: ast.Phrase, scope: Scope) -> Value:
    of = thing.modifiers[0] if thing.modifiers else None
    if isinstance(of, ast.Related) and of.preposition == "of" and thing.determiner == "the":
        nothing_more(thing, thing.adjectives, thing.modifiers[1:])
        return read_of_base(reader, of.phrase, scope, "piece", "token").value
    if thing.determiner == "its":
        nothing_more(thing, thing.adjectives, thing.modifiers)
        return read_of_base(reader, ast.Pronoun("it", span=thing.span), scope, "piece", "token").value
    message = f"{quoted(thing.span.text)} does not say whose"
    raise flaw("no-antecedent", message, thing.span, help=f"say `the {thing.head.text} of …`")


def _see(reader: TextReader, thing: ast.NounPhrase, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
    """Read an order that shows tokens to a player; it changes only the news for that player."""
    if not isinstance(thing, ast.Phrase) or thing.determiner != "all":
        raise flaw(
            "not-indefinite", f"{quoted(thing.span.text)} is not a set of things", thing.span, help="say `all … in …`"
        )
    tokens = read_members(reader, as_any(thing), scope)
    if tokens.var.base != "token":
        message = f"only tokens in a zone can be hidden, not {with_article(tokens.var.noun)}"
        raise flaw("wrong-kind", message, thing.span)
    return (ir.See(tokens, _chooser(reader, node, scope), span=node.span),), scope


def _swap(reader: TextReader, thing: ast.NounPhrase, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
    """Read an order that a piece changes to its other form: `swap this for …`."""
    other = next((role.phrase for role in node.arguments.roles if role.word == "for"), None)
    if other is None:
        raise flaw("unknown-role", "`swap` needs the other form", node.span, help="say `for …`")
    piece = read_of_base(reader, thing, scope, "piece")
    if help := _by_becoming(reader, piece, thing, other):
        raise flaw("wrong-kind", f"{quoted(other.span.text)} is not a form of {article(piece)}", other.span, help)
    form = read_of_base(reader, other, having_named(thing, scope), "document")
    return (ir.SwapForm(piece.value, form.value, span=node.span),), scope


def _by_becoming(reader: TextReader, piece: Typed, thing: ast.NounPhrase, said: ast.Expression) -> str:
    """Return help on an attempt to change the kind of a piece, if it can change; otherwise empty."""
    noun = noun_of(said)
    return f"say `{thing.span.text} becomes {with_article(noun)}`" if reader.model.akin(piece.noun, noun) else ""


def _swap_places(reader: TextReader, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
    """Read an order that a piece, by default `this`, and another one change places."""
    other = next((role.phrase for role in node.arguments.roles if role.word == "with"), None)
    if not isinstance(other, ast.Pronoun | ast.Phrase):
        raise flaw("unknown-role", "`swap places` needs the other piece", node.span, help="say `with …`")
    subject = node.subject if node.subject is not None else ast.Pronoun("this", span=node.verb.span)
    first, chosen = read_of_base(reader, subject, scope, "piece"), tuple[ir.Order, ...]()
    scope = having_named(subject, scope)
    if leaves_open(reader, other, scope):
        within = scope_of_swap(first, scope)
        chosen, told = read_choice(reader, other, "chosen", replace(node, subject=None), within)
        second, scope = told.thing, scope.mentioning(told)
    else:
        second = read_of_base(reader, other, scope, "piece")
    if second.base != "piece":
        raise flaw("wrong-kind", f"{article(second)} does not swap places", other.span, help="name a piece")
    if second.value == first.value:
        raise flaw(
            "says-nothing", f"{quoted(other.span.text)} stands there already", other.span, help="name two pieces"
        )
    return (*chosen, ir.SwapPlaces(first.value, second.value, span=node.span)), scope


def scope_of_swap(piece: Typed, scope: Scope) -> Scope:
    """Return the scope of the phrase for the piece that another one swaps places with."""
    return scope if scope.this is not None and piece.value == scope.this.value else replace(scope, ordered=piece)


def _remove(reader: TextReader, thing: ast.NounPhrase, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
    if isinstance(thing, ast.Phrase) and thing.determiner == "all":
        members = read_members(reader, as_any(thing), scope)
        if members.var.base == "token":
            return (ir.MoveAll(members, -1, None, -1, span=node.span),), scope
    gone = read_of_base(reader, thing, scope, "piece", "token")
    if gone.base == "token":
        return (ir.MoveToken(gone.value, None, ir.INHERITED, span=node.span),), scope
    return (ir.RemovePiece(gone.value, span=node.span),), scope


# ---- putting things somewhere


def _put_somewhere(
    reader: TextReader, thing: ast.NounPhrase, manner: int, node: ast.Do, scope: Scope
) -> tuple[ir.Steps, Scope]:
    roles = {role.word: role.phrase for role in node.arguments.roles}
    if "into" in roles:
        for word in ("onto", "as"):
            if word in roles:
                message = f"a thing that goes into another is not put `{word} …`"
                raise flaw("unknown-role", message, roles[word].span, help="leave out one of the two")
        into = _definite_holder(reader, _place(roles["into"]), scope)
        return _put(reader, thing, into, manner, node, scope)
    return _put_onto(reader, thing, manner, node, scope)


def _put_onto(
    reader: TextReader, thing: ast.NounPhrase, manner: int, node: ast.Do, scope: Scope
) -> tuple[ir.Steps, Scope]:
    """Read an order that a piece goes onto a space, or that a token becomes a piece there."""
    roles = {role.word: role.phrase for role in node.arguments.roles}
    if "onto" not in roles:
        raise flaw("unknown-role", "`put` needs to know where", node.span, help="say `into …` or `onto …`")
    if manner != ir.INHERITED:
        raise flaw("says-nothing", "a thing on a space has no side", node.span, help="leave out the adverb")
    chosen: ir.Steps = ()
    if leaves_open(reader, thing, scope):
        chosen, told = read_choice(reader, thing, thing_of(reader, thing).name, node, scope)  # type: ignore[arg-type]
        typed, scope = told.thing, scope.mentioning(told)
    else:
        typed = read_of_base(reader, thing, scope, "piece", "token")
        scope = having_named(thing, scope)
    space = read_of_base(reader, roles["onto"], scope, "space")
    if typed.base == "piece":
        if "as" in roles:
            message = f"{article(typed)} is on the board already"
            help = _by_becoming(reader, typed, thing, roles["as"]) or "leave out `as …`"
            raise flaw("unknown-role", message, roles["as"].span, help)
        return (*chosen, ir.MovePiece(typed.value, space.value, span=node.span)), scope
    if "as" not in roles:
        message = f"{article(typed)} cannot be on a space"
        raise flaw("wrong-kind", message, thing.span, help="name the piece: `put the … onto the space as a …`")
    raised, piece = _raise(reader, typed, space, roles["as"], node, scope)
    return (*chosen, raised), scope.mentioning(piece)


def _raise(
    reader: TextReader, token: Typed, space: Typed, said: ast.Expression, node: ast.Do, scope: Scope
) -> tuple[ir.Order, Mention]:
    """Read an order that a token becomes a piece: `as a unit`, or `as a unit of that player`."""
    named = isinstance(said, ast.Phrase) and isinstance(said.head, ast.Word) and said.determiner in ("a", "an")
    if not isinstance(said, ast.Phrase) or not named:
        raise flaw("wrong-kind", f"{quoted(said.span.text)} is not a kind of piece", said.span, help="say `as a …`")
    kind = thing_of(reader, said)
    if kind.base != "piece" or not kind.kinds:
        raise flaw("wrong-kind", f"{with_article(kind.name)} is not a piece", said.span)
    of = said.modifiers[0] if said.modifiers else None
    is_owned = isinstance(of, ast.Related) and of.preposition == "of"
    nothing_more(said, said.adjectives, said.modifiers[int(is_owned) :])
    owner: Value = scope.you if kind.owned and scope.you is not None else Const(NOTHING, "player")
    if isinstance(of, ast.Related):
        owner = read_of_base(reader, of.phrase, scope, "player").value
    piece = scope.variables.new("piece", kind.name)
    raised = ir.RaisePiece(token.value, space.value, kind.kinds[0], owner, piece, span=node.span)
    return raised, Mention(Typed(piece, "piece", kind.name), (kind.name,), span=said.span)


def _definite_holder(reader: TextReader, node: ast.NounPhrase, scope: Scope) -> Holder:
    """Read the place that tokens go to; raises Flaw if the owner of that place is left open."""
    holder = read_holders(reader, node, scope)[0]
    if isinstance(holder, InZone) and holder.of is None and reader.model.ruleset.zones[holder.zone].of != "game":
        noun = reader.model.ruleset.zones[holder.zone].name
        raise unclear_whose(node, noun)
    return holder


def _place(node: ast.Expression) -> ast.NounPhrase:
    if isinstance(node, ast.Number | ast.Letter | ast.Total | ast.Amount):
        raise flaw("wrong-kind", f"{quoted(node.span.text)} is no place", node.span)
    return node


def _put(
    reader: TextReader, thing: ast.NounPhrase, into: Holder | None, manner: int, node: ast.Do, scope: Scope
) -> tuple[ir.Steps, Scope]:
    if isinstance(thing, ast.Phrase) and any(word.text == "new" for word in thing.adjectives):
        return _make(reader, thing, into, node, scope)
    if isinstance(thing, ast.Phrase) and (thing.determiner == "all" or thing.count is not None):
        return _put_several(reader, thing, into, manner, node, scope)
    if leaves_open(reader, thing, scope):
        chosen, told = read_choice(reader, thing, thing_of(reader, thing).name, node, scope)  # type: ignore[arg-type]
        if told.thing.base != "token":
            raise flaw("wrong-kind", f"{article(told.thing)} is not a token", thing.span)
        _refuse_into(reader, told.thing, into, thing)
        move = ir.MoveToken(told.thing.value, into, manner, span=node.span)
        return (*chosen, move), scope.mentioning(told)
    token = read_of_base(reader, thing, scope, "token")
    _refuse_into(reader, token, into, thing)
    return (ir.MoveToken(token.value, into, manner, span=node.span),), scope


def _refuse_into(reader: TextReader, token: Typed, into: Holder | None, thing: ast.NounPhrase) -> None:
    """Raise Flaw for a token that is put into a zone for other kinds."""
    known = reader.model.thing(token.noun)
    if not isinstance(into, InZone) or known is None or not known.sheets:
        return
    zone = reader.model.ruleset.zones[into.zone]
    holds = reader.model.thing(zone.holds)
    if holds is not None and set(holds.sheets).isdisjoint(known.sheets):
        message = f"{with_article(token.noun)} does not go into the {zone.name}"
        raise flaw("wrong-kind", message, thing.span, help=f"it holds each {zone.holds}")


def _put_several(
    reader: TextReader, thing: ast.Phrase, into: Holder | None, manner: int, node: ast.Do, scope: Scope
) -> tuple[ir.Steps, Scope]:
    count = how_many(thing.count) if thing.count is not None else -1
    if thing.determiner not in ("all", ""):
        message = f"{quoted(thing.determiner)} does not go with a number"
        raise flaw("number-of-things", message, thing.span, help=f"say `{count} …`")
    if thing.determiner == "all" and count >= 0:
        raise flaw("number-of-things", "`all` does not go with a number", thing.span, help="leave out one of the two")
    tokens = read_members(reader, as_any(replace(thing, count=None)), scope)
    if tokens.var.base != "token":
        raise flaw("wrong-kind", f"{with_article(tokens.var.noun)} is not a token", thing.span)
    _refuse_into(reader, Typed(tokens.var, "token", tokens.var.noun), into, thing)
    if count >= 0 and not _is_of_one_type(tokens):
        return _put_one_by_one(reader, replace(thing, determiner="a", count=None), count, into, manner, node, scope)
    return (ir.MoveAll(tokens, count, into, manner, span=node.span),), scope


def _put_one_by_one(
    reader: TextReader, thing: ast.Phrase, count: int, into: Holder | None, manner: int, node: ast.Do, scope: Scope
) -> tuple[ir.Steps, Scope]:
    """Read an order that moves a number of different things; each is chosen."""
    if count > MAX_CHOSEN:
        message = f"{count} things are too many to choose one by one"
        raise flaw("number-of-things", message, node.span, help="name the type, or say `all …`")
    done: list[ir.Order] = []
    for _ in range(count):
        chosen, told = read_choice(reader, thing, thing_of(reader, thing).name, node, scope)
        done += [*chosen, ir.MoveToken(told.thing.value, into, manner, span=node.span)]
    return tuple(done), scope


def _make(
    reader: TextReader, thing: ast.Phrase, into: Holder | None, node: ast.Do, scope: Scope
) -> tuple[ir.Steps, Scope]:
    if into is None or isinstance(into, InPiece):
        raise flaw("wrong-kind", "new things come into a zone", node.span)
    if node.subject is not None:
        raise flaw(
            "says-nothing", "the subject makes no difference for new things", node.subject.span, help="leave it out"
        )
    others = tuple(word for word in thing.adjectives if word.text != "new")
    of_type = isinstance(thing.head, ast.Word)
    nothing_more(replace(thing, count=None), others, thing.modifiers[int(of_type) :])
    _refuse_number_of_new(thing)
    made = thing_of(reader, replace(thing, modifiers=(ast.Related("in", thing, span=thing.span),)))
    if made.base != "token":
        raise flaw("wrong-kind", f"no {made.name} comes into a zone", thing.span, help="name the tokens that are made")
    _refuse_into(reader, Typed(into.of or Const(NOTHING, "token"), "token", made.name), into, thing)
    if isinstance(thing.head, ast.Name):
        document: Value = Const(document_named(reader, thing.head), "document")
        key = _copies_of(reader, thing.head)
    else:
        of = [mod.phrase for mod in thing.modifiers if isinstance(mod, ast.Related) and mod.preposition == "of"]
        if not of:
            raise flaw("not-definite", "new things are of some type", thing.span, help="say `of …`")
        document = read_of_base(reader, of[0], scope, "document").value
        key = thing_of(reader, thing).copies
    count = None if thing.determiner == "all" else _number_of_new(reader, thing, scope)
    if count is None and not key:
        raise flaw("not-definite", "nothing says how many of them there are", thing.span)
    return (ir.MakeTokens(document, key, count, into, span=node.span),), scope


def _refuse_number_of_new(thing: ast.Phrase) -> None:
    """Raise Flaw for new things whose number is missing, or given twice."""
    if thing.determiner not in ("a", "an", "all", "") or (thing.determiner == "" and thing.count is None):
        message = f"{quoted(thing.span.text)} does not say how many"
        raise flaw("number-of-things", message, thing.span, help="say `a new …`, `all new …` or a number")
    if thing.determiner != "" and thing.count is not None:
        message = f"{quoted(thing.determiner)} does not go with a number"
        raise flaw("number-of-things", message, thing.span, help="leave out one of the two")


def _number_of_new(reader: TextReader, thing: ast.Phrase, scope: Scope) -> Value:
    if thing.count is not None and thing.count.letter is not None:
        return read_number(reader, thing.count.letter, scope)
    count = how_many(thing.count) if thing.count is not None else 1
    if count > MAX_OF_A_KIND:
        raise flaw(
            "number-of-things", f"{count} new things are too many", thing.span, help=f"say at most {MAX_OF_A_KIND}"
        )
    return Const(count, "number")


def _copies_of(reader: TextReader, name: ast.Name) -> str:
    """Return the name of the number on a document for its copies, if it has one."""
    kind = reader.model.ruleset.sheets[document_named(reader, name)].kind
    return next((thing.copies for thing in reader.model.things.values() if thing.copies and kind in thing.sheets), "")


def _asks(verb: str, thing: ast.NounPhrase | None) -> bool:
    """Whether a built-in verb lets a player choose the thing."""
    return verb in ("put", "take") and thing is not None and is_indefinite(thing) and _is_one(thing)


def _is_one(thing: ast.NounPhrase) -> bool:
    """Whether a phrase is about one thing, so that a player may choose it."""
    return isinstance(thing, ast.Phrase) and thing.count is None and thing.determiner != "all"


def _is_of_one_type(tokens: Set) -> bool:
    """Whether all tokens of a set are alike, so that it makes no difference which are taken."""
    kind = Attribute("document", tokens.var, "document")
    return any(isinstance(one, Compare) and one.how == "==" and one.left == kind for one in tokens.filters)


def rest_of_block(span: Span) -> str:
    """Return the text after a place, up to the next key or document."""
    text = span.source.text
    ended = re.compile(r"\n(?:---|[a-z ]+: )").search(text, span.end)
    return text[span.end : ended.start() if ended is not None else len(text)]


def _line_from(among: Set) -> Value | None:
    """Return the beginning of the straight line that has all things of a set; None if there is no line."""
    if isinstance(among.members, Ray):
        return among.members.origin
    return next(
        (one.left for one in among.filters if isinstance(one, Apart) and one.straight and one.right == among.var), None
    )
