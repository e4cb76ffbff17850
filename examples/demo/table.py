"""The live table: redrawn in place on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, TextIO

from figures import by_step
from loop import MISS_SECONDS, StepRecord

REDRAW_SECONDS = 0.5
LINE_SECONDS = 5.0
BAR_WIDTH = 30


@dataclass
class Watch:
    """What is known of a run while it goes on."""

    name: str
    ranks: int
    steps: int
    warm_up: int
    records: list[StepRecord] = field(default_factory=list)
    ready_ahead: list[int] = field(default_factory=list)
    decoded_per_second: float = 0.0
    _decoded: tuple[float, float] | None = None

    def status(self, status: dict[str, Any], now: float) -> None:
        """Takes in an answer to ``/v1/status`` at a time in seconds."""
        self.ready_ahead = [rank["ready_ahead"] for rank in status["ranks"]]
        decoded = float(status["counters"].get("decoded_samples", 0.0))
        if self._decoded is not None and now > self._decoded[0]:
            self.decoded_per_second = (decoded - self._decoded[1]) / (now - self._decoded[0])
        self._decoded = (now, decoded)

    def step(self) -> int:
        """Steps that all ranks have done."""
        whole = [step for step, ranks in by_step(self.records).items() if len(ranks) == self.ranks]
        return 1 + max(whole, default=-1)

    def last(self) -> list[StepRecord]:
        """The last step that all ranks have done, by rank."""
        step = self.step() - 1
        return sorted((r for r in self.records if r.step == step), key=lambda r: r.rank)

    def imbalance(self) -> float:
        """Largest over mean compute window of the last step."""
        windows = [record.load.window_seconds for record in self.last()]
        return max(windows) * len(windows) / sum(windows) if windows else 1.0

    def lines(self) -> list[str]:
        """The table."""
        done = self.step() * BAR_WIDTH // self.steps
        bar = "#" * done + "-" * (BAR_WIDTH - done)
        phase = " (warm-up)" if self.step() < self.warm_up else ""
        lines = [f"{self.name:<12} [{bar}] step {self.step()} of {self.steps}{phase}"]
        lines += [f"imbalance {self.imbalance():.2f}   decode {self.decoded_per_second:.0f}/s", ""]
        lines += ["rank  ready ahead  input wait ms  misses  compute ms  samples  tokens  patches"]
        for record in self.last():
            own = [r for r in self.records if r.rank == record.rank and r.step >= self.warm_up]
            misses = sum(r.wait_seconds > MISS_SECONDS for r in own)
            ahead = self.ready_ahead[record.rank] if record.rank < len(self.ready_ahead) else 0
            load = record.load
            lines.append(
                f"{record.rank:>4}  {ahead:>11}  {record.wait_seconds * 1000:>13.1f}  {misses:>6}  "
                f"{load.window_seconds * 1000:>10.0f}  {load.samples:>7}  {load.tokens:>6}  {load.patches:>7}"
            )
        return lines

    def line(self) -> str:
        """The table in one line."""
        waits = [record.wait_seconds * 1000 for record in self.last()]
        ahead = " ".join(map(str, self.ready_ahead))
        return (
            f"{self.name:<12} step {self.step():>3} of {self.steps}   ready ahead {ahead}   "
            f"input wait {max(waits, default=0.0):.1f} ms   imbalance {self.imbalance():.2f}   "
            f"decode {self.decoded_per_second:.0f}/s"
        )


class Screen:
    """Shows a watch on a stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._drawn = 0
        self._shown_at = 0.0

    def show(self, watch: Watch, *, final: bool = False) -> None:
        """Draws the watch if it is time, or if it is the last look."""
        now = time.monotonic()
        due = now - self._shown_at >= (REDRAW_SECONDS if self._terminal else LINE_SECONDS)
        if not (due or final) or not watch.records:
            return
        self._shown_at = now
        if self._terminal:
            self._redraw(watch.lines())
        else:
            print(watch.line(), file=self._stream, flush=True)
        if final:
            self._drawn = 0

    def _redraw(self, lines: list[str]) -> None:
        up = f"\033[{self._drawn}F" if self._drawn else ""
        self._stream.write(up + "".join(f"\033[K{line}\n" for line in lines))
        self._stream.flush()
        self._drawn = len(lines)
