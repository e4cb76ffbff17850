"""Tables and plots of what the race has measured so far."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

Cell = dict[str, Any]


def groups(cells: list[Cell]) -> dict[tuple[str, float, str], list[Cell]]:
    """Cells of the same workload, rho and system."""
    found: dict[tuple[str, float, str], list[Cell]] = {}
    for cell in cells:
        if "failure" not in cell:
            key = (cell["workload"], cell["rho"], cell["system"])
            found.setdefault(key, []).append(cell)
    return found


def middle(cells: list[Cell], name: str, of: Callable[[float], str]) -> str:
    """Median, and least to greatest where there are several."""
    values = [cell[name] for cell in cells]
    text = of(median(values))
    return text if len(values) < 2 else f"{text} ({of(min(values))} to {of(max(values))})"


def write(folder: Path) -> None:
    """Writes ``workloads.md`` and its plot beside the results."""
    results = json.loads((folder / "workloads.json").read_text())
    found = groups(results["cells"])
    lines = [
        "# The workloads, raced",
        "",
        "Written by `./headrace bench`; data: `workloads.json`. Medians, with least and greatest where a cell was repeated.",
        f"{results['machine']['cores']} cores, 8 ranks, all processes on the same cores. What the columns mean: [benchmarks](../benchmarks.md).",
        "",
    ]
    for name in sorted({key[0] for key in found}, key=lambda n: int(n[1:])):
        lines += _table(name, found)
    failed = [c for c in results["cells"] if "failure" in c]
    lines += [f"- {c['workload']} {c['system']} rho {c['rho']}: {c['failure']}" for c in failed]
    (folder / "workloads.md").write_text("\n".join(lines) + "\n")
    _plot(folder, found)


def _table(name: str, found: dict[tuple[str, float, str], list[Cell]]) -> list[str]:
    head = [
        "rho",
        "system",
        "steps/s",
        "over DataLoader",
        "share of bound",
        "misses",
        "wait p95 ms",
    ]
    head += ["stall share", "imbalance", "CPU s a step", "PSS GB"]
    lines = [f"## {name.upper()}", "", f"| {' | '.join(head)} |", "| --- " * len(head) + "|"]
    for (workload, rho, system), cells in sorted(found.items()):
        if workload != name:
            continue
        base = found.get((workload, rho, "dataloader"))
        speed = median(c["steps_per_second"] for c in cells)
        bound = median(c["bound_steps_per_second"] for c in cells)
        ratio = (
            f"{speed / median(c['steps_per_second'] for c in base):.2f}" if base is not None else ""
        )
        row = [
            f"{rho:g}",
            system,
            middle(cells, "steps_per_second", lambda v: f"{v:.2f}"),
            ratio,
            f"{speed / bound:.2f}",
            middle(cells, "miss_rate", lambda v: f"{v:.0%}"),
            middle(cells, "wait_p95_ms", lambda v: f"{v:.0f}"),
            middle(cells, "stall_share", lambda v: f"{v:.0%}"),
            f"{median(c['imbalance'] for c in cells):.2f}",
            f"{median(c['cpu_seconds_a_step'] for c in cells):.2f}",
            f"{max(c['peak_pss_bytes'] for c in cells) / 1e9:.2f}",
        ]
        lines.append(f"| {' | '.join(row)} |")
    return [*lines, ""]


def _plot(folder: Path, found: dict[tuple[str, float, str], list[Cell]]) -> None:
    names = sorted({key[0] for key in found}, key=lambda n: int(n[1:]))
    figure, axes = plt.subplots(1, max(1, len(names)), figsize=(4 * max(1, len(names)), 3.4))
    for axis, name in zip([axes] if len(names) < 2 else list(axes), names, strict=False):
        for system in sorted({key[2] for key in found if key[0] == name}):
            points = sorted(
                (rho, median(c["steps_per_second"] / c["bound_steps_per_second"] for c in cells))
                for (workload, rho, its), cells in found.items()
                if workload == name and its == system
            )
            axis.plot(*zip(*points, strict=True), marker="o", label=system)
        axis.set(title=name.upper(), xlabel="rho", ylim=(0, 1.1), xscale="log")
        axis.grid(alpha=0.3)
    figure.axes[0].set_ylabel("steps/s, share of balanced ready input")
    figure.axes[-1].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(folder / "workloads.svg")
