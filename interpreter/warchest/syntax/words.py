"""Words: the rules of English word forms, and the vocabulary that the documents of a game declare."""

from __future__ import annotations

import re
from bisect import insort
from dataclasses import dataclass, field

NAMES = frozenset({"NAME", "NAMES"})
"""The terminals of the names of documents, and of their plurals."""
SIGHT = "line of sight"
"""The adjective of spaces through which one can see, in a game that declares none."""
_VOWELS = "aeiou"
_SEVERAL = re.compile(r"[^saiou]s$")
"""The end of a regular plural; `mass`, `bias`, `basis`, `chaos` and `bonus` do not have it."""
_ENDS_IN_O = re.compile(r"[^aeiou]o$")
"""The end of a verb such as `go` or `undo`."""
# Names of occupations, and no word that only ends so: humans, Normans.
_MAN = re.compile(r"(?<!\b[Hh]u)(?<!\b[Gg]er)(?<!\b[NnRr]or)(?<!\b[Rr]o)(?<!\b[Ss]ha)(?<!\b[Tt]alis)man$")


def plural(noun: str) -> str:
    """Return the regular plural of a noun; of several words, the last is changed."""
    return noun[:-3] + "men" if noun.endswith("man") and _MAN.search(noun) else _with_s(noun)


def _with_s(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")


def third_person(verb: str) -> str:
    """Return the form of a verb used after `it`; of several words, the first is changed."""
    first, _, rest = verb.partition(" ")
    form = "has" if first == "have" else first + "es" if _ENDS_IN_O.search(first) else _with_s(first)
    return form + (" " + rest if rest else "")


def participle(verb: str) -> str:
    """Return the regular past participle of a verb; of several words, the first is changed."""
    first, _, rest = verb.partition(" ")
    if first.endswith("e"):
        form = first + "d"
    elif first.endswith("y") and first[-2:-1] not in _VOWELS:
        form = first[:-1] + "ied"
    else:
        form = first + "ed"
    return form + (" " + rest if rest else "")


def present_participle(verb: str) -> tuple[str, ...]:
    """Return the present participle of a verb of one word, with one letter at its end and with that letter doubled."""
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb
    return stem + "ing", stem + stem[-1] + "ing"


@dataclass(slots=True)
class Vocabulary:
    """The words of a game: spelling as a tuple of words, to the terminals it can be and its dictionary form.

    `forms` leads back: from a form (a terminal, or `PLURAL`) of a dictionary form to its spelling.
    """

    entries: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)
    by_first: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    forms: dict[tuple[str, str], str] = field(default_factory=dict)
    instead: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The words to write in place of those that people say, in all their forms, and that are none of the game."""
    acts: set[str] = field(default_factory=set, compare=False, repr=False)
    """The nouns of acts that have moments."""
    facts: set[str] = field(default_factory=set, compare=False, repr=False)
    """The verbs that texts define as facts, such as `control`; all others are acts."""
    goes: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    """The preposition before the space of a verb, for the verbs that take one: `to`."""
    numbers: set[str] = field(default_factory=set)
    """The nouns for numbers that texts can change or settle."""
    plurals: dict[str, str] = field(default_factory=dict)
    """The plurals that the game declares for nouns of numbers."""
    sight: str = SIGHT
    """The adjective of spaces through which one can see."""
    _inflected: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    """The forms of the words in `instead`."""
    _spelled: dict[frozenset[str], list[str]] = field(default_factory=dict, compare=False, repr=False)

    def add(self, terminal: str, spelling: str, lexeme: str) -> None:
        """Let `spelling` be read as `terminal` and mean `lexeme`; the first declaration of a pair wins."""
        words = tuple(spelling.split())
        self._spelled.clear()
        kinds = self.entries.get(words)
        if kinds is not None:
            kinds.setdefault(terminal, lexeme)
            return
        self.entries[words] = {terminal: lexeme}
        known = self.by_first.setdefault(words[0], [])
        if known:
            insort(known, words, key=lambda one: -len(one))
        else:
            known.append(words)

    def kinds(self, word: str) -> dict[str, str]:
        """Return the terminals that a single word can be, each with its dictionary form; empty for an unknown word."""
        return self.entries.get((word,), {})

    def form(self, form: str, lexeme: str) -> str:
        """Return the spelling of a form of a word: `PLURAL` or a terminal; a word without it is returned as it is.

        A word is also returned as it is if another word has the same form, as a text would be read as that other word.
        """
        spelling = self.forms.get((form, lexeme), lexeme)
        kinds = self.entries.get(tuple(spelling.split()), {})
        readings = {kinds.get("NOUN"), kinds.get("NAMES")} if form == "PLURAL" else {kinds.get(form)}
        return spelling if lexeme in readings else lexeme

    def _add_form(self, form: str, terminal: str, spelling: str, lexeme: str) -> None:
        self.add(terminal, spelling, lexeme)
        self.forms.setdefault((form, lexeme), spelling)

    def add_noun(self, noun: str, several: str = "") -> None:
        """Declare a noun with its plural."""
        self.add("NOUN", noun, noun)
        self._add_form("PLURAL", "NOUN", several or plural(noun), noun)

    def add_number(self, noun: str) -> None:
        """Declare a noun for a number; a noun that is a plural already is its own plural."""
        self.numbers.add(noun)
        self.add_noun(noun, noun if self.is_plural(noun) else "")

    def set_plural(self, noun: str, several: str) -> None:
        """Declare the plural of a known noun (`damage` is its own), or that the name of a number is a plural."""
        self.plurals[noun] = several
        if several in self.numbers and several != noun:
            self.forms["PLURAL", several] = several
            return
        self.add("NOUN", several, noun)
        self.forms["PLURAL", noun] = several

    def is_plural(self, noun: str) -> bool:
        """Whether the name of a number is a plural, judged by its form unless its plural or singular is declared."""
        if noun in self.plurals or noun not in self.numbers:
            return False
        return noun in self.plurals.values() or bool(_SEVERAL.search(noun))

    def in_plural(self, noun: str, written: str) -> bool:
        """Whether the noun of a number is written in its declared plural, which is another word."""
        return self.plurals.get(noun) == written != noun

    def add_verb(self, verb: str, past: str = "") -> None:
        """Declare a verb with its forms; `past` is an irregular participle."""
        self.add_act(verb)
        self._add_form("VERBED", "VERBED", past or participle(verb), verb)

    def add_act(self, verb: str) -> None:
        """Declare an intransitive verb, which has no participle."""
        self.add("VERB", verb, verb)
        self._add_form("VERBS", "VERBS", third_person(verb), verb)

    def add_adjective(self, adjective: str) -> None:
        """Declare an adjective."""
        self.add("ADJ", adjective, adjective)

    def add_adverb(self, adverb: str) -> None:
        """Declare an adverb."""
        self.add("ADV", adverb, adverb)

    def add_name(self, name: str) -> None:
        """Declare the printed name of a document; names keep their capital letters."""
        self.add("NAME", name, name)

    def add_names(self, name: str, several: str = "") -> None:
        """Declare the plural of a name, if no other word is spelled like it; a name that ends in a digit has none."""
        spelling = several or plural(name)
        if (several or name[-1].isalpha()) and tuple(spelling.split()) not in self.entries:
            self._add_form("PLURAL", "NAMES", spelling, name)

    def add_parameter(self, parameter: str) -> None:
        """Declare a letter for a number that is filled in where a document is borne."""
        self.add("PARAMETER", parameter, parameter)

    def add_instead(self, word: str, say: tuple[str, ...]) -> None:
        """Declare the words to write in place of a word that the game does not have, in any of its forms."""
        for form, inflected in ((word, ""), (plural(word), "PLURAL"), (participle(word), "VERBED")):
            self.instead.setdefault(form, say)
            self._inflected.setdefault(form, inflected)

    def instead_of(self, word: str) -> str:
        """Return help for a word with a declared replacement; empty if none is declared."""
        say = [self._like(word.lower(), one) for one in self.instead.get(word.lower(), ())]
        return f"say {' or '.join(f'`{one}`' for one in say)}" if say else ""

    def _like(self, word: str, say: str) -> str:
        """Return the words to write in place of a word, in the same form as that word."""
        *others, last = say.split()
        form, kinds = self._inflected.get(word, ""), self.kinds(last)
        if form == "VERBED" and "VERB" in kinds and not others:
            return self.form("VERBED", last)
        if form == "PLURAL" and "NOUN" in kinds:
            return " ".join((*others, self.form("PLURAL", last)))
        return self.form("VERBS", last) if form == "PLURAL" and "VERB" in kinds and not others else say

    def spellings(self, terminals: frozenset[str] = frozenset()) -> list[str]:
        """Return all spellings that can be one of `terminals` (of any terminal, if none is given)."""
        if terminals not in self._spelled:
            self._spelled[terminals] = [
                " ".join(words) for words, kinds in self.entries.items() if not terminals or terminals & kinds.keys()
            ]
        return self._spelled[terminals]
