"""Documents in odd layouts: the same values in other styles, indentation and line ends, with comments everywhere.

Each comment names its place: `# above 7 KEY` is in a line of its own above a key, `# item 7` above an item of a list,
`# beside 7 KEY` after a value, and others are at odd places; the number is its index among all comments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import TypeAlias

from warchest.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from warchest.syntax.lexer import scan

Lines: TypeAlias = list[str]


class Odd:
    """Writes documents in other layouts, by chance but always with the same contents."""

    def __init__(self, rng: Random, sentences: Callable[[Scalar], bool]) -> None:
        self.rng = rng
        self.sentences = sentences
        self.comments = 0

    def text(self, roots: list[Mapping]) -> str:
        """Return a text of documents."""
        parts = []
        for root in roots:
            entries = [root.entries[0], *self.rng.sample(root.entries[1:], len(root.entries) - 1)]
            shuffled = Mapping(tuple(entries) if self.chance(0.3) else root.entries, root.span)
            if self.chance(0.05) and all(map(_is_flat, shuffled.entries)):
                parts.append(self.flow(shuffled, 1))
            else:
                parts.append("\n".join(self.mapping(shuffled, 0)))
        whole = ("\n...\n---\n" if self.chance(0.1) else "\n---\n").join(parts)
        head = self.rng.choice(["", "", "", "\n\n", "---\n", "# above all\n\n"])
        text = head + whole + self.rng.choice(["", "\n", "\n\n\n", "\n# behind all"])
        return text.replace("\n", "\r\n") if self.chance(0.1) else text

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def comment(self, what: str) -> str:
        self.comments += 1
        sort, _, about = what.partition(" ")
        return f"{self.rng.choice(['# ', '#', '#   '])}{sort} {self.comments} {about}".rstrip()

    def above(self, indent: int, what: str) -> Iterator[str]:
        """Yield blank lines and comments above something."""
        while self.chance(0.15):
            match self.rng.randrange(4):
                case 0:
                    yield self.rng.choice(["", "   "])
                case 1:
                    yield " " * self.rng.randint(0, indent) + self.comment("stray")
                case _:
                    yield " " * indent + self.comment(what)

    def beside(self, key: str) -> str:
        blanks = " " * self.rng.randint(1, 4)
        return blanks + self.comment(f"beside {key}") if self.chance(0.1) else blanks[3:]

    def mapping(self, node: Mapping, indent: int) -> Lines:
        lines = []
        for entry in node.entries:
            lines += [*self.above(indent, f"above {entry.key.text}"), *self.entry(entry, indent)]
        return lines

    def entry(self, entry: Entry, indent: int) -> Lines:
        blanks = " " * self.rng.randint(1, 3)
        key = f"{' ' * indent}{self.key(entry.key)}{self.rng.choice(['', '', '', ' '])}:"
        value = entry.value
        if isinstance(value, Scalar):
            if value.block is not None:
                return self.block(value, f"{key}{blanks}", indent)
            first, *others = self.scalar(value, entry.key.text, indent + 1 + self.rng.randrange(4))
            return [f"{key}{blanks}{first}" if first.strip() else f"{key}{first}", *others]
        if not _parts(value) or (_is_flat(entry) and self.chance(0.4)):
            return f"{key}{blanks}{self.flow(value, indent + 1)}{self.beside(entry.key.text)}".split("\n")
        head = key + self.beside(entry.key.text)
        if isinstance(value, Mapping):
            return [head, *self.mapping(value, indent + self.rng.randint(1, 4))]
        return [head, *self.sequence(value, indent + self.rng.randint(0, 3))]

    def sequence(self, node: Sequence, indent: int) -> Lines:
        lines = []
        for item in node.items:
            lines += self.above(indent, "item")
            gap = self.rng.randint(1, 3)
            dash = f"{' ' * indent}-{' ' * gap}"
            if isinstance(item, Scalar) and item.block is not None:
                lines += self.block(item, dash, indent)
            elif isinstance(item, Scalar):
                first, *others = self.scalar(item, "", indent + 2)
                lines += [dash + first, *others]
            elif not _parts(item) or (_is_flat_node(item) and self.chance(0.4)):
                lines += (dash + self.flow(item, indent + 1)).split("\n")
            else:
                inner = indent + 1 + gap
                whole = self.mapping(item, inner) if isinstance(item, Mapping) else self.sequence(item, inner)
                while not whole[0].strip() or whole[0].strip()[0] == "#":
                    whole = whole[1:]  # a comment there would be between the dash and the item
                lines += [dash + whole[0][inner:], *whole[1:]]
        return lines

    def block(self, value: Scalar, head: str, indent: int) -> Lines:
        """Return a literal block after its key."""
        text = self.sentences_of(value.text) if self.sentences(value) else value.text
        first = next((line for line in text.split("\n") if line.strip()), "")
        inner = self.rng.randint(1, 6)
        mark = f"|{inner if first[:1] == ' ' else ''}{self.rng.choice(['', '', '-', '+'])}"
        lines = [" " * (indent + inner) + line if line.strip() else "" for line in text.rstrip("\n").split("\n")]
        return [head + mark + (f" {self.comment('mark')}" if self.chance(0.1) else ""), *lines]

    def sentences_of(self, text: str) -> str:
        """Return sentences with other blanks, line ends and comments between their words."""
        words = scan(text, 0, len(text))
        made = self.rng.choice(["", "", self.comment("first") + "\n"])
        style = self.rng.random()
        for number, word in enumerate(words):
            made += word.text
            following = words[number + 1].start if number + 1 < len(words) else len(text)
            gap = text[word.end : following]
            if "#" in gap or not gap:
                made += gap
            elif self.chance(0.02):
                made += f"  {self.comment('within')}\n" + " " * self.rng.randrange(4)
            elif self.chance(style * 0.5):
                made += self.rng.choice([" ", "  ", "\n", "\n  ", "\n\n", " \t"])
            else:
                made += gap if style > 0.2 or "\n" in gap else " "
        return "\n".join(line for line in made.split("\n") if line.strip() or self.chance(0.7)).lstrip() + "\n"

    def key(self, key: Scalar) -> str:
        if not _is_simple(key.text) or not self.chance(0.05):
            return key.span.text
        return self.rng.choice([f'"{key.text}"', f"'{key.text}'"])

    def scalar(self, value: Scalar, key: str, indent: int) -> Lines:
        written = "" if value.is_absent else " ".join(value.span.text.split("\n"))
        written = " ".join(written.split()) if value.style == "plain" else written
        if _is_simple(value.text) and self.chance(0.1):
            written = self.rng.choice([f'"{value.text}"', f"'{value.text}'"])
        if "\\" not in written and "\n" not in written and written.count("  ") == 0 and self.chance(0.2):
            written = self.rng.choice([" ", f"\n{' ' * indent}"]).join(written.split(" "))
        if written and self.chance(0.03):
            written = f"{self.comment('before')}\n\n{' ' * indent}{written}"
        return (written + self.beside(key)).split("\n")

    def flow(self, node: Node, indent: int) -> str:
        """Return a node in brackets."""
        if isinstance(node, Scalar):
            return node.span.text if not node.is_absent else '""'
        blank = self.rng.choice(["", "", " ", "  ", f"\n{' ' * indent}", "\n\n" + " " * (indent + 2)])
        behind = f" {self.comment('bracket')}\n{' ' * indent}" if self.chance(0.02) else " "
        comma = self.rng.choice(["", "", " "]) + ","
        if isinstance(node, Sequence):
            parts = [self.flow(one, indent) for one in node.items]
            marks = "[]"
        else:
            parts = [f"{one.key.span.text}: {self.flow(one.value, indent)}" for one in node.entries]
            marks = "{}"
        last = self.rng.choice(["", ","]) if parts else ""
        last += f" {self.comment('end')}\n{' ' * indent}" if self.chance(0.02) else ""
        return marks[0] + blank + f"{comma}{behind}{blank}".join(parts) + last + blank + marks[1]


def _parts(node: Mapping | Sequence) -> tuple[object, ...]:
    return node.entries if isinstance(node, Mapping) else node.items


def _is_simple(text: str) -> bool:
    return text.replace(" ", "").isalpha()


def _is_flat(entry: Entry) -> bool:
    return _is_flat_node(entry.value)


def _is_flat_node(node: Node) -> bool:
    """Whether a node can be in brackets: it has no block, and no text with signs that have a meaning there."""
    if isinstance(node, Scalar):
        plain = node.style != "plain" or not set("[]{},").intersection(node.text)
        return node.block is None and "\n" not in node.span.text and plain
    if isinstance(node, Sequence):
        return all(map(_is_flat_node, node.items))
    return all(map(_is_flat, node.entries))
