"""The cells that were measured, kept in one file that grows by each."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from account import MOST_OTHERS


@dataclass(frozen=True)
class Key:
    """What tells cells apart. ``budget``: whether the loaders of ranks share all cores or have a quota each."""

    workload: str
    system: str
    rho: float
    budget: str
    repeat: int


class Results:
    """``{"machine": {...}, "tuned": {workload: {system: settings}}, "cells": [...]}``."""

    def __init__(self, file: Path, fresh: bool) -> None:
        self._file = file
        self.cells: list[dict[str, Any]] = []
        self.tuned: dict[str, dict[str, Any]] = {}
        if file.exists() and not fresh:
            kept = json.loads(file.read_text())
            self.cells, self.tuned = kept["cells"], kept["tuned"]

    def has(self, key: Key, settings: dict[str, Any] | None = None) -> bool:
        """Whether there is such a cell, with these settings if given; one that failed or was disturbed is tried again."""
        wanted = asdict(key) | ({} if settings is None else {"settings": settings})
        return any(
            "failure" not in cell
            and cell.get("others", 0.0) <= MOST_OTHERS
            and all(cell.get(k) == v for k, v in wanted.items())
            for cell in self.cells
        )

    def add(self, key: Key, cell: dict[str, Any]) -> None:
        wanted = asdict(key)
        self.cells = [c for c in self.cells if not all(c[k] == v for k, v in wanted.items())]
        self.cells.append(wanted | cell)
        self.keep()

    def settings(self, workload: str, system: str, usual: dict[str, Any]) -> dict[str, Any]:
        """The best of the settings that were tried, else the usual ones."""
        found: dict[str, Any] = self.tuned.get(workload, {}).get(system, {}).get("best", usual)
        return found

    def tune(self, workload: str, system: str, tried: list[dict[str, Any]]) -> None:
        """Keeps settings that were tried, each with its ``steps_per_second``."""
        best = max(tried, key=lambda one: one["steps_per_second"])["settings"]
        self.tuned.setdefault(workload, {})[system] = {"best": best, "tried": tried}
        self.keep()

    def keep(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        machine = {
            "cores": len(os.sched_getaffinity(0)),
            "cpu": _cpu(),
            "kernel": platform.release(),
            "python": platform.python_version(),
        }
        kept = {"machine": machine, "tuned": self.tuned}
        cells = ",\n".join(json.dumps(cell) for cell in self.cells)
        part = self._file.with_suffix(".part")
        part.write_text(f'{json.dumps(kept)[:-1]}, "cells": [\n{cells}\n]}}\n')
        part.replace(self._file)


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
