"""Sentences of rule blocks: definitions, hooks, permissions and prohibitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.ruleset import (
    AGENT,
    FIXED,
    MANNER,
    THIS,
    YOU,
    Definition,
    Domain,
    Hook,
    Rule,
    StateRule,
    Verb,
)
from warchest.ir.values import All, Attribute, Base, Compare, Condition, FieldOf, Not, Ring, Set, Value, Var
from warchest.resolve.announce import Announcer, Carrier
from warchest.resolve.becoming import by_a_word
from warchest.resolve.budgets import begins_within, count_of, counted, is_left, is_used_up, place_of, within
from warchest.resolve.idle import finished
from warchest.resolve.initial_values import beginning, value_of_act
from warchest.resolve.joining import last_of, with_otherwise
from warchest.resolve.model import FALL, Model
from warchest.resolve.moments import (
    EventSaid,
    mention_of_act,
    refuse_moment,
    said_in_definition,
    said_of_doer,
)
from warchest.resolve.quantities import (
    is_from_nobody,
    names_quantity,
    refuse_late_change,
    source_said,
)
from warchest.resolve.reach import asked_first, conditional_rule, permitted_by_can
from warchest.resolve.reading_cache import Put
from warchest.resolve.settled import number_of, standing_change, standing_scope
from warchest.resolve.step_reader import AGAIN
from warchest.resolve.stopping import without_stop
from warchest.resolve.types import ITSELF, Flaw, Mention, Scope, Typed, Variables, flaw
from warchest.resolve.value_reader import is_indefinite
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.printer import how_often
from warchest.syntax.words import third_person

MOST_VERBS = 8
"""The most verbs of a game that a finding lists."""
_CAUSES = ("against", "for", "by")
"""The prepositions of causes."""


class RuleReader(Announcer):
    """Reads the sentences of rule blocks into the verbs, hooks and state rules of the rule set."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.written: list[Put] = []
        """The rules that were put into the rule set since this was last emptied."""
        self.diverted: list[Put] | None = None
        """The rules that are kept out of the rule set, while a text is only tried; None otherwise."""
        self.spoken_before: tuple[Mention, ...] = ()
        """The things of the steps around it that a rule among steps can refer to."""

    def _say(self, part: str, verb: Verb | None, rule: object) -> None:
        """Put a rule into a list of the rule set, or of a verb."""
        put = part, self.model.verbs[verb.name] if verb is not None else -1, rule
        if self.diverted is not None:
            self.diverted.append(put)
            return
        self.written.append(put)
        self.again(self.written[-1:])

    def again(self, put: Iterable[Put]) -> None:
        """Put rules into the rule set that were put into another one."""
        ruleset = self.model.ruleset
        for part, verb, rule in put:
            getattr(ruleset.verbs[verb] if verb >= 0 else ruleset, part).append(rule)

    def rules(self, sentences: Sequence[ast.Sentence], carrier: Carrier) -> list[tuple[ast.Sentence, int]]:
        """Return the sentences of a block with their numbers, each `otherwise` joined to its `if`."""
        found: list[tuple[ast.Sentence, int]] = []
        for sentence in sentences:
            if not isinstance(sentence, ast.Otherwise):
                found.append((self._forbidding(sentence), len(found)))
                continue
            if not found or not isinstance(found[-1][0], ast.DefineVerb | ast.HookSentence):
                raise flaw("otherwise-without-if", "there is no `if` before this `otherwise`", sentence.span)
            last, number = found[-1]
            assert isinstance(last, ast.DefineVerb | ast.HookSentence)
            found[-1] = (replace(last, step=with_otherwise(last.step, sentence)), number)
        return [(without_stop(sentence), number) for sentence, number in found]

    def _forbidding(self, sentence: ast.Sentence) -> ast.Sentence:
        """Return a prohibition as it is usually said: `no unit can attack this` as `a unit cannot attack this`."""
        if isinstance(sentence, ast.Guarded):
            step = self._forbidding(sentence.step)
            if step is sentence.step or not isinstance(step, ast.Cannot):
                return sentence
            return replace(sentence, step=step)
        limit = sentence.limit if isinstance(sentence, ast.Can) else None
        if isinstance(sentence, ast.Limited) and isinstance(sentence.step, ast.May):
            # `No unit may attack twice a round` leaves it once.
            forbidding = self._forbidding(sentence.step)
            if not isinstance(forbidding, ast.Cannot):
                return sentence
            return replace(forbidding, limit=replace(sentence.limit, times=sentence.limit.times - 1))
        if not isinstance(sentence, ast.Can | ast.May):
            return sentence
        subject = sentence.subject
        if isinstance(subject, ast.Pronoun) and subject.word == "nobody":
            verb = self.model.verb(sentence.verbs[0].text)
            who = "" if verb is None else verb.agent_noun if verb.by == "piece" else verb.by
            if who in ("", "game"):
                return sentence
            subject = ast.Phrase("a", None, (), ast.Word(who, span=subject.span), (), span=subject.span)
        elif isinstance(subject, ast.Phrase) and subject.determiner == "no":
            is_other = bool(subject.adjectives) and subject.adjectives[0].text == "other"
            subject = replace(
                subject, determiner="another" if is_other else "a", adjectives=subject.adjectives[is_other:]
            )
        else:
            return sentence
        return ast.Cannot(subject, sentence.verbs, sentence.arguments, limit, span=sentence.span)

    def rule(self, sentence: ast.Sentence, number: int, carrier: Carrier) -> None:
        """Read one sentence of a rule block; raises Flaw where it makes no sense."""
        name = f"{carrier.path}#{number}"
        self._refuse_partial_rule(sentence)
        match sentence:
            case ast.DefineVerb():
                self._define_verb(sentence, name, carrier)
            case ast.HookSentence(_, ast.Time()):
                self.timed(sentence, name, carrier)
            case ast.HookSentence(_, ast.Turns()):
                self._state_rule(sentence, name, carrier)
            case ast.HookSentence():
                self._hook(sentence, name, carrier)
            case ast.Normally(ast.Do(adverbs=(word, *_))) | ast.May(adverbs=(word, *_)):
                raise flaw(
                    "says-nothing",
                    f"{quoted(word)} says nothing where something is permitted",
                    sentence.span,
                    help="say it where it is done",
                )
            case ast.Normally(ast.Do() as step):
                for verb in self.acts_meant([step.verb], step.arguments):
                    self._domain(step.subject, verb, step.arguments, None, carrier, sentence.span)
            case ast.Guarded(ast.May() | ast.Limited() as may, word, condition):
                self._permit(may, (word, condition), carrier, sentence.span)
            case ast.May() | ast.Limited(_, ast.May()):
                self._permit(sentence, None, carrier, sentence.span)
            case ast.Guarded(ast.Cannot() as cannot, word, condition):
                self._forbid(cannot, (word, condition), carrier, sentence.span)
            case ast.Cannot():
                self._forbid(sentence, None, carrier, sentence.span)
            case ast.Can() | ast.Guarded(ast.Can()):
                raise permitted_by_can(sentence.step if isinstance(sentence, ast.Guarded) else sentence)
            case ast.Only():
                self._only(sentence, carrier)
            case ast.Guarded(ast.Changes()) | ast.Changes():
                self._standing(sentence, carrier)
            case ast.DefineIs() | ast.DefineHolds():
                self._begun(sentence, carrier)
            case ast.PropertySentence():
                raise flaw(
                    "property-among-rules",
                    f"{quoted(sentence.span.text)} is a property, which changes nothing",
                    sentence.span,
                    help="put it into a document that begins `properties: …`",
                )
            case _:
                raise _not_a_rule(sentence)

    def _refuse_partial_rule(self, sentence: ast.Sentence) -> None:
        """Raise Flaw where a rule would be said of some acts or times only: `normally, a unit attacks once a round`."""
        match sentence:
            case ast.Guarded(ast.May() | ast.Limited() | ast.Cannot() | ast.Can() | ast.Changes(), "if"):
                raise conditional_rule(sentence)
            case ast.Normally(ast.Limited(limit)) | ast.Limited(limit, ast.Cannot() | ast.Can()):
                raise flaw(
                    "syntax-error",
                    "how often something is done is said of who cannot do it more often",
                    limit.span,
                    help=f"tell what is too often: `a … cannot … more than {limit.span.text}`",
                )

    # ---- scopes

    def _scope(self, verb: Verb, carrier: Carrier, this: Typed | None) -> tuple[Scope, list[Typed]]:
        """Return the scope of a text about a verb, and the agent and the roles it can speak of."""
        base: Base = "piece" if verb.by == "piece" else "player"
        agent = Typed(Var(AGENT, base, verb.agent_noun), base, verb.agent_noun)
        roles = [
            Typed(Var(FIXED + index, role.base, role.noun), role.base, role.noun)
            for index, role in enumerate(verb.roles)
        ]
        you = Var(YOU, "player", "player")
        variables = Variables(FIXED + len(roles))
        return Scope(variables, this, you, this, carrier.number, self.spoken_before), [agent, *roles]

    def this_of(self, carrier: Carrier, base: Base = "piece") -> Typed | None:
        """Return the thing that `this` means in a text; None where no document carries it."""
        if carrier.number < 0:
            return None
        return Typed(Var(THIS, base, carrier.noun), base, carrier.noun)

    def _params(self, known: list[Typed], this: Base = "piece") -> tuple[Var, ...]:
        fixed = (Var(THIS, this), Var(YOU, "player"), Var(MANNER, "manner"))
        return (*fixed, *(typed.value for typed in known if isinstance(typed.value, Var)))

    def _code(
        self,
        name: str,
        origin: ir.Origin,
        verb: int,
        params: tuple[Var, ...],
        steps: ir.Steps,
        variables: Variables,
        span: Span,
    ) -> ir.Code:
        """Return a piece of code, without variables for shared mentions that nothing takes up."""
        return ir.Code(name, origin, verb, params, finished(steps, variables), variables.used, span)

    # ---- verbs

    def _define_verb(self, node: ast.DefineVerb, name: str, carrier: Carrier) -> None:
        number = self.model.verbs[node.verb.text]
        verb = self.model.ruleset.verbs[number]
        for one in roles_of(node.arguments):
            if not names_quantity(self.model, one.phrase):
                self._refuse_determiner(one.phrase)
        said = said_in_definition(self.model, node, verb, carrier.number >= 0)
        scope, (agent, *roles) = self.way_scope(verb, said.arguments, carrier)
        applies = self.pattern(node.verb, said.arguments, verb, roles, scope, defined=True)
        applies += self.act_so(said, scope)
        steps, after = self.steps(node.step, scope)
        steps = begins_within(steps)
        if verb.yields:
            steps = (*steps, self._yield(verb, scope, after, node.span))
        code = self._code(name, "verb", number, self._params([agent, *roles]), steps, scope.variables, node.span)
        self._say("definitions", verb, Definition(carrier.number, All(tuple(applies), node.span), code))

    def _refuse_it(self, phrase: ast.Expression) -> None:
        """Raise Flaw where a rule begins with `it`: nothing has been spoken of there."""
        if isinstance(phrase, ast.Pronoun) and phrase.word == "it" and not self.spoken_before:
            raise flaw(
                "no-antecedent",
                "nothing was spoken of that `it` could take up",
                phrase.span,
                help="say `this`, or of what kind of thing it is: `a …`",
            )

    def _refuse_determiner(self, phrase: ast.Expression) -> None:
        """Raise Flaw for a role of a definition that is not plainly `a …`."""
        if isinstance(phrase, ast.Pronoun):
            raise flaw(
                "not-indefinite",
                f"a verb is not defined of `{phrase.word}` alone",
                phrase.span,
                help="say with what kind of thing it is said: `to … a …`",
            )
        if not isinstance(phrase, ast.Phrase) or phrase.head.text in self.model.ruleset.singles:
            return
        plain = ("a", "an", "the") if isinstance(phrase.head, ast.Name) else ("a", "an")
        if phrase.determiner not in plain:
            raise flaw(
                "not-indefinite",
                f"{quoted(phrase.span.text)} is not just any {phrase.head.text}",
                phrase.span,
                help=f"say `{with_article(phrase.head.text)}`",
            )

    def act_so(self, said: EventSaid, scope: Scope) -> list[Condition]:
        """Return the conditions on an act in the phrase for it: `a dark attack`."""
        return [self.condition(one, scope) for one in said.about]

    def way_scope(self, verb: Verb, arguments: ast.Arguments, carrier: Carrier) -> tuple[Scope, list[Typed]]:
        """Return the scope of a definition of a verb, and the agent and the roles."""
        scope, known = self._scope(verb, carrier, self.this_of(carrier))
        if verb.by == "piece":
            scope = replace(scope, this=Typed(Var(THIS, "piece", verb.agent_noun), "piece", verb.agent_noun))
        if verb.by == "game":
            scope = replace(scope, you=None)
        said = {role.word: role.phrase for role in roles_of(arguments)}
        mentions = []
        for role, typed in zip(verb.roles, known[1:], strict=True):
            phrase = said.get(role.word)
            if phrase is not None:
                mentions.append(self.mentioned(phrase, typed, role.noun))
            elif verb.moment_of < 0:
                mentions.append(Mention(typed, (role.noun,), told=False, implied=True))
        mentions += mention_of_act(self.model, verb, arguments.span)
        return replace(scope, origin=scope.this).mentioning(*mentions), known

    def _yield(self, verb: Verb, before: Scope, after: Scope, span: Span) -> ir.Order:
        """Hand back the thing that a text speaks of last, in place of the role that it fills for the caller."""
        spoken = self._spoken_last(verb, before, after)
        if spoken is None:
            raise flaw("yields-nothing", f"this does not end with {with_article(verb.yields)} to hand back", span)
        return ir.Keep(Var(FIXED, spoken.base, verb.yields), spoken.value, span=span)

    def _spoken_last(self, verb: Verb, before: Scope, after: Scope) -> Typed | None:
        """Return the last thing that a text has spoken of and that a verb could hand back."""
        known = {one.thing.value for one in before.mentions}
        spoken = [
            one.thing
            for one in after.mentions_of(verb.yields, self.model.narrows)
            if one.told and one.thing.value not in known
        ]
        return spoken[-1] if spoken else None

    def pattern(
        self,
        word: ast.Word,
        arguments: ast.Arguments,
        verb: Verb,
        roles: list[Typed],
        scope: Scope,
        *,
        causes: bool = False,
        this_role: int = -1,
        actor: Typed | None = None,
        defined: bool = False,
    ) -> list[Condition]:
        """Read the phrases a verb is said with as conditions on its roles, and on the cause of the act.

        `actor` is the one who acts, where a text on a card speaks of somebody else; `defined`: they define the verb.
        """
        found: list[Condition] = []
        said = self.said_by_role(arguments)
        self.single_said(word, said, word.span)
        for index, (role, typed) in enumerate(zip(verb.roles, roles, strict=True)):
            phrase = said.pop(role.word, None)
            said_this = isinstance(phrase, ast.Pronoun) and phrase.word == "this"
            if phrase is None or (said_this and index + 1 == this_role) or self.of_any_amount(phrase, role):
                continue
            so_far = scope.before(*roles[index:])
            self.take_note(phrase, actor, role.noun)
            found += () if defined else source_said(phrase, verb, role, typed)
            if is_from_nobody(phrase, verb, role):
                continue
            if isinstance(phrase, ast.Phrase) and is_indefinite(phrase):
                found.extend(self.fits(phrase, typed, self.for_role(so_far, role, actor)))
            else:
                self._refuse_it(phrase)
                value = self.value(phrase, so_far, lambda one, r=role: self._can_fill(one, r))  # type: ignore[misc]
                self._refuse_other(value, role, phrase)
                found.append(Compare("==", typed.value, value.value, phrase.span))
        by = [cause for preposition in _CAUSES if causes and (cause := said.pop(preposition, None)) is not None]
        if len(by) > 1 and isinstance(by[0], ast.Phrase) and not self._is_an_act(by[1]):
            by = [self._act_of(by[0], by[1])]
        if len(by) > 1:
            # Of two a reader takes the one behind to tell of the one before it.
            raise flaw(
                "unknown-role", "what brings this about is said twice", by[1].span, help="leave out one of the two"
            )
        found += [self.caused_by(cause, verb, scope) for cause in by]
        self.nothing_left(word, said)
        return found

    def _is_an_act(self, phrase: ast.Expression) -> bool:
        """Whether a phrase names an act, or is none for a thing that is known."""
        noun = phrase.head.text if isinstance(phrase, ast.Phrase) else ""
        return noun in self.model.verb_nouns or is_indefinite(phrase) or isinstance(phrase, ast.Name)

    def _act_of(self, act: ast.Phrase, doer: ast.Expression) -> ast.Phrase:
        """Return the phrase for an act of somebody: `an attack by this` is `the attack of this`."""
        if act.determiner not in ("a", "an") or act.modifiers or not isinstance(doer, ast.Pronoun | ast.Phrase):
            raise flaw(
                "unknown-role",
                "what brings this about is said twice",
                doer.span,
                help=f"say whose act it is: `the {act.head.text} of …`",
            )
        return replace(act, determiner="the", modifiers=(ast.Related("of", doer, span=doer.span),))

    # ---- the things that a text about an event speaks of

    def _this_role(self, subject: ast.NounPhrase | None, arguments: ast.Arguments, verb: Verb) -> int:
        """Return the number of the role that `this` is in the pattern: 0 for the agent, then the roles; -1 for none."""
        if isinstance(subject, ast.Pronoun) and subject.word == "this":
            return 0
        said = {"": arguments.object, **{role.word: role.phrase for role in arguments.roles}}
        for index, role in enumerate(verb.roles):
            phrase = said.get(role.word)
            if isinstance(phrase, ast.Pronoun) and phrase.word == "this":
                return index + 1
        return -1

    def event_scope(
        self,
        subject: ast.NounPhrase | None,
        arguments: ast.Arguments,
        verb: Verb,
        carrier: Carrier,
        *,
        as_piece: bool = False,
    ) -> tuple[Scope, list[Typed], int]:
        """Return the scope of a rule or hook about a verb, the agent and roles, and the role of `this`.

        With `as_piece`, a rule about a token as `this` is about the piece that it becomes, or stays.
        """
        this_role = self._this_role(subject, arguments, verb)
        if this_role >= 0 and carrier.number < 0:
            raise flaw(
                "no-antecedent",
                "`this` is nothing here, because no document carries this text",
                (subject or arguments).span,
            )
        base: Base = "piece"
        if this_role > 0 and not as_piece:
            base = verb.roles[this_role - 1].base
        scope, known = self._scope(verb, carrier, self.this_of(carrier, base))
        said = {role.word: role.phrase for role in roles_of(arguments)}
        mentions = []
        if this_role != 0 and isinstance(subject, ast.Phrase) and is_indefinite(subject):
            mentions.append(self.mentioned(subject, known[0], verb.agent_noun))
        for index, role in enumerate(verb.roles, 1):
            phrase = said.get(role.word)
            if phrase is None:
                if verb.moment_of < 0:
                    mentions.append(Mention(known[index], (role.noun,), told=False, implied=True))
            elif index != this_role and isinstance(phrase, ast.Phrase) and is_indefinite(phrase):
                mentions.append(self.mentioned(phrase, known[index], role.noun))
        mentions += mention_of_act(self.model, verb, arguments.span)
        if this_role >= 0 and scope.this is not None:
            spoken = subject if this_role == 0 else said[verb.roles[this_role - 1].word]
            mentions.append(Mention(scope.this, (), span=(spoken or arguments).span))
        return scope.mentioning(*mentions), known, this_role

    def _refuse_player(self, subject: ast.NounPhrase | None, verb: Verb, limit: ast.Limit | None) -> None:
        """Raise Flaw for a rule that forbids players an act of pieces."""
        if verb.by != "piece" or not isinstance(subject, ast.Phrase) or isinstance(subject.head, ast.Name):
            return
        known = self.model.thing(subject.head.text)
        if known is None or known.base != "player":
            return
        often = f" more than {how_often(limit.times)} a {limit.per} per player" if limit is not None else ""
        raise flaw(
            "wrong-kind",
            f"a player does not {quoted(verb.name)}",
            subject.span,
            help=f"say it of the pieces: `{with_article(verb.agent_noun or 'piece')} cannot {verb.name}{often}`",
        )

    def subject_fits(
        self, subject: ast.NounPhrase | None, agent: Typed, verb: Verb, carrier: Carrier, scope: Scope
    ) -> list[Condition]:
        """Read the subject as conditions on the agent; in a text on a card `you` is the owner of the card."""
        if subject is None:
            return []
        scope = replace(scope, mentions=self.spoken_before)
        if isinstance(subject, ast.Phrase) and is_indefinite(subject):
            return self.fits(subject, agent, scope.from_here(scope.this))
        self._refuse_it(subject)
        who = self.value(subject, scope)
        if not self._can_do(who, verb) and not self.model.akin(who.noun, verb.agent_noun):
            doer = with_article(verb.agent_noun or "piece" if verb.by == "piece" else verb.by)
            raise flaw(
                "wrong-kind", f"{quoted(subject.span.text)} never does this", subject.span, help=f"it is done by {doer}"
            )
        if (isinstance(subject, ast.Pronoun) and (subject.word == "this" or carrier.number < 0)) or verb.by == "game":
            return []
        return [Compare("==", agent.value, who.value, subject.span)]

    def guarded(self, guard: tuple[str, ast.Proposition] | None, scope: Scope) -> list[Condition]:
        """Read the condition behind `while` or `unless`, if there is one."""
        if guard is None:
            return []
        word, condition = guard
        read = self.condition(condition, scope)
        if isinstance(read, All) and not read.conditions:
            raise flaw(
                "says-nothing", f"{quoted(condition.span.text)} is always so", condition.span, help="leave it out"
            )
        return [Not(read, condition.span) if word == "unless" else read]

    # ---- permissions and prohibitions

    def _domain(
        self,
        subject: ast.NounPhrase | None,
        word: ast.Word,
        arguments: ast.Arguments,
        guard: tuple[str, ast.Proposition] | None,
        carrier: Carrier,
        span: Span,
        limit: ast.Limit | None = None,
    ) -> None:
        verb = self.known_verb(word)
        refuse_moment(self.model, verb, span)
        scope, (agent, *roles), this_role = self.event_scope(subject, arguments, verb, carrier)
        applies = [*self.subject_fits(subject, agent, verb, carrier, scope), *self.guarded(guard, scope)]
        scope = _measured_from(agent, scope, itself=this_role == 0)
        if limit is not None:
            _refuse_count_of_any(subject, agent, limit)
            about = self.pattern(
                word, arguments, verb, roles, scope, this_role=this_role, actor=self.actor_of(subject, agent, scope)
            )
            told = Rule(carrier.number, this_role, All((*applies, *about), span), span)
            applies.append(is_left(self._count_acts(verb, told, agent, limit), limit))
        said = self.said_by_role(arguments)
        self.single_said(word, said, span)
        found = False
        for index, role in enumerate(verb.roles):
            phrase = said.pop(role.word, None)
            if phrase is None or index + 1 == this_role or self._says_nothing(phrase, role.noun):
                continue
            so_far, actor = scope.before(*roles[index:]), self.actor_of(subject, agent, scope)
            if actor is not None:
                scope.variables.known[:] = applies
                self.refuse_sides(phrase, actor, so_far, role.noun)
            self.take_note(phrase, actor, role.noun)
            among = self._among(phrase, roles[index], self.for_role(so_far, role, actor))
            self._refuse_other(Typed(among.var, among.var.base, self.noun_of_set(phrase, among)), role, phrase)
            self._say("domains", verb, Domain(carrier.number, this_role, All(tuple(applies), span), index, among, span))
            found = True
        self.nothing_left(word, said)
        if not found:
            raise self._permits_nothing(subject, word, verb, span, limit)

    def _permits_nothing(
        self, subject: ast.NounPhrase | None, word: ast.Word, verb: Verb, span: Span, limit: ast.Limit | None
    ) -> Flaw:
        """Return the flaw of a permission that names none of the things of its act."""
        free = [f"{role.word} a … {role.noun}".strip() for role in verb.roles]
        help = f"say it, as in `{word.text} {free[0]}`" if free else "leave the sentence out"
        if limit is not None:
            who = subject.span.text if subject is not None else "a …"
            help = f"say `{who} cannot {word.text} more than {how_often(limit.times)} a {limit.per}`"
        return flaw("permits-nothing", f"this does not say with what one may {quoted(word.text)}", span, help=help)

    def _among(self, phrase: ast.Expression, role: Typed, scope: Scope) -> Set:
        if isinstance(phrase, ast.Phrase) and is_indefinite(phrase):
            return self.members(phrase, scope)
        typed = self.value(phrase, scope)
        if typed.base != "space" or role.base != "space":
            raise flaw("not-indefinite", f"{quoted(phrase.span.text)} leaves no choice", phrase.span, help="say `a …`")
        var, inner = scope.member("space", "space", phrase.span)
        narrow = ast.Word(role.noun, span=phrase.span)
        filters = self.is_called(narrow, Typed(var, "space", "space"), inner)
        return Set(var, Ring(0, 0, typed.value), tuple(filters), phrase.span)

    def _permit(
        self, said: ast.Statement, guard: tuple[str, ast.Proposition] | None, carrier: Carrier, span: Span
    ) -> None:
        may = said.step if isinstance(said, ast.Limited) else said
        if not isinstance(may, ast.May):
            raise _not_a_rule(said)
        for word in self.acts_meant(may.verbs, may.arguments):
            self._domain(
                may.subject,
                word,
                may.arguments,
                guard,
                carrier,
                span,
                said.limit if isinstance(said, ast.Limited) else None,
            )

    def _counted_for(self, limit: ast.Limit, agent: Typed) -> FieldOf:
        """Return the field in which the acts of a piece or a player are counted."""
        if limit.of_players and agent.base == "piece":
            agent = Typed(Attribute("decider", agent.value, "player"), "player", "player")
        return place_of(self.model, limit, agent)

    def _count_acts(self, verb: Verb, rule: Rule, agent: Typed, limit: ast.Limit) -> FieldOf:
        """Let the acts be counted that a rule is about, all kinds of a verb; return the field that counts them."""
        place = self._counted_for(limit, agent)
        for number in verb.kinds or (self.model.verbs[verb.name],):
            kind = self.model.ruleset.verbs[number]
            self._say("counts", kind, count_of(kind, rule, place, limit))
        return place

    def _forbid(
        self, cannot: ast.Cannot, guard: tuple[str, ast.Proposition] | None, carrier: Carrier, span: Span
    ) -> None:
        if cannot.limit is not None and len(cannot.verbs) > 1:
            raise flaw(
                "unclear-reach",
                f"{quoted(cannot.limit.span.text)} could be counted for each of these acts, or "
                "for all of them together",
                cannot.limit.span,
                help="say it of each in a sentence of its own: `… cannot … more than …`",
            )
        self.refuse_again(cannot.verbs)
        for word in cannot.verbs:
            self._prohibition(
                cannot.subject,
                word,
                cannot.arguments,
                lambda _, scope: self.guarded(guard, scope),
                carrier,
                span,
                limit=cannot.limit,
            )

    def _begun(self, sentence: ast.DefineIs | ast.DefineHolds, carrier: Carrier) -> None:
        """Read the value that an act begins with; other definitions make rules only where they are used."""
        number = value_of_act(self.model, sentence.subject)
        if isinstance(sentence, ast.DefineIs) and number >= 0:
            self._say("beginnings", None, beginning(self, sentence, number, carrier.number))

    def _standing(self, sentence: ast.Guarded | ast.Changes, carrier: Carrier) -> None:
        """Read that a number of `this`, of the pieces described, or of an act is more or less than the texts settle."""
        change = sentence.step if isinstance(sentence, ast.Guarded) else sentence
        guard = (sentence.word, sentence.condition) if isinstance(sentence, ast.Guarded) else None
        assert isinstance(change, ast.Changes)
        read = standing_change(
            self, change, self.this_of(carrier), carrier, sentence.span, lambda scope: self.guarded(guard, scope)
        )
        self._say("standing", None, read)

    def standing_of(self, subject: ast.NounPhrase, carrier: Carrier) -> tuple[list[Condition], Typed, Scope]:
        """Return the conditions on the pieces whose number changes, the number, and the scope behind that."""
        return number_of(self, subject, self.standing_scope(carrier))

    def standing_scope(self, carrier: Carrier) -> Scope:
        """Return the scope of a standing change."""
        return standing_scope(self.this_of(carrier), carrier)

    def _only(self, node: ast.Only, carrier: Carrier) -> None:
        def outside(verb: Verb, scope: Scope) -> list[Condition]:
            if node.by is not None:
                return [Not(self.caused_by(node.by, verb, scope), node.by.span)]
            assert node.condition is not None
            word = "unless" if node.word == "while" else "while"
            return self.guarded((word, node.condition), scope)

        named = node.by.head.text if isinstance(node.by, ast.Phrase) else ""
        own = self.model.verb_nouns.get(named, -1)
        self._prohibition(node.subject, node.verb, node.arguments, outside, carrier, node.span, own)

    def _prohibition(  # type: ignore[no-untyped-def]
        self, subject, word, arguments, guard, carrier, span, but=-1, limit: ast.Limit | None = None
    ) -> None:
        named = self.known_verb(word)
        if named.built_in:
            who = subject.span.text if subject is not None else "this"
            raise flaw(
                "not-a-definition",
                f"this leaves open what becomes of what would {quoted(word.text)}",
                span,
                help=f"say what happens in its place: `when {who} would {word.text}, … instead`",
            )
        numbers = named.kinds if named.kinds else (self.model.verbs[word.text],)
        # An act that is done only by an act of its own kind is done by that one, too.
        for number in [one for one in numbers if one != but or len(numbers) == 1]:
            verb = self.model.ruleset.verbs[number]
            said = said_of_doer(self.model, subject, verb, arguments)
            who = said.subject
            self._refuse_player(who, verb, limit)
            scope, (agent, *roles), this_role = self.event_scope(who, said.arguments, verb, carrier)
            found = self.subject_fits(who, agent, verb, carrier, scope)
            around = _measured_from(agent, scope, itself=this_role == 0)
            found.extend(
                self.pattern(
                    word,
                    said.arguments,
                    verb,
                    roles,
                    around,
                    causes=True,
                    this_role=this_role,
                    actor=self.actor_of(who, agent, scope),
                )
            )
            found.extend(self.act_so(said, around))
            told = Rule(carrier.number, this_role, All(tuple(found), span), span)
            found.extend(guard(verb, around))
            if limit is not None:
                place = self._counted_for(limit, agent)
                self._say("counts", verb, count_of(verb, told, place, limit))
                found.append(is_used_up(place, limit))
            self._say("forbidden", verb, Rule(carrier.number, this_role, All(tuple(found), span), span))

    def acts_meant(self, words: Sequence[ast.Word], arguments: ast.Arguments) -> list[ast.Word]:
        """Return the verbs of an event: a name for acts that is said with parts of these is each of them."""
        if arguments.object is None and all(role.word in _CAUSES for role in arguments.roles):
            return [*words]
        said = [(word, self.model.verb(word.text)) for word in words]
        return [
            one
            for word, verb in said
            for one in (
                [ast.Word(self.model.ruleset.verbs[kind].name, span=word.span) for kind in verb.kinds]
                if verb is not None and verb.is_name
                else [word]
            )
        ]

    def known_verb(self, word: ast.Word) -> Verb:
        """Return the verb of the game that a rule is about; raises Flaw."""
        verb = self.model.verb(word.text)
        if verb is None:
            raise flaw(
                "undeclared-verb",
                f"no rule can be made about {quoted(word.text)}",
                word.span,
                help=f"rules are about the verbs of the game: {self._some_verbs()}",
            )
        return verb

    def _some_verbs(self) -> str:
        """Return some of the verbs of the game that its pieces and players do, as a text lists them."""
        names = [verb.name for verb in self.model.ruleset.verbs if verb.by != "game" and not verb.built_in]
        shown = [f"`{name}`" for name in names[:MOST_VERBS]]
        return ", ".join([*shown, "…"] if len(names) > MOST_VERBS else shown)

    # ---- hooks

    def timed(self, node: ast.HookSentence, name: str, carrier: Carrier) -> None:
        """Read what happens at the start or the end of a turn or a round."""
        raise NotImplementedError

    def _hook(self, node: ast.HookSentence, name: str, carrier: Carrier) -> None:
        subject, words, arguments = self.event(node.event)
        self._refuse_half(node)
        node = limited_whole(node)
        guards, step = self._guards(node)
        step = self._done_again(step, words, node.limit is not None)
        self.refuse_again(words)
        for position, word in enumerate(self.acts_meant(words, arguments)):
            self._refuse_otherwise(word, subject, arguments, node)
            named = self.known_verb(word)
            scope, known, this_role, conditions = self._answered(word, named, node, carrier)
            scope.variables.known += conditions
            for guard in guards:
                conditions.extend(self.guarded(guard, scope.from_here(scope.this)))
                scope = self.having_asked(guard[1], self.having_said(guard[1], scope))
            inner = scope.from_here(scope.this)
            steps, after, offered = self._hook_steps(step, node.instead, inner)
            if node.limit is not None:
                steps, more = self._answering(steps, node.limit, node, named, inner)
                conditions.extend(more)
            if node.instead and named.yields and self._spoken_last(named, inner, after) is not None:
                steps = (*steps, self._yield(named, inner, after, node.span))
            code = self._code(
                f"{name}.{position}",
                "hook",
                self.model.verbs[word.text],
                self._params(known),
                steps,
                scope.variables,
                node.span,
            )
            stage = "instead" if node.instead else node.stage
            holds = All(tuple(conditions), node.span)
            concrete = self._concrete(named, word)
            asked = None if offered in (None, *_own_sides(scope)) else offered
            hook = Hook(stage, concrete, carrier.number, this_role, holds, offered is not None, asked, code, node.span)  # type: ignore[arg-type]
            refuse_late_change(hook)
            self._say("hooks", None, hook)

    def _answered(
        self, word: ast.Word, verb: Verb, node: ast.HookSentence, carrier: Carrier
    ) -> tuple[Scope, list[Typed], int, list[Condition]]:
        """Return the scope of a hook on an event, the agent and roles, the role of `this`, and the conditions on them."""
        subject, _, arguments = self.event(node.event)
        said = said_of_doer(self.model, subject, verb, arguments)
        scope, known, this_role = self.event_scope(said.subject, said.arguments, verb, carrier, as_piece=True)
        agent, *roles = known
        if verb.built_in and node.stage == "after" and this_role == 0:
            raise flaw(
                "says-nothing",
                "this has gone by then, and cannot answer",
                node.event.span,
                help=f"say `when this {third_person(word.text)}, …`",
            )
        found = self.subject_fits(said.subject, agent, verb, carrier, scope)
        named_here = not isinstance(node.event, ast.IsDone)
        around = _measured_from(agent, scope, named=named_here, itself=this_role == 0)
        found += self.pattern(
            word,
            said.arguments,
            verb,
            roles,
            around,
            causes=True,
            this_role=this_role,
            actor=self.actor_of(said.subject, agent, scope),
        )
        return scope, known, this_role, [*found, *self.act_so(said, around)]

    def _refuse_half(self, node: ast.HookSentence) -> None:
        """Raise Flaw where only one of `would` and `instead` is said."""
        if isinstance(node.event, ast.Would) != node.instead or (node.instead and node.stage != "when"):
            said = "`would` says what does not happen" if not node.instead else "what happens is not replaced"
            raise flaw("syntax-error", said, node.event.span, help=_both_halves(node))

    def _answering(
        self, steps: ir.Steps, limit: ast.Limit, node: ast.HookSentence, verb: Verb, scope: Scope
    ) -> tuple[ir.Steps, list[Condition]]:
        """Return the steps of a hook that is answered so often, and the conditions of that."""
        if verb.built_in and not (node.instead or limit.of_players) and _is_about_this(node.event):
            raise flaw(
                "says-nothing",
                f"{quoted(limit.span.text)} is counted for a piece, which leaves the board here",
                limit.span,
                help=f"say `{limit.span.text} per player`, or leave it out",
            )
        place = self.counted_in(limit, scope)
        if node.stage == "when":
            return counted(steps, place, limit), [is_left(place, limit)]
        # An act of the game can span the beginning of a round, at which the count is 0 again.
        asked: list[Condition] = [is_left(place, limit)] if verb.by != "game" else []
        return within(steps, place, limit, node.span), asked

    def _done_again(self, step: ast.Statement, words: Sequence[ast.Word], limited: bool) -> ast.Statement:
        """Return the steps of a hook without `again` behind a verb of its event; raises Flaw without a limit."""
        match step:
            case ast.StepSequence(steps):
                return replace(step, steps=tuple(self._done_again(one, words, limited) for one in steps))
            case ast.Limited():
                return replace(step, step=self._done_again(step.step, words, True))
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
        self, word: ast.Word, subject: ast.NounPhrase | None, arguments: ast.Arguments, node: ast.HookSentence
    ) -> None:
        """Raise Flaw for an event that has words of its own."""
        self._refuse_removal(word, arguments, node)
        self._refuse_clock(word, subject, node)

    def _refuse_removal(self, word: ast.Word, arguments: ast.Arguments, node: ast.HookSentence) -> None:
        """Raise Flaw where an event says `remove` of a piece: that it leaves the board has a word of its own."""
        gone = arguments.object
        if word.text != "remove" or gone is None or self.model.ruleset.falls < 0:
            return
        falls = f"{gone.span.text} {f'would {FALL}' if isinstance(node.event, ast.Would) else third_person(FALL)}"
        if node.stage == "after" and isinstance(gone, ast.Pronoun) and gone.word == "this":
            falls = f"when {falls}, …"
        raise flaw(
            "undeclared-verb", "a text cannot answer a removal, only a fall", node.event.span, help=f"say `{falls}`"
        )

    def _refuse_clock(self, word: ast.Word, subject: ast.NounPhrase | None, node: ast.HookSentence) -> None:
        """Raise Flaw where an event says that a turn or a round begins: that has words of its own."""
        what = word.text.removeprefix("begin a ")
        if (what, "starts") not in self.model.ruleset.times or word.text != f"begin a {what}":
            return
        said = "each turn" if subject is None else f"the turn of {subject.span.text}"
        if isinstance(subject, ast.Pronoun) and subject.word == "you":
            said = "your turn"
        elif isinstance(subject, ast.Phrase) and subject.span.text in ("a player", "any player", "each player"):
            said = "each turn"
        raise flaw(
            "undeclared-verb",
            f"no rule can be made about {quoted(word.text)}",
            node.event.span,
            help=f"say `at the start of {said if what == 'turn' else 'the round'}, …`",
        )

    def _guards(self, node: ast.HookSentence) -> tuple[list[tuple[str, ast.Proposition]], ast.Statement]:
        """Return the conditions under which a hook answers, and its steps without them.

        Steps that happen together with an event, or in its place, hang on the state before it: an `if` in front counts
        as `while`. Steps before or after an event ask when they are carried out.
        """
        guards = [(node.word, node.condition)] if node.condition is not None else []
        step = node.step
        while node.stage == "when" and (asked := asked_first(step)) is not None:
            guards.append(asked[0])
            step = asked[1]
        inner = last_of(step)
        if node.instead and isinstance(inner, ast.Conditional | ast.Guarded):
            raise flaw(
                "syntax-error",
                "this leaves open what happens instead where the condition is not so",
                inner.span,
                help="put the condition first: `when … would …, if …, … instead`",
            )
        return guards, step

    def _concrete(self, verb: Verb, word: ast.Word) -> tuple[int, ...]:
        return verb.kinds or (self.model.verbs[word.text],)

    def event(self, event: ast.EventPhrase) -> tuple[ast.NounPhrase | None, tuple[ast.Word, ...], ast.Arguments]:
        """Return the subject, the verbs and the arguments of an event; raises Flaw for anything else."""
        match event:
            case ast.Happens(subject, verbs, arguments):
                return subject, verbs, arguments
            case ast.Would(subject, verb, arguments):
                return subject, (verb,), arguments
            case ast.IsDone(subject, verbs, arguments):
                if arguments.object is not None:
                    raise flaw(
                        "unknown-role",
                        f"{quoted(arguments.object.span.text)} does not fit here",
                        arguments.object.span,
                        help="say who does it: `after a … … this`",
                    )
                return None, verbs, replace(arguments, object=subject)
        raise flaw("syntax-error", "this is not an event", event.span)

    def _hook_steps(self, step: ast.Statement, instead: bool, scope: Scope) -> tuple[ir.Steps, Scope, Value | None]:
        """Read the steps of a hook; an `instead` that begins with an offer is offered as a whole, to who is returned."""
        steps, after = self.steps(step, scope)
        if instead and len(steps) == 1 and isinstance(steps[0], ir.Offer):
            offer = steps[0]
            if len(offer.options) == 1:
                return offer.options[0], after, offer.decider
            return (ir.Either(offer.options, offer.decider, span=offer.span),), after, offer.decider
        return steps, after, None

    def _state_rule(self, node: ast.HookSentence, name: str, carrier: Carrier) -> None:
        event = node.event
        assert isinstance(event, ast.Turns)
        if node.limit is not None:
            raise flaw(
                "syntax-error",
                "a rule about a state applies each time, without a limit",
                node.limit.span,
                help="leave it out, or answer an event: `once a round, after …, …`",
            )
        if not isinstance(event.subject, ast.Phrase) or node.stage != "when" or node.instead or node.condition:
            raise flaw("syntax-error", "say `when a … is …, …`", node.span)
        if carrier.number >= 0:
            raise flaw(
                "not-a-definition",
                "what follows as soon as something is so is a rule of the game",
                node.span,
                help="put it into the game's own rules, or hang it on what happens: `after …, …`",
            )
        if event.subject.determiner in ("all", "each", "no"):
            help = by_a_word(self, node) or "ask after what happens: `after a … …, if all … are …, …`"
            message = f"`when` says of one thing that it becomes so, and {quoted(event.subject.span.text)} is not one"
            raise flaw("number-of-things", message, event.span, help=help)
        condition = ast.Is(event.subject, False, event.value, span=event.span)
        found = self.condition(condition, self.state_scope())
        among = getattr(found, "members", None)
        if not isinstance(among, Set):
            raise flaw("syntax-error", "say `when a … is …, …`", event.span)
        var = Var(FIXED, among.var.base, among.var.noun)
        scope = self.state_scope(event.subject, Typed(var, var.base, var.noun))
        variables = scope.variables
        steps, _ = self.steps(node.step, scope)
        params = (Var(THIS, "piece"), Var(YOU, "player"), Var(MANNER, "manner"), Var(AGENT, "player"), var)
        code = self._code(name, "state", -1, params, steps, variables, node.span)
        self._say("state_rules", None, StateRule(among, code))

    def state_scope(self, phrase: ast.Phrase | None = None, member: Typed | None = None) -> Scope:
        """Return the scope of a state rule, or that of its steps about a member."""
        scope = Scope(Variables(FIXED))
        if phrase is None or member is None:
            return scope
        return replace(scope, variables=Variables(FIXED + 1)).mentioning(self.mentioned(phrase, member))


def _own_sides(scope: Scope) -> tuple[Value, ...]:
    """Return the values for the player who decides for the carrier of a text."""
    you = () if scope.you is None else (scope.you,)
    return you if scope.this is None else (*you, Attribute("decider", scope.this.value, "player"))


def _measured_from(agent: Typed, scope: Scope, *, named: bool = True, itself: bool = False) -> Scope:
    """Return the scope in which bare distances are measured from who acts, which may be `this` itself.

    They are measured from `this` where a player acts, or somebody who is not `named` on a card.
    """
    if agent.base != "piece" or not (named or scope.carrier < 0):
        return scope.from_here(scope.this)
    return scope.from_here(replace(agent, noun=ITSELF) if itself else agent)


def _refuse_count_of_any(subject: ast.NounPhrase | None, agent: Typed, limit: ast.Limit) -> None:
    """Raise Flaw for a limit on a permission of several pieces: it could be counted for each, or for all of them."""
    if limit.of_players or agent.base != "piece" or not isinstance(subject, ast.Phrase) or not is_indefinite(subject):
        return
    if subject.determiner != "each":
        raise flaw(
            "unclear-reach",
            f"{quoted(limit.span.text)} could be counted for each that may, or for all of them",
            limit.span,
            help=f"say `{limit.span.text} per player` to count for all of a player together; "
            "of each of them say `each … may …`",
        )


def _is_about_this(event: ast.EventPhrase) -> bool:
    """Whether `this` acts, or would act, in an event."""
    subject = event.subject if isinstance(event, ast.Happens | ast.Would) else None
    return isinstance(subject, ast.Pronoun) and subject.word == "this"


def _not_a_rule(sentence: ast.Sentence | ast.Statement) -> Flaw:
    """Return the flaw of an order among rules."""
    match sentence:
        case ast.Conditional(condition, ast.Changes() | ast.Cannot() | ast.May() as change, None):
            help = f"a rule holds always: say `{change.span.one_line} while {condition.span.one_line}`"
        case ast.Repetition():
            help = "a rule holds always: say `… cannot … while …`"
        case ast.Lasting():
            help = "a rule holds always: say `… cannot … while …`, or when it begins: `after …, until …, …`"
        case ast.Delayed(at):
            edge = "start" if at.edge == "starts" else "end"
            help = f"a rule is about all turns: say `at the {edge} of your turn, …` or `at the {edge} of each turn, …`"
        case _:
            help = "say when it happens: `after …, …`"
    return flaw(
        "step-among-rules",
        f"{quoted(sentence.span.text)} is an order, and this block holds rules",
        sentence.span,
        help=help,
    )


def limited_whole(node: ast.HookSentence) -> ast.HookSentence:
    """Return a hook whose steps have a limit as one that has it: `after …, once a round, …`."""
    step = node.step
    if node.limit is None and isinstance(step, ast.Limited) and step.limit.span.start <= step.step.span.start:
        return replace(node, limit=step.limit, step=step.step)
    return node


def roles_of(arguments: ast.Arguments) -> list[ast.RolePhrase]:
    """Return the roles of a verb, its object as one without a preposition."""
    thing = arguments.amount or arguments.object
    return [*([ast.RolePhrase("", thing, span=thing.span)] if thing is not None else []), *arguments.roles]


def _both_halves(node: ast.HookSentence) -> str:
    """Return help to say `would` and `instead` of an event, in full where the event is one act."""
    text, event = node.span.one_line, node.event
    if node.stage == "when" and not node.instead:
        return f"say both words: `{text} instead.`, or leave out both"
    if node.stage != "when" or not isinstance(event, ast.Happens) or len(event.verbs) != 1:
        return "say `when … would …, … instead`, or leave out both words"
    said, verb = event.span.one_line, event.verbs[0]
    would = said.replace(f" {verb.span.one_line}", f" would {verb.text}", 1)
    return f"say both words: `{text.replace(said, would, 1)}.`, or leave out both"
