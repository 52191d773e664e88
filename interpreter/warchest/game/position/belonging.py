"""The owners of the tokens in a position, and the check that no more tokens are used than exist.

A token with a player belongs to that player, unless only another player's army has such tokens: then it was taken from
that player. The same holds for the tokens of a piece.
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
"""The number of the board in notes about tokens, where zones have their own numbers."""
LOOSE = -1
"""The owner noted for a token in a piece that is not printed on the piece and may belong to any player."""


class Belonging:
    """Determines the owners of the tokens of one position while the position is read."""

    def __init__(self, format_: Keys, memory: Memory) -> None:
        self.format, self.memory = format_, memory
        self.layout, self.naming, self.ruleset = format_.layout, format_.naming, format_.layout.ruleset
        self.players, self.armies = range(self.layout.players), self.format.armies
        self.notes: dict[int, list[tuple[int, int, bool, int, int]]] = {}
        """The tokens of each document with players: zone or BOARD, holder, whether printed there, owner, number."""
        self.in_army: list[set[int]] = [set() for _ in self.players]
        """The documents in the armies of the players."""
        self.owned: dict[int, list[int]] = {}
        """The number of tokens of each player, and of loose ones, by document, without tokens that are nowhere."""

    # ---- whose a token is

    @property
    def key(self) -> Hashable:
        """A key for everything on which the checks of owners and numbers of tokens depend.

        It consists of the armies, the sums of the tokens that each player has elsewhere, and the pieces with tokens
        other than the printed one. Within a game the key seldom changes.
        """
        format_, layout, memory = self.format, self.layout, self.memory
        pieces = format_.of_pieces_in(memory)
        if "belonging" not in pieces:
            pieces["belonging"] = self._of_pieces()
        of_pieces, odd = pieces["belonging"]
        armies = [format_.cells_of(memory, holder) for holder in format_.army_holders]
        everywhere = zip(format_.held_by, of_pieces, strict=True)
        return (*armies, *[layout.sum_of(memory, zones, more) for zones, more in everywhere], odd)

    def _of_pieces(self) -> tuple[list[Hashable], Hashable]:
        """Return the sum of the tokens in the pieces of each player, and the pieces with any token that is not printed."""
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
        return [layout.sum_of(memory, layout.rows_of(some)) for some in holders], frozenset(Counter(odd).items())

    def look(self) -> None:
        """Note the places and owners of all tokens, by document; later questions are answered from these notes."""
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
        """Note the tokens in a zone, where all tokens count as printed, or in a piece with a nature."""
        for document, count in tokens_at(self.layout, self.memory, holder).items():
            printed = zone != BOARD or document == nature
            whose = self._whose(player, document, printed)
            self.notes.setdefault(document, []).append((zone, player, printed, whose, count))
            self.owned.setdefault(document, [0] * (self.layout.players + 1))[whose] += count

    def _whose(self, player: int, document: int, printed: bool) -> int:
        """Return the owner of a token that a player has: another player if only that player's army has such tokens."""
        mine = self.in_army[player]
        if document not in mine and (mine or not printed):
            others = [other for other in self.players if document in self.in_army[other]]
            if others:
                return others[0]
        return player if printed or self.ruleset.sheets[document].kind in self.format.brought else LOOSE

    # ---- armies

    def gathered(self, number: int) -> Iterator[int]:
        """Yield the cells in a zone for one token of each document, wherever a player has tokens of the document.

        Tokens that count as printed show their owner; other tokens do so only if no player has any printed ones.
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
        """Check that a zone, if a player has tokens in it, has one of every document that the player has elsewhere."""
        kinds = self.ruleset.kinds_in(number)
        for player, name in enumerate(self.naming.players):
            cells = self.layout.holder_cells(self.layout.zones[number].number(player))
            brought = any(self.memory[cell] for cell in cells)
            for document in sorted(self.owned) if brought else ():
                sheet, has = self.ruleset.sheets[document], self.owned[document][player]
                if has and sheet.kind in kinds and not self.memory[cells[document]]:
                    raise PositionError(f"{key}.{name}", f"{sheet.name} is missing, and {name} has {has}")

    def check_apart(self, key: str, number: int) -> None:
        """Check that a thing in a zone for single things is not there twice, and that no other player has it."""
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
        """Yield each surplus of tokens: the owner, the document, the greatest possible number, and the fault in words."""
        for kind, key in self.ruleset.copies.items():
            for document in sorted(self.owned):
                sheet, owned = self.ruleset.sheets[document], self.owned[document]
                if sheet.kind not in self.ruleset.token_sheets[kind] or key not in sheet.numbers:
                    continue
                most = sheet.numbers[key]
                for player, name in enumerate(self.naming.players):
                    if owned[player] > most:
                        fault = f"{name} has {owned[player]} {sheet.name}, and there are only {most}"
                        yield player, document, most, fault
                everything, existing = sum(owned), most * len(self.players)
                if everything > existing:
                    there = f"there are {everything} {sheet.name} then, and only {existing} exist"
                    yield LOOSE, document, 0, there
