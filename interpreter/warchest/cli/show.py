"""Show a card with all its rulings and readings, or a position as a picture of the board."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warchest.cli import common
from warchest.cli.cards import documents_named, draw_card, hint
from warchest.cli.picture_files import add_files, check_installed, write_files
from warchest.diagnostics.visible import visible
from warchest.documents.layers import of_board
from warchest.documents.library import Document, texts_declared
from warchest.game.borne_documents import bearers_of, bearing_keys, borne_by
from warchest.game.game import Game
from warchest.streams import console, say_lines

if TYPE_CHECKING:
    from rich.text import Text

    from warchest.documents.library import Library
    from warchest.game.decision import Option
    from warchest.game.state import State


# ---- remarks of a game to the people at the table

SEATS, TEAMS = "seats", "teams"
"""The topics of remarks: taking a seat, and players who share a team."""


def remarks_for(game: Game, teams: Sequence[str]) -> dict[str, str]:
    """Return a game's remarks to people, by topic; `teams` has the team of each seat, if these are known."""
    about = [SEATS] if teams and len(set(teams)) == len(teams) else [SEATS, TEAMS]
    told: Mapping[str, Any] = game.document.values.get("remarks", {})
    return {key: f"{told[key]['says'].rstrip('.')} ({told[key]['source']})." for key in about if key in told}


# ---- shows a card with everything that bears on it


_ENDINGS = (".yaml", ".yml", ".json", ".svg")
_APART = ("source", "ruling", "rulings", "cases", "remarks")
"""Keys that are shown in places of their own."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "what",
        metavar="CARD|POSITION",
        nargs="+",
        help="the name of a card, or a file with a position (`-` for standard input)",
    )
    add_files(parser, "the position or the card", "warchest[png], for a card warchest[print]")
    parser.add_argument("--viewer", metavar="PLAYER", help="hide everything that this player may not see")
    parser.add_argument(
        "--option",
        metavar="N",
        help="show the changes that an option makes, given by its number in `warchest moves` or by some of its words",
    )
    common.add_common(parser, None, common.USUAL_OF_POSITIONS)


def run(args: argparse.Namespace) -> int:
    """Show the card or the position; return the exit code."""
    what = " ".join(args.what)
    if what == common.STANDARD_INPUT or what.endswith(_ENDINGS) or os.path.isfile(what):
        check_installed(png=args.png)
        return _position(what, args)
    if args.viewer or args.option:
        raise common.UsageError("--viewer and --option are for positions; name a file that ends in .yaml or .json")
    args.game = args.game or common.USUAL_GAME
    return _cards(common.load_game(args), what, args)


# ---- positions


def _position(path: str, args: argparse.Namespace) -> int:
    from warchest.game.telling.motions import motions_by
    from warchest.picture import scene, style_of, with_motions

    game, state = common.game_and_state(args, path)
    if args.viewer is not None:
        state.variant.player_number(args.viewer)  # raises OptionError before any output
    seen, option = scene(state, style_of(game.library), args.viewer), _option(state, args)
    if option is not None:
        seen = with_motions(seen, f"option {option[0]}: {option[1].label}", motions_by(state, option[1]))
    if write_files(seen, args):
        return common.FINE
    if args.format == "json":
        common.print_json(state.position() if args.viewer is None else state.view(args.viewer))
        return common.FINE
    print_picture(game, state, args.viewer)
    if option is not None:
        console().print(seen.caption)
        say_lines("\n".join(_news_of(state, option[1], args.viewer)))
    return common.FINE


def _news_of(state: State, option: Option, viewer: str | None) -> list[str]:
    """Return the news of taking an option, before any outcome of chance, for a viewer (by default the decider)."""
    decision = state.decision
    who = viewer or (decision.player if decision is not None else None) or state.variant.naming.players[0]
    told, after = len(state.news_for(who)), state.clone().apply(option)
    return [*after.news_for(who)[told:], *([after.outcome.reason] if after.outcome is not None else [])]


def _option(state: State, args: argparse.Namespace) -> tuple[int, Option] | None:
    """Return the requested option, with its number from 1 on; None if none is requested."""
    from warchest.picture.menu import matching

    if args.option is None:
        return None
    decision = state.decision
    if decision is None:
        raise common.UsageError("--option: the game is over")
    if args.viewer not in (None, decision.player):
        whose = f"{decision.player} decides" if decision.player else "chance decides"
        raise common.UsageError(f"--option: {whose} here, and {args.viewer} may not see the options")
    count, words = len(decision.options), args.option.strip()
    if words.isascii() and words.isdigit():
        if not 1 <= int(words[:9]) <= count:
            raise common.UsageError(f"--option: there are options 1 to {count}; `warchest moves` lists them")
        return int(words), decision.options[int(words) - 1]
    found = matching(decision, words)
    if len(found) != 1:
        what = f"{len(found)} options match" if found else "no option matches"
        more = "; add more words" if found else "; `warchest moves` lists them"
        raise common.UsageError(f"--option {words}: {what}{more}")
    return found[0] + 1, decision.options[found[0]]


def print_picture(game: Game, state: State, viewer: str | None = None, height: int | None = None) -> int:
    """Print the picture of a state, and below it the pending question; return the number of lines.

    With a `height` the picture is made smaller if it would have more lines than that.
    """
    from warchest.picture import plain, style_of, text
    from warchest.picture.terminal import lines_of

    out, style = console(), style_of(game.library)
    if out.is_terminal:
        drawn = text(state, style, viewer, out.width, height)
        lines = lines_of(drawn, out.width)
        out.print(drawn)
    else:
        shown = plain(state, style, viewer, out.width)
        lines = shown.count("\n")
        say_lines(shown)
    if state.decision is None:
        # The picture shows the end of the game.
        return lines
    if height is None:
        out.print()
    out.print(state.question)
    return lines + 2


# ---- cards


def _cards(game: Game, name: str, args: argparse.Namespace) -> int:
    found = documents_named(game, name)
    if not found:
        raise common.UsageError(f"there is no card {name!r}; {hint(game, name)}")
    if args.svg or args.png:
        return draw_card(game, found, args)
    rulings = rulings_of(game)
    if args.format == "json":
        common.print_json([record(game, rulings, one) for one in found])
        return common.FINE
    out = console()
    for index, one in enumerate(found):
        if index:
            out.print()
        out.print(card(game, rulings, one, options=common.words_for_game(args)), soft_wrap=not out.is_terminal)
    return common.FINE


def rulings_of(game: Game) -> Library:
    """Return the rulings of a game; those that come with it are read here, because play does without them."""
    from warchest.documents.load import load
    from warchest.documents.schemas import read_schemas

    folder = game.folder / "rulings"
    library = load([folder] if folder.is_dir() else [], game.library.schemas or read_schemas())
    library.documents.extend(game.library.of_kind("rulings"))
    return library


def record(game: Game, rulings: Library, document: Document) -> dict[str, object]:
    """Return all data about a document, ready for JSON."""
    return {
        "kind": document.kind,
        "name": document.name,
        **common.place_record(document.span),
        **{key: document.values[key] for key in ("source", "ruling") if key in document.values},
        "values": {key: value for key, value in list(document.values.items())[1:] if key not in _APART},
        **_borne_record(game, document),
        **({"remarks": said} if (said := _remarks(game, document)) else {}),
        "amended by": [layer.values | {"file": layer.span.path} for layer in _layers(game, document)],
        "rulings": [
            {
                "name": case["name"],
                "source": _why(case, why),
                "file": file,
                **{key: case[key] for key in ("script",) if key in case},
            }
            for case, why, file in _cases(rulings, document)
        ],
    }


def _called(game: Game, document: Document) -> str:
    """Return the argument that finds a document in another command."""
    return document.name if len(documents_named(game, document.name)) == 1 else f"{document.kind}: {document.name}"


def _is_read(game: Game, document: Document) -> bool:
    """Whether a document has sentences on the usual board, which `warchest read` can explain."""
    there = any(one is document for one in of_board(game.library, game.boards.usual.name).documents)
    return there and any(document.blocks(key) for key in texts_declared(document, game.document))


def _borne_record(game: Game, document: Document) -> dict[str, object]:
    """Return the documents that a document names in lists, and those that name it like this; each only if there are any."""
    bears = [{"name": written, **blocks} for written, blocks in borne_by(game, document)]
    bearers = bearers_of(game, document)
    return ({"bears": bears} if bears else {}) | ({"borne by": bearers} if bearers else {})


def _remarks(game: Game, document: Document) -> list[str]:
    """Return the game's remarks to people: all for its own document, those about seats for a board."""
    seats = document.values.get("seats", ()) if document.kind == "board" else ()
    if not seats and document is not game.document:
        return []
    return list(remarks_for(game, [seat["team"] for seat in seats]).values())


def _layers(game: Game, document: Document) -> list[Document]:
    target = {"kind": document.kind, "name": document.name}
    return [layer for layer in game.library.of_kind("errata") if layer.values["amends"] == target]


def _cases(rulings: Library, document: Document) -> list[tuple[dict[str, object], str, str]]:
    """Return the cases about a document: cases on the card, and cases in rulings with its name."""
    found = [(case, "", document.span.path) for case in document.values.get("rulings", ())]
    for other in rulings.of_kind("rulings"):
        if other.name == document.name:
            why = str(other.values.get("source") or other.values.get("ruling", ""))
            found += [(case, why, other.span.path) for case in other.values.get("cases", ())]
    return found


def _why(case: dict[str, object], otherwise: str) -> str:
    return str(case.get("source") or case.get("ruling") or otherwise)


def place_in(game: Game, path: str) -> str:
    """Return the path of a file; a file that comes with the game is named relative to the game's folder."""
    file, folder = Path(path), game.folder
    return str(Path(folder.name) / file.relative_to(folder)) if file.is_relative_to(folder) else path


def card(game: Game, rulings: Library, document: Document, brief: bool = False, options: Sequence[str] = ()) -> Text:
    """Return a document as people read it; a `brief` one names its file relative to the game's folder.

    `options` make other commands load the same game.
    """
    from rich.text import Text

    shown = Text.assemble((document.name, "bold underline"), (f"   {document.kind}\n", "italic"))
    apart = (*_APART, *bearing_keys(game, document.kind))
    for key, value in list(document.values.items())[1:]:
        if key not in apart:
            _append(shown, key, value)
    _append_borne(shown, game, document)
    if said := _remarks(game, document):
        _append(shown, "remarks", "\n".join(said) + "\n")
    for key in ("source", "ruling"):
        if document.values.get(key):
            shown.append(f"{key}: ", "grey70").append(f"{document.values[key]}\n")
    path = place_in(game, document.span.path) if brief else document.span.path
    shown.append("file: ", "grey70").append(f"{visible(path)}:{document.span.line}\n")
    if _is_read(game, document):
        command = ["warchest", "read", _called(game, document), *options]
        shown.append("as understood: ", "grey70").append(f"{visible(shlex.join(command))}\n")
    for layer in _layers(game, document):
        _append_layer(shown, layer)
    cases = _cases(rulings, document)
    if cases:
        shown.append(f"\nrulings ({len(cases)})\n", "bold")
    for case, why, _ in cases:
        shown.append(f"  • {case['name']}").append(f"   {_why(case, why)}\n", "grey70")
        for line in str(case.get("script", "")).splitlines():
            shown.append(f"      {line}".rstrip() + "\n")
    shown.rstrip()
    return shown


def card_in_brief(document: Document) -> Text:
    """Return a document in a few lines: its name with all short values, and a line for each of its texts."""
    from rich.text import Text

    values = {key: value for key, value in list(document.values.items())[1:] if key not in _APART}
    texts = {key: value for key, value in values.items() if isinstance(value, str) and "\n" in value}
    short = ", ".join(f"{key} {_line(value)}" for key, value in values.items() if key not in texts)
    shown = Text.assemble((document.name, "bold"), f"   {document.kind}" + (f"; {short}" if short else ""))
    for key, value in texts.items():
        shown.append(f"\n  {key}: ", "bold").append(" ".join(value.split()))
    return shown


def _append_borne(shown: Text, game: Game, document: Document) -> None:
    """Append the documents that a document names in lists, with their texts, or the documents that name it like this."""
    for key in bearing_keys(game, document.kind):
        if document.values.get(key):
            shown.append(f"{key}:\n", "cyan")
    for written, blocks in borne_by(game, document):
        shown.append(f"  {written}\n", "bold")
        for text in blocks.values():
            shown.append("".join(f"    {line}\n" for line in text.rstrip().split("\n")))
    bearers = bearers_of(game, document)
    if bearers:
        shown.append("borne by:", "cyan").append(f" {', '.join(bearers)}\n")


def _append_layer(shown: Text, layer: Document) -> None:
    option = layer.values.get("option")
    when = f"when {option['name']} is {option['value']}" if option else "always"
    shown.append(f"\n{layer.name}", "bold").append(f"   {when}")
    shown.append(f"   {layer.values.get('date', '')}".rstrip() + "\n")
    for word in ("replace", "add"):
        for key, value in layer.values.get(word, {}).items():
            _append(shown, f"{word} {key}", value, "  ")
    why = layer.values.get("source") or layer.values.get("ruling", "")
    shown.append("  source: ", "grey70").append(f"{why}\n")


def _append(shown: Text, key: str, value: object, indent: str = "") -> None:
    """Append a key with its value: clauses as they are written, short values on one line, the rest line by line."""
    shown.append(f"{indent}{key}:", "cyan")
    if isinstance(value, str) and "\n" in value:
        shown.append("\n")
        for line in value.rstrip().split("\n"):
            shown.append(f"{indent}  {line}\n")
    elif isinstance(value, dict) and any(map(_needs_line, value, value.values())):
        shown.append("\n")
        for inner_key, inner in value.items():
            _append(shown, str(inner_key), inner, indent + "  ")
    else:
        shown.append(f" {_line(value)}\n")


def _needs_line(key: object, value: object) -> bool:
    """Whether a key with its value has its own line, because several words would be unclear after each other."""
    return isinstance(value, dict | list) or " " in str(key)


def _line(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}{':' if ' ' in str(key) else ''} {_line(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(f"({_line(inner)})" if isinstance(inner, dict) else _line(inner) for inner in value)
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
