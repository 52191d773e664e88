"""The two boards: 37 hexes for two players, 47 for four, with their locations and tables."""

from typing import NamedTuple

DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))

Axial = tuple[int, int]

RAVEN_STARTS_AT: tuple[Axial, ...] = ((-1, -2), (2, -3), (-4, 1))
WOLF_STARTS_AT: tuple[Axial, ...] = ((1, 2), (-2, 3), (4, -1))
NEUTRALS_AT: tuple[Axial, ...] = (*((-2, 0), (1, -1), (3, -2), (-1, 1), (2, 0), (-3, 2)), *((-5, 3), (5, -3)))


def name_of(q: int, r: int) -> str:
    """The name of the hex at axial (q, r): column letter (f at q = 0), then r + 4."""
    return "abcdefghijk"[q + 5] + str(r + 4)


def axial_of(space: str) -> Axial:
    """The axial coordinates of a space."""
    return "abcdefghijk".index(space[0]) - 5, int(space[1:]) - 4


class Board(NamedTuple):
    """One board; `rays[space]` holds for each direction the spaces in a line, nearest first."""

    spaces: tuple[str, ...]
    locations: frozenset[str]
    starts: dict[str, tuple[str, ...]]
    neighbours: dict[str, tuple[str, ...]]
    rays: dict[str, tuple[tuple[str, ...], ...]]
    distance: dict[tuple[str, str], int]
    markers: int


def _distance(a: Axial, b: Axial) -> int:
    """Hex distance between two spaces."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def _board(reach: int, markers: int) -> Board:
    """The board whose columns go from -reach to reach."""
    axial = {name_of(q, r): (q, r) for q in range(-reach, reach + 1) for r in range(-3, 4) if -3 <= q + r <= 3}
    spaces = tuple(sorted(axial))
    distance = {(a, b): _distance(axial[a], axial[b]) for a in spaces for b in spaces}

    def ray(space: str, direction: Axial) -> tuple[str, ...]:
        """The up to three spaces from `space` in one direction."""
        (q, r), (dq, dr) = axial[space], direction
        ahead = [(q + n * dq, r + n * dr) for n in (1, 2, 3)]
        return tuple(name_of(*hexagon) for hexagon in ahead if hexagon in axial.values())

    def named(hexes: tuple[Axial, ...]) -> tuple[str, ...]:
        """Those of the hexes that are on this board, by name."""
        return tuple(name_of(*hexagon) for hexagon in hexes if hexagon in axial.values())

    starts = {"raven": named(RAVEN_STARTS_AT), "wolf": named(WOLF_STARTS_AT)}
    return Board(
        spaces=spaces,
        locations=frozenset((*starts["raven"], *starts["wolf"], *named(NEUTRALS_AT))),
        starts=starts,
        neighbours={a: tuple(b for b in spaces if distance[a, b] == 1) for a in spaces},
        rays={a: tuple(ray(a, d) for d in DIRECTIONS) for a in spaces},
        distance=distance,
        markers=markers,
    )


# The board for that many players.
BOARDS: dict[int, Board] = {2: _board(3, 6), 4: _board(5, 8)}
