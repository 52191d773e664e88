"""The instructions that are reached while options are listed, each in a frame above waiting frames."""

from __future__ import annotations

from dataclasses import dataclass, replace

from warchest.lowering.code import Act, Instruction, Outs, Routine
from warchest.native.option_words import SILENT, Said
from warchest.native.skipped_steps import UNTOUCHED, Touched


@dataclass(frozen=True)
class LookFrame:
    """A frame in option listing: its routine, its number in C, and its caller, if known."""

    routine: Routine
    number: int
    below: LookFrame | None = None
    behind: int = 0
    outs: Outs = ()
    filled: frozenset[int] = frozenset()
    unset: frozenset[int] = frozenset()
    """The filled roles, and the unfilled ones, if the code determines them."""
    fails: bool | None = None
    """Whether anything below can fail, if the code determines it."""
    fence: int = -1
    """The instruction at the end of its trial, if it is tried."""
    at: int = 0
    """Its distance from the first frame."""
    shared: bool = False
    """Whether it is used again for another candidate."""
    staged: Act | None = None
    """The act whose stages are below it instead of its caller, if a variable says that they are needed."""
    stages_at: int = 0


@dataclass(frozen=True)
class LookSpot:
    """An instruction that is reached, with the changes skipped before it, and the number of cells in use."""

    frame: LookFrame
    pc: int
    high: int
    touched: Touched = UNTOUCHED
    depth: int = 0
    said: Said = SILENT
    label: str = ""
    """The end of the labels that the code jumps to."""
    trial: bool = False
    """Whether the option has ended, and might still prove impossible."""

    @property
    def unseen(self) -> str:
        """The jump to the code that carries out an instruction which the listing cannot follow."""
        return f"goto unseen{self.label};"

    @property
    def failed(self) -> str:
        """The jump to the place that gives the candidate up."""
        return f"goto next{self.label};"

    @property
    def instruction(self) -> Instruction:
        """The instruction itself."""
        return self.frame.routine.instructions[self.pc]

    def on_top(self, size: int) -> tuple[str, str, int]:
        """Return the statements that make the frame, of `size` cells, the topmost one in use; its place; and its end.

        The stages of an event are above its body. A function that puts frames above the body gets a copy of the body.
        """
        if self.frame.staged is None or self.frame.staged.stages is None:
            return "", "fp", self.high
        place, flag = f"fp0 + {self.high}", f"staged_{self.frame.number}"
        copied = f"if ({flag}) memcpy(r->st + {place}, r->st + fp, {size} * 4); "
        return copied, f"{flag} ? {place} : fp", self.high + size

    def then(self, pc: int) -> LookSpot:
        """Return another instruction of the same routine as the next one."""
        return replace(self, pc=pc, depth=self.depth + 1)
