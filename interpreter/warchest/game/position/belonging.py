"""The owners of the tokens in a position, and whether there are as many tokens as it says.

A token that lies with a player is that player's, unless only the army of another one has such tokens: then it was taken
from there. The same holds for the tokens of a piece.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from warchest.engine.evaluation import members_of
from warchest.game.errors import PositionError
from warchest.game.position.keys import Keys
from warchest.game.position.read_cells import Memory, tokens_at
from warchest.lowering.layout import LIVE, NATURE, OWNER

BOARD = -1
"""The place of a token that a piece is made of, as others are in zones."""
LOOSE = -1
"""Whose a token is that a piece is made of without its being printed on it, where it may be anybody's."""


class Belonging:
    """Looks through the tokens of one position that is being read."""

    def __init__(self, format_: Keys, memory: Memory) -> None:
        self.format, self.memory = format_, memory
        self.layout, self.naming, self.ruleset = format_.layout, format_.naming, format_.layout.ruleset
        self.players, self.armies = range(self.layout.players), self.format.armies
        self.notes: dict[int, list[tuple[int, int, bool, int, int]]] = {}
        """The tokens of each document with players: the zone or BOARD, with whom, if printed there, whose, how many."""
        self.in_army: list[set[int]] = [set() for _ in self.players]
        """The documents in the armies of the players."""
        self.owned: dict[int, list[int]] = {}
        """The number of tokens that each player has, and of loose ones, by document; without those that are nowhere."""

    # ---- whose a token is

    @property
    def key(self) -> Hashable:
        """All that the checks of whose tokens are, and how many there are, depend on.

        It is made of the armies, of the sums of what each player has elsewhere, and of the pieces that are made of
        anything but what is printed on them. Within a game it seldom changes.
        """
        format_, layout, memory = self.format, self.layout, self.memory
        pieces = format_.of_pieces_in(memory)
        if "belonging" not in pieces:
            pieces["belonging"] = self._of_pieces()
        of_pieces, odd = pieces["belonging"]
        armies = [format_.cells_of(memory, holder) for holder in format_.army_holders]
        elsewhere = [layout.sum_of(memory, holders) for holders in format_.held_by]
        return (*armies, *map(layout.added, of_pieces, elsewhere), odd)

    def _of_pieces(self) -> tuple[list[Hashable], Hashable]:
        """Return the sum of the tokens in the pieces of each player, and the pieces with any that are not printed."""
        layout, memory = self.layout, self.memory
        holders, odd = [list[int]() for _ in self.players], list[tuple[int, int, Hashable]]()
        tokens_of, owns, made_of = self.format.tokens_of, layout.pieces + OWNER, layout.pieces + NATURE
        for piece in members_of(layout.set_in(memory, LIVE)):
            holder, at = layout.first_piece_holder + piece, piece * layout.stride
            owner, nature, tokens = memory[owns + at], memory[made_of + at], tokens_of(memory, holder)
            if owner in self.players:
                holders[owner].append(holder)
                if len(tokens) != 1 or nature not in tokens:
                    odd.append((owner, nature, self.format.cells_of(memory, holder)))
        return [layout.sum_of(memory, some) for some in holders], frozenset(Counter(odd).items())

    def look(self) -> None:
        """Note where tokens lie now, by document, and whose they are; later questions are answered from these notes."""
        self.notes, self.owned = {}, {}
        for player in self.players:
            holders = [self.layout.zones[army].number(player) for army in self.armies]
            self.in_army[player] = {one for holder in holders for one in tokens_at(self.layout, self.memory, holder)}
        for zone, player, holder in self.format.holdings:
            self._note(zone, player, holder)
        for piece in members_of(self.layout.set_in(self.memory, LIVE)):
            first = self.layout.piece(piece)
            if self.memory[first + OWNER] in self.players:
                holder = self.layout.first_piece_holder + piece
                self._note(BOARD, self.memory[first + OWNER], holder, self.memory[first + NATURE])

    def _note(self, zone: int, player: int, holder: int, nature: int = 0) -> None:
        """Note the tokens in a zone, where all count as printed, or in a piece of some nature."""
        for document, count in tokens_at(self.layout, self.memory, holder).items():
            printed = zone != BOARD or document == nature
            whose = self._whose(player, document, printed)
            self.notes.setdefault(document, []).append((zone, player, printed, whose, count))
            self.owned.setdefault(document, [0] * (self.layout.players + 1))[whose] += count

    def _whose(self, player: int, document: int, printed: bool) -> int:
        """Return whose a token with a player is: another's if only that one's army has such tokens."""
        mine = self.in_army[player]
        if document not in mine and (mine or not printed):
            others = [other for other in self.players if document in self.in_army[other]]
            if others:
                return others[0]
        return player if printed or self.ruleset.sheets[document].kind in self.format.brought else LOOSE

    # ---- armies

    def gathered(self, number: int) -> Iterator[int]:
        """Yield the cells in a zone for one token of each document that a player has tokens of anywhere.

        The token printed on a piece says whose it is; its other tokens do so only where nobody else has any.
        """
        self.look()
        kinds, zone = self.ruleset.kinds_in(number), self.layout.zones[number]
        for document, sheet in enumerate(self.ruleset.sheets):
            if sheet.kind in kinds:
                notes = self.notes.get(document, ())
                found = {player for _, player, printed, *_ in notes if printed}
                for player in found or {player for _, player, *_ in notes}:
                    yield self.layout.holder_cells(zone.number(player))[document]

    def check_gathered(self, key: str, number: int) -> None:
        """Check that a zone in which a player has anything lacks nothing of which the player has tokens elsewhere."""
        kinds = self.ruleset.kinds_in(number)
        for player, name in enumerate(self.naming.players):
            cells = self.layout.holder_cells(self.layout.zones[number].number(player))
            brought = any(self.memory[cell] for cell in cells)
            for document in sorted(self.owned) if brought else ():
                sheet, has = self.ruleset.sheets[document], self.owned[document][player]
                if has and sheet.kind in kinds and not self.memory[cells[document]]:
                    raise PositionError(f"{key}.{name}", f"{sheet.name} is missing, and {name} has {has}")

    def check_apart(self, key: str, number: int) -> None:
        """Check that nothing that lies in a zone once for each player is there twice, or is another one's as well."""
        holders = self.layout.zones[number]
        kinds, there = self.ruleset.kinds_in(number), list[dict[int, int]]()
        for player, name in enumerate(self.naming.players):
            there.append(tokens_at(self.layout, self.memory, holders.number(player)))
            for document, count in there[player].items():
                if count > 1:
                    raise PositionError(f"{key}.{name}", f"{self.naming.documents[document]} is given twice")
        nobody = [0] * (self.layout.players + 1)
        for document in sorted({*self.owned, *(one for tokens in there for one in tokens)}):
            sheet = self.ruleset.sheets[document]
            owned = self.owned.get(document, nobody) if sheet.kind in kinds else nobody
            having = [
                name
                for name, tokens, count in zip(self.naming.players, there, owned, strict=False)
                if document in tokens or count
            ]
            if len(having) > 1:
                raise PositionError(f"{key}.{having[1]}", f"{sheet.name} belongs to {having[0]} already")

    # ---- how many there are

    def surplus(self) -> Iterator[tuple[int, int, int, str]]:
        """Yield whose tokens of which document are more than exist, how many there may be, and the fault in words."""
        for kind, key in self.ruleset.copies.items():
            for document in sorted(self.owned):
                sheet, owned = self.ruleset.sheets[document], self.owned[document]
                if sheet.kind not in self.ruleset.token_sheets[kind] or key not in sheet.numbers:
                    continue
                most = sheet.numbers[key]
                for player, name in enumerate(self.naming.players):
                    if owned[player] > most:
                        yield (
                            player,
                            document,
                            most,
                            f"{name} has {owned[player]} {sheet.name}, and there are only {most}",
                        )
                everything, existing = sum(owned), most * len(self.players)
                if everything > existing:
                    there = f"there are {everything} {sheet.name} then, and only {existing} exist"
                    yield LOOSE, document, 0, there
