"""A runtime folder in which jobs run as on a host of their own, and what their ranks wrote."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
# What is promised for an idle machine is 5 s: grace of 1 s, and closing. A busy machine may be slower.
GONE_SECONDS = 5.0
GONE_SECONDS_BUSY = 30.0
RUN_SECONDS = 150


@dataclass
class Host:
    """A runtime folder of its own, in which jobs run as on a host of their own."""

    folder: Path
    ranks: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def runtime(self) -> Path:
        """Where sockets and logs lie."""
        return self.folder / "headrace"

    def environment(self) -> dict[str, str]:
        """What ranks and commands run with."""
        source = str(REPOSITORY / "python")
        return {**os.environ, "PYTHONPATH": source}

    def rank(self, *arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        """Starts train.py as a rank."""
        command = [sys.executable, str(HERE / "train.py"), *map(str, arguments)]
        for name, value in options.items():
            values = value if isinstance(value, list) else [value]
            command += [f"--{name}={one}" for one in values]
        with (self.folder / "ranks.log").open("ab") as log:
            rank = subprocess.Popen(command, env=self.environment(), stdout=log, stderr=log)
        self.ranks.append(rank)
        return rank

    def job(self, recipe: Path, ranks: int, out: Path, steps: int, **options: Any) -> None:
        """Runs all ranks of a job to their end; lines go to ``out-RANK``."""
        running = [
            self.rank(recipe, rank, ranks, f"{out}-{rank}", steps, **options)
            for rank in range(ranks)
        ]
        for rank in running:
            assert rank.wait(timeout=RUN_SECONDS) == 0, self.told()

    def told(self) -> str:
        """What ranks and engines have printed."""
        logs = [self.folder / "ranks.log", *sorted(self.runtime.glob("*.log"))]
        return "\n".join(f"{log.name}:\n{log.read_text()}" for log in logs if log.exists())

    def command(self, *arguments: Any, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Runs a command of the launcher."""
        return subprocess.run(
            [str(REPOSITORY / "headrace"), *map(str, arguments)],
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=RUN_SECONDS,
            check=check,
        )

    def engines(self) -> list[int]:
        """Processes of engines whose socket is in this runtime folder."""
        return [pid for pid, command in processes() if f"{self.runtime}/" in command]

    def await_nothing_left(self, *, engine_was_killed: bool = False) -> None:
        """Asserts that no process, socket or memory of any job is left, only logs; told if it took longer than promised.

        The socket of an engine that was killed stays, without a listener, until the next engine starts.
        """
        began = time.monotonic()
        kept = {".log", ".sock"} if engine_was_killed else {".log"}
        while found := self._left(kept):
            assert time.monotonic() < began + GONE_SECONDS_BUSY, f"still there: {found}"
            time.sleep(0.05)
        took = time.monotonic() - began
        if took > GONE_SECONDS:
            print(f"nothing was left after {took:.1f} s; on an idle machine it is {GONE_SECONDS} s")

    def _left(self, kept: set[str]) -> list[str]:
        left = [f"engine {pid}" for pid in self.engines()]
        left += [f"rank {rank.pid}" for rank in self.ranks if rank.poll() is None]
        if self.runtime.exists():
            left += [p.name for p in self.runtime.iterdir() if p.suffix not in kept]
        left += [p.name for p in Path("/dev/shm").iterdir() if p.name.startswith("headrace-")]
        return left

    def stop(self) -> None:
        """Kills what a failed test left running."""
        for pid in [*self.engines(), *(r.pid for r in self.ranks if r.poll() is None)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for rank in self.ranks:
            rank.wait()


def processes() -> Iterator[tuple[int, str]]:
    """Number and command line of every process of this host that is no zombie."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if command:
            yield int(folder.name), command


Lines = dict[int, list[dict[str, Any]]]


def read_lines(out: Path, ranks: int) -> Lines:
    """What all ranks wrote, by step. The last line of a killed rank may be cut off and is left out."""
    steps: Lines = {}
    for rank in range(ranks):
        file = Path(f"{out}-{rank}")
        if not file.exists():
            continue
        for text in file.read_text().splitlines(keepends=True):
            if text.endswith("\n"):
                line = json.loads(text)
                steps.setdefault(line["step"], []).append(line)
    return steps


def samples_by_step(lines: Lines) -> dict[int, list[Any]]:
    """Samples of each step over all ranks: id, validity and hashes, sorted."""
    return {
        step: sorted(
            (sample["id"], sample["valid"], sorted(sample["hashes"].items()))
            for line in of_step
            for sample in line["samples"]
        )
        for step, of_step in lines.items()
    }


def wait_for(condition: Callable[[], Any], seconds: float = 60.0) -> Any:
    """The first true value of a condition; an error if there is none within a generous bound."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited {seconds} s in vain"
        time.sleep(0.02)
    return found
