"""Short labels: different for each name, and as near to it as can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

LENGTH = 3


def short_labels(names: Iterable[str], given: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return a label of about three characters for each name; `given` ones stand.

    The order of the names makes no difference: a label does not change because another game is being played.
    """
    labels = dict(given or {})
    taken = {label.casefold() for label in labels.values()}
    for name in sorted(set(names) - set(labels)):
        label = next(one for one in _candidates(name) if one.casefold() not in taken)
        labels[name] = label
        taken.add(label.casefold())
    return labels


def _candidates(name: str) -> Iterator[str]:
    words = name.split() or ["?"]
    initials = "".join(word[0].upper() for word in words[:-1])[: LENGTH - 1]
    last = words[-1]
    head = initials + last[0].upper()
    letters = [letter.lower() for letter in last[1:] if letter.isalnum()]
    room = LENGTH - len(head)
    yield head + "".join(letters[:room])
    for skip in range(room, len(letters)):
        yield head + "".join((letters[: room - 1] + letters[skip : skip + 1])[:room])
    for number in range(2, 1000):
        yield f"{head[:2]}{number}"


def letters(names: Iterable[str]) -> dict[str, str]:
    """Return a sign of one or two characters for each name: its initial, with a digit or letter where two share it."""
    found: dict[str, str] = {}
    for name in names:
        initial = name[:1].upper()
        tail = name[-1:] if name[-1:].isdigit() else ""
        choices = [initial + tail, initial, *(initial + letter for letter in name[1:])]
        choices += [f"{initial}{number}" for number in range(2, 1000)]
        found[name] = next(one for one in choices if one not in found.values())
    return found
