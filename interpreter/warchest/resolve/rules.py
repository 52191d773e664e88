"""Sentences of rule blocks: definitions, hooks, permissions and prohibitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.ruleset import AGENT, FIXED, MANNER, THIS, YOU, Definition, Hook, StateRule, Verb
from warchest.ir.values import All, Attribute, Condition, Set, Value, Var
from warchest.resolve.announce import Carrier
from warchest.resolve.becoming import by_a_word
from warchest.resolve.budgets import begins_within, counted, is_left, within
from warchest.resolve.conditions import having_asked, having_said, read_condition, refuse_again
from warchest.resolve.event_patterns import (
    EventRead,
    Guard,
    act_so,
    acts_meant,
    code_of,
    concrete_verbs,
    event_said,
    known_verb,
    params_of,
    read_event,
    read_guard,
    read_pattern,
    roles_of,
    scope_of_text,
    state_scope,
    this_of,
)
from warchest.resolve.field_changes import counted_in
from warchest.resolve.initial_values import beginning, value_of_act
from warchest.resolve.joining import last_of, property_among_rules, with_otherwise
from warchest.resolve.model import FALL
from warchest.resolve.moments import mention_of_act, said_in_definition, said_of_doer
from warchest.resolve.phrase_nouns import mentioned
from warchest.resolve.prohibitions import (
    as_prohibition,
    not_a_rule,
    read_domain,
    read_only,
    read_permission,
    read_prohibition,
)
from warchest.resolve.quantities import names_quantity, refuse_late_change
from warchest.resolve.reach import asked_first, conditional_rule, permitted_by_can
from warchest.resolve.settled import standing_change
from warchest.resolve.step_reader import read_steps
from warchest.resolve.stopping import without_stop
from warchest.resolve.text_reader import TextReader
from warchest.resolve.times import EDGES, hook_at, time_scope
from warchest.resolve.types import Mention, Scope, Typed, flaw
from warchest.resolve.verb_orders import AGAIN
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.words import third_person


def numbered_rules(
    reader: TextReader, sentences: Sequence[ast.Sentence], carrier: Carrier
) -> list[tuple[ast.Sentence, int]]:
    """Return the sentences of a block with their numbers, each `otherwise` joined to its `if`."""
    found: list[tuple[ast.Sentence, int]] = []
    for sentence in sentences:
        if not isinstance(sentence, ast.Otherwise):
            found.append((as_prohibition(reader, sentence), len(found)))
            continue
        if not found or not isinstance(found[-1][0], ast.DefineVerb | ast.HookSentence):
            raise flaw("otherwise-without-if", "there is no `if` before this `otherwise`", sentence.span)
        last, number = found[-1]
        assert isinstance(last, ast.DefineVerb | ast.HookSentence)
        found[-1] = (replace(last, step=with_otherwise(last.step, sentence)), number)
    return found


def read_rule(reader: TextReader, sentence: ast.Sentence, number: int, carrier: Carrier) -> None:
    """Read one sentence of a rule block; raises Flaw if it makes no sense."""
    name = f"{carrier.path}#{number}"
    sentence = without_stop(sentence)
    _refuse_partial_rule(sentence)
    match sentence:
        case ast.DefineVerb():
            _define_verb(reader, sentence, name, carrier)
        case ast.HookSentence(_, ast.Time()):
            read_timed(reader, sentence, name, carrier)
        case ast.HookSentence(_, ast.Turns()):
            _state_rule(reader, sentence, name, carrier)
        case ast.HookSentence():
            _hook(reader, sentence, name, carrier)
        case ast.Normally(ast.Do() as step):
            for verb in acts_meant(reader, [step.verb], step.arguments):
                read_domain(reader, step, verb, None, carrier, sentence.span)
        case ast.Guarded(ast.May() | ast.Limited() as may, word, condition):
            read_permission(reader, may, (word, condition), carrier, sentence.span)
        case ast.May() | ast.Limited(_, ast.May()):
            read_permission(reader, sentence, None, carrier, sentence.span)
        case ast.Guarded(ast.Cannot() as cannot, word, condition):
            read_prohibition(reader, cannot, (word, condition), carrier, sentence.span)
        case ast.Cannot():
            read_prohibition(reader, sentence, None, carrier, sentence.span)
        case ast.Can() | ast.Guarded(ast.Can()):
            raise permitted_by_can(sentence.step if isinstance(sentence, ast.Guarded) else sentence)
        case ast.Only():
            read_only(reader, sentence, carrier)
        case ast.Guarded(ast.Changes()) | ast.Changes():
            _standing(reader, sentence, carrier)
        case ast.DefineIs() | ast.DefineHolds():
            _begun(reader, sentence, carrier)
        case ast.PropertySentence():
            raise property_among_rules(sentence)
        case _:
            raise not_a_rule(sentence)


def _refuse_partial_rule(sentence: ast.Sentence) -> None:
    """Raise Flaw for a rule about only some acts or times: `normally, a unit attacks once a round`."""
    match sentence:
        case ast.Normally(ast.Do(adverbs=(word, *_))) | ast.May(adverbs=(word, *_)):
            message = f"{quoted(word)} has no meaning in a permission"
            raise flaw("says-nothing", message, sentence.span, help="say it where it is done")
        case ast.Guarded(ast.May() | ast.Limited() | ast.Cannot() | ast.Can() | ast.Changes(), "if"):
            raise conditional_rule(sentence)
        case ast.Normally(ast.Limited(limit)) | ast.Limited(limit, ast.Cannot() | ast.Can()):
            message = "a limit on an act needs `cannot` and a subject"
            help = f"say the limit: `a … cannot … more than {limit.span.text}`"
            raise flaw("syntax-error", message, limit.span, help)


# ---- verbs


def _define_verb(reader: TextReader, node: ast.DefineVerb, name: str, carrier: Carrier) -> None:
    number = reader.model.verbs[node.verb.text]
    verb = reader.model.ruleset.verbs[number]
    for one in roles_of(node.arguments):
        if not names_quantity(reader.model, one.phrase):
            _refuse_determiner(reader, one.phrase)
    said = said_in_definition(reader.model, node, verb, carrier.number >= 0)
    scope, (agent, *roles) = way_scope(reader, verb, said.arguments, carrier)
    applies = read_pattern(reader, node.verb, said.arguments, verb, roles, scope, defined=True)
    applies += act_so(reader, said, scope)
    steps, after = read_steps(reader, node.step, scope)
    steps = begins_within(steps)
    if verb.yields:
        steps = (*steps, _yield(reader, verb, scope, after, node.span))
    code = code_of(name, "verb", number, params_of([agent, *roles]), steps, scope.variables, node.span)
    reader.put("definitions", verb, Definition(carrier.number, All(tuple(applies), node.span), code))


def _refuse_determiner(reader: TextReader, phrase: ast.Expression) -> None:
    """Raise Flaw for a role of a definition that is not plainly `a …`."""
    if isinstance(phrase, ast.Pronoun):
        message = f"a verb is not defined of `{phrase.word}` alone"
        raise flaw("not-indefinite", message, phrase.span, help="say with what kind of thing it is said: `to … a …`")
    if not isinstance(phrase, ast.Phrase) or phrase.head.text in reader.model.ruleset.singles:
        return
    plain = ("a", "an", "the") if isinstance(phrase.head, ast.Name) else ("a", "an")
    if phrase.determiner not in plain:
        message = f"{quoted(phrase.span.text)} is not just any {phrase.head.text}"
        raise flaw("not-indefinite", message, phrase.span, help=f"say `{with_article(phrase.head.text)}`")


def way_scope(reader: TextReader, verb: Verb, arguments: ast.Arguments, carrier: Carrier) -> tuple[Scope, list[Typed]]:
    """Return the scope of a definition of a verb, and the agent and the roles."""
    scope, known = scope_of_text(reader, verb, carrier, this_of(carrier))
    if verb.by == "piece":
        scope = replace(scope, this=Typed(Var(THIS, "piece", verb.agent_noun), "piece", verb.agent_noun))
    if verb.by == "game":
        scope = replace(scope, you=None)
    said = {role.word: role.phrase for role in roles_of(arguments)}
    mentions = []
    for role, typed in zip(verb.roles, known[1:], strict=True):
        phrase = said.get(role.word)
        if phrase is not None:
            mentions.append(mentioned(phrase, typed, role.noun))
        elif verb.moment_of < 0:
            mentions.append(Mention(typed, (role.noun,), told=False, implied=True))
    mentions += mention_of_act(reader.model, verb, arguments.span)
    return replace(scope, origin=scope.this).mentioning(*mentions), known


def _yield(reader: TextReader, verb: Verb, before: Scope, after: Scope, span: Span) -> ir.Order:
    """Return the step that yields the thing which a text mentions last; raises Flaw if it mentions no such thing."""
    spoken = _spoken_last(reader, verb, before, after)
    if spoken is None:
        raise flaw("yields-nothing", f"this does not end with {with_article(verb.yields)} to hand back", span)
    return ir.Keep(Var(FIXED, spoken.base, verb.yields), spoken.value, span=span)


def _spoken_last(reader: TextReader, verb: Verb, before: Scope, after: Scope) -> Typed | None:
    """Return the last thing that a text mentions and that a verb could hand back."""
    known = {one.thing.value for one in before.mentions}
    spoken = [
        one.thing
        for one in after.mentions_of(verb.yields, reader.model.narrows)
        if one.told and one.thing.value not in known
    ]
    return spoken[-1] if spoken else None


def _begun(reader: TextReader, sentence: ast.DefineIs | ast.DefineHolds, carrier: Carrier) -> None:
    """Read the initial value of an act; other definitions make rules only where they are used."""
    number = value_of_act(reader.model, sentence.subject)
    if isinstance(sentence, ast.DefineIs) and number >= 0:
        reader.put("beginnings", None, beginning(reader, sentence, number, carrier.number))


def _standing(reader: TextReader, sentence: ast.Guarded | ast.Changes, carrier: Carrier) -> None:
    """Read a standing change of a number, which belongs to `this`, to pieces that are described, or to an act."""
    change = sentence.step if isinstance(sentence, ast.Guarded) else sentence
    guard = (sentence.word, sentence.condition) if isinstance(sentence, ast.Guarded) else None
    assert isinstance(change, ast.Changes)
    reader.put("standing", None, standing_change(reader, change, guard, carrier, sentence.span))


def _hook(reader: TextReader, node: ast.HookSentence, name: str, carrier: Carrier) -> None:
    subject, words, arguments = event_said(node.event)
    _refuse_half(node)
    node = limited_whole(node)
    guards, step = _guards(node)
    step = _done_again(step, words, node.limit is not None)
    refuse_again(reader, words)
    for position, word in enumerate(acts_meant(reader, words, arguments)):
        _refuse_otherwise(reader, word, subject, arguments, node)
        named = known_verb(reader, word)
        event = _answered(reader, word, named, node, carrier)
        scope, this_role, conditions = event.scope, event.this_role, event.conditions
        scope.variables.known += conditions
        for guard in guards:
            conditions.extend(read_guard(reader, guard, scope.from_here(scope.this)))
            scope = having_asked(reader, guard[1], having_said(guard[1], scope))
        inner = scope.from_here(scope.this)
        steps, after, offered = _hook_steps(reader, step, node.instead, inner)
        if node.limit is not None:
            steps, more = _answering(reader, steps, node.limit, node, named, inner)
            conditions.extend(more)
        if node.instead and named.yields and _spoken_last(reader, named, inner, after) is not None:
            steps = (*steps, _yield(reader, named, inner, after, node.span))
        params, number = params_of(event.known), reader.model.verbs[word.text]
        code = code_of(f"{name}.{position}", "hook", number, params, steps, scope.variables, node.span)
        stage = "instead" if node.instead else node.stage
        holds = All(tuple(conditions), node.span)
        concrete = concrete_verbs(reader, named, word)
        asked = None if offered in (None, *_own_sides(scope)) else offered
        hook = Hook(stage, concrete, carrier.number, this_role, holds, offered is not None, asked, code, node.span)  # type: ignore[arg-type]
        refuse_late_change(hook)
        reader.put("hooks", None, hook)


def _answered(reader: TextReader, word: ast.Word, verb: Verb, node: ast.HookSentence, carrier: Carrier) -> EventRead:
    """Read the event that a hook answers."""
    subject, _, arguments = event_said(node.event)
    said = said_of_doer(reader.model, subject, verb, arguments)
    is_this = isinstance(said.subject, ast.Pronoun) and said.subject.word == "this" and carrier.number >= 0
    if verb.built_in and node.stage == "after" and is_this:
        message = "this has gone by then, and cannot answer"
        raise flaw("says-nothing", message, node.event.span, help=f"say `when this {third_person(word.text)}, …`")
    named_here = not isinstance(node.event, ast.IsDone)
    return read_event(reader, word, said, verb, carrier, as_piece=True, named=named_here)


def _refuse_half(node: ast.HookSentence) -> None:
    """Raise Flaw for `would` without `instead`, or the other way round."""
    if isinstance(node.event, ast.Would) != node.instead or (node.instead and node.stage != "when"):
        said = (
            "`would` is for an event that does not happen"
            if not node.instead
            else "an event that happens is not replaced"
        )
        raise flaw("syntax-error", said, node.event.span, help=_both_halves(node))


def _answering(
    reader: TextReader, steps: ir.Steps, limit: ast.Limit, node: ast.HookSentence, verb: Verb, scope: Scope
) -> tuple[ir.Steps, list[Condition]]:
    """Return the steps of a hook with a limit on its answers, and the conditions for that."""
    if verb.built_in and not (node.instead or limit.of_players) and _is_about_this(node.event):
        message = f"{quoted(limit.span.text)} is counted for a piece, which leaves the board here"
        raise flaw("says-nothing", message, limit.span, help=f"say `{limit.span.text} per player`, or leave it out")
    place = counted_in(reader, limit, scope)
    if node.stage == "when":
        return counted(steps, place, limit), [is_left(place, limit)]
    # An act of the game can span the beginning of a round, at which the count is 0 again.
    asked: list[Condition] = [is_left(place, limit)] if verb.by != "game" else []
    return within(steps, place, limit, node.span), asked


def _done_again(step: ast.Statement, words: Sequence[ast.Word], limited: bool) -> ast.Statement:
    """Return the steps of a hook without the `again` after a verb of its event; raises Flaw if they have no limit."""
    match step:
        case ast.StepSequence(steps):
            return replace(step, steps=tuple(_done_again(one, words, limited) for one in steps))
        case ast.Limited():
            return replace(step, step=_done_again(step.step, words, True))
        case ast.Do(verb=verb) | ast.May(verbs=(verb,)) if AGAIN in step.adverbs:
            if verb.text not in [word.text for word in words]:
                return step
            if not limited:
                raise flaw(
                    "syntax-error",
                    f"an act that is done {quoted(AGAIN)} is answered again, without an end",
                    step.span,
                    help="say how often in front: `once a turn, …`, `once a round, …`; or leave "
                    f"{quoted(AGAIN)} out to let it go on",
                )
            return replace(step, adverbs=tuple(word for word in step.adverbs if word != AGAIN))
    return step


def _refuse_otherwise(
    reader: TextReader, word: ast.Word, subject: ast.NounPhrase | None, arguments: ast.Arguments, node: ast.HookSentence
) -> None:
    """Raise Flaw for an event that has words of its own."""
    _refuse_removal(reader, word, arguments, node)
    _refuse_clock(reader, word, subject, node)


def _refuse_removal(reader: TextReader, word: ast.Word, arguments: ast.Arguments, node: ast.HookSentence) -> None:
    """Raise Flaw for the event `remove` of a piece: leaving the board has a word of its own."""
    gone = arguments.object
    if word.text != "remove" or gone is None or reader.model.ruleset.falls < 0:
        return
    falls = f"{gone.span.text} {f'would {FALL}' if isinstance(node.event, ast.Would) else third_person(FALL)}"
    if node.stage == "after" and isinstance(gone, ast.Pronoun) and gone.word == "this":
        falls = f"when {falls}, …"
    raise flaw("undeclared-verb", "a text cannot answer a removal, only a fall", node.event.span, help=f"say `{falls}`")


def _refuse_clock(reader: TextReader, word: ast.Word, subject: ast.NounPhrase | None, node: ast.HookSentence) -> None:
    """Raise Flaw for an event that a turn or a round begins or ends, which has words of its own."""
    what = word.text.removeprefix("begin a ")
    if (what, "starts") not in reader.model.ruleset.times or word.text != f"begin a {what}":
        return
    said = "each turn" if subject is None else f"the turn of {subject.span.text}"
    if isinstance(subject, ast.Pronoun) and subject.word == "you":
        said = "your turn"
    elif isinstance(subject, ast.Phrase) and subject.span.text in ("a player", "any player", "each player"):
        said = "each turn"
    message = f"no rule can be made about {quoted(word.text)}"
    help = f"say `at the start of {said if what == 'turn' else 'the round'}, …`"
    raise flaw("undeclared-verb", message, node.event.span, help)


def _guards(node: ast.HookSentence) -> tuple[list[Guard], ast.Statement]:
    """Return the conditions under which a hook answers, and its steps without them.

    Steps that happen together with an event, or in its place, depend on the state before it: an `if` at the front
    counts as `while`. Conditions of steps before or after an event are evaluated when these are carried out.
    """
    guards = [(node.word, node.condition)] if node.condition is not None else []
    step = node.step
    while node.stage == "when" and (asked := asked_first(step)) is not None:
        guards.append(asked[0])
        step = asked[1]
    inner = last_of(step)
    if node.instead and isinstance(inner, ast.Conditional | ast.Guarded):
        message = "this leaves open the replacement where the condition does not hold"
        help = "put the condition first: `when … would …, if …, … instead`"
        raise flaw("syntax-error", message, inner.span, help)
    return guards, step


def _hook_steps(
    reader: TextReader, step: ast.Statement, instead: bool, scope: Scope
) -> tuple[ir.Steps, Scope, Value | None]:
    """Read the steps of a hook; with `instead`, a leading offer covers them all, and its player is returned, too."""
    steps, after = read_steps(reader, step, scope)
    if instead and len(steps) == 1 and isinstance(steps[0], ir.Offer):
        offer = steps[0]
        if len(offer.options) == 1:
            return offer.options[0], after, offer.decider
        return (ir.Either(offer.options, offer.decider, span=offer.span),), after, offer.decider
    return steps, after, None


def _state_rule(reader: TextReader, node: ast.HookSentence, name: str, carrier: Carrier) -> None:
    event = node.event
    assert isinstance(event, ast.Turns)
    if node.limit is not None:
        message = "a rule about a state applies each time, without a limit"
        help = "leave it out, or answer an event: `once a round, after …, …`"
        raise flaw("syntax-error", message, node.limit.span, help)
    if not isinstance(event.subject, ast.Phrase) or node.stage != "when" or node.instead or node.condition:
        raise flaw("syntax-error", "say `when a … is …, …`", node.span)
    if carrier.number >= 0:
        message = "a consequence of a condition is a rule of the game"
        help = "put it into the game's own rules, or make it follow an event: `after …, …`"
        raise flaw("not-a-definition", message, node.span, help)
    if event.subject.determiner in ("all", "each", "no"):
        help = by_a_word(reader, node) or "ask after the event: `after a … …, if all … are …, …`"
        message = f"`when` says of one thing that it becomes so, and {quoted(event.subject.span.text)} is not one"
        raise flaw("number-of-things", message, event.span, help=help)
    condition = ast.Is(event.subject, False, event.value, span=event.span)
    found = read_condition(reader, condition, state_scope())
    among = getattr(found, "members", None)
    if not isinstance(among, Set):
        raise flaw("syntax-error", "say `when a … is …, …`", event.span)
    var = Var(FIXED, among.var.base, among.var.noun)
    scope = state_scope(event.subject, Typed(var, var.base, var.noun))
    variables = scope.variables
    steps, _ = read_steps(reader, node.step, scope)
    params = (Var(THIS, "piece"), Var(YOU, "player"), Var(MANNER, "manner"), Var(AGENT, "player"), var)
    code = code_of(name, "state", -1, params, steps, variables, node.span)
    reader.put("state_rules", None, StateRule(among, code))


def _own_sides(scope: Scope) -> tuple[Value, ...]:
    """Return the values for the player who decides for the carrier of a text."""
    you = () if scope.you is None else (scope.you,)
    return you if scope.this is None else (*you, Attribute("decider", scope.this.value, "player"))


def _is_about_this(event: ast.EventPhrase) -> bool:
    """Whether `this` acts, or would act, in an event."""
    subject = event.subject if isinstance(event, ast.Happens | ast.Would) else None
    return isinstance(subject, ast.Pronoun) and subject.word == "this"


def limited_whole(node: ast.HookSentence) -> ast.HookSentence:
    """Return a hook whose steps have a limit as a hook with that limit: `after …, once a round, …`."""
    step = node.step
    if node.limit is None and isinstance(step, ast.Limited) and step.limit.span.start <= step.step.span.start:
        return replace(node, limit=step.limit, step=step.step)
    return node


def _both_halves(node: ast.HookSentence) -> str:
    """Return help to use `would` and `instead` for an event, in full if the event is one act."""
    text, event = node.span.one_line, node.event
    if node.stage == "when" and not node.instead:
        return f"say both words: `{text} instead.`, or leave out both"
    if node.stage != "when" or not isinstance(event, ast.Happens) or len(event.verbs) != 1:
        return "say `when … would …, … instead`, or leave out both words"
    said, verb = event.span.one_line, event.verbs[0]
    would = said.replace(f" {verb.span.one_line}", f" would {verb.text}", 1)
    return f"say both words: `{text.replace(said, would, 1)}.`, or leave out both"


def read_timed(reader: TextReader, node: ast.HookSentence, name: str, carrier: Carrier) -> None:
    """Read a sentence about the start or the end of a turn or a round, as a hook on the declared verb."""
    node = limited_whole(node)
    assert isinstance(node.event, ast.Time)
    edge = EDGES[node.stage]
    number, scope, conditions = time_scope(reader, node.event, edge, carrier)
    verb = reader.model.ruleset.verbs[number]
    known = scope_of_text(reader, verb, carrier)[1]
    if node.condition is not None:
        conditions += read_guard(reader, (node.word, node.condition), scope)
        scope = having_asked(reader, node.condition, having_said(node.condition, scope))
    steps, _ = read_steps(reader, node.step, scope)
    if node.limit is not None:
        steps = within(steps, counted_in(reader, node.limit, scope), node.limit, node.span)
    code = code_of(f"{name}.0", "hook", number, params_of(known), steps, scope.variables, node.span)
    hook_at(reader, edge, code, All(tuple(conditions), node.span), carrier.number)
