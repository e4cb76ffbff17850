"""Tables and plots of what the race has measured so far."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import Any

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from account import MOST_OTHERS
from measures import times_faster

Cell = dict[str, Any]
# Workload, rho, budget, system.
Place = tuple[str, float, str, str]

PLOTTED = ("ready balanced", "dataloader", "ray", "headrace")
COLOURS = {
    "ready balanced": "#999999",
    "dataloader": "#b2182b",
    "ray": "#ef8a62",
    "headrace": "#2166ac",
}
COLUMNS = (
    "rho",
    "system",
    "steps/s",
    "tokens/s",
    "over DataLoader",
    "over Ray",
    "share of its bound",
    "misses",
    "wait p50, p95, p99 ms",
    "stall share",
    "imbalance",
    "CPU s a step, pure",
    "beyond pure",
    "PSS GB",
)


def groups(cells: list[Cell]) -> dict[Place, list[Cell]]:
    """Cells of the same workload, rho, budget and system."""
    found: dict[Place, list[Cell]] = {}
    for cell in cells:
        if "failure" not in cell and cell.get("others", 0.0) <= MOST_OTHERS:
            key = (cell["workload"], cell["rho"], cell["budget"], cell["system"])
            found.setdefault(key, []).append(cell)
    return found


def speed(cells: list[Cell]) -> float:
    """Median of the steps a second."""
    return float(median(cell["steps_per_second"] for cell in cells))


def ratio(ours: list[Cell], theirs: list[Cell]) -> float:
    """Median of ``times_faster``; 0 without cells of the same repeat."""
    return float(median(times_faster(ours, theirs) or [0.0]))


def beyond(cells: list[Cell], ready: list[Cell]) -> float:
    """CPU time of a loader over its pure decoding and processing, less 1; what the rank loop takes on ready input is not the loader's."""
    loop = median(cell["cpu_seconds_a_step"] for cell in ready)
    return float(
        median(
            (cell["cpu_seconds_a_step"] - loop) / cell["decode_cpu_seconds_a_step"] - 1
            for cell in cells
        )
    )


def share(cells: list[Cell]) -> float:
    """Median share of the cells' bound."""
    return float(median(cell["steps_per_second"] / cell["bound"] for cell in cells))


def middle(cells: list[Cell], name: str, of: Callable[[float], str]) -> str:
    """Median, and least to greatest where there are several."""
    values = [cell[name] for cell in cells]
    text = of(median(values))
    return text if len(values) < 2 else f"{text} ({of(min(values))} to {of(max(values))})"


def mean(values: Iterable[float]) -> str:
    """Geometric mean of ratios."""
    logs = [math.log(value) for value in values if value > 0]
    return f"{math.exp(sum(logs) / len(logs)):.2f}" if logs else ""


def write(folder: Path) -> None:
    """Writes ``workloads.md`` and its plots beside the results."""
    results = json.loads((folder / "workloads.json").read_text())
    found = groups(results["cells"])
    names = sorted({place[0] for place in found}, key=lambda n: int(n[1:]))
    machine = results["machine"]
    lines = [
        "# The workloads, raced",
        "",
        "Written by `./headrace bench`; data: `workloads.json`. Medians, with least and greatest where a cell was repeated.",
        f"{machine['cores']} cores ({machine['cpu']}), 8 ranks. What the words mean: [benchmarks](../benchmarks.md).",
        "",
        *_overview(found, names),
    ]
    for name in names:
        lines += _table(name, found)
    lines += _settings(results["tuned"])
    failed = [_failure(c) for c in results["cells"] if _failure(c)]
    if failed:
        lines += ["## Cells left out", ""]
        lines += [f"- {of}" for of in failed]
    (folder / "workloads.md").write_text("\n".join(lines).rstrip() + "\n")
    _plot(folder, found, names)
    _timeline(folder, found, names)


def _failure(cell: Cell) -> str:
    """Why the tables leave a cell out; nothing if they do not."""
    why = cell.get("failure", "")
    if not why and cell.get("others", 0.0) > MOST_OTHERS:
        why = f"other processes took {cell['others']:.0%} of the cores"
    where = f"{cell['workload'].upper()} {cell['system']} rho {cell['rho']:g} {cell['budget']}"
    return f"{where}: {why}" if why else ""


def _overview(found: dict[Place, list[Cell]], names: list[str]) -> list[str]:
    lines = [
        "## Headrace, all workloads",
        "",
        "Geometric means over the workloads that have both cells.",
        "",
        "| rho | budget | workloads | over DataLoader | over Ray | share of the bound | misses, DataLoader's | wait p95 ms, DataLoader's |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for rho, budget in sorted({(place[1], place[2]) for place in found}):
        ours = {n: found.get((n, rho, budget, "headrace"), []) for n in names}
        ours = {n: cells for n, cells in ours.items() if cells}
        if not ours:
            continue
        base = {n: found.get((n, rho, budget, "dataloader"), []) for n in ours}
        # Ray's pool has all cores in both budgets.
        ray = {n: found.get((n, rho, "shared", "ray"), []) for n in ours}
        both = [n for n in ours if base[n]]

        def typical(cells: dict[str, list[Cell]], name: str, among: list[str] = both) -> float:
            return median(median(c[name] for c in cells[n]) for n in among) if among else math.nan

        row = [
            f"{rho:g}",
            budget,
            str(len(ours)),
            mean(ratio(ours[n], base[n]) for n in both),
            mean(ratio(ours[n], ray[n]) for n in ours),
            mean(share(cells) for cells in ours.values()),
            f"{typical(ours, 'miss_rate'):.1%}, {typical(base, 'miss_rate'):.1%}",
            f"{typical(ours, 'wait_p95_ms'):.1f}, {typical(base, 'wait_p95_ms'):.1f}",
        ]
        lines.append(f"| {' | '.join(row)} |")
    return [*lines, "", "Misses and waits: medians over the workloads.", ""]


def _table(name: str, found: dict[Place, list[Cell]]) -> list[str]:
    lines = [f"## {name.upper()}", "", f"| {' | '.join(COLUMNS)} |", "| --- " * len(COLUMNS) + "|"]
    for (workload, rho, budget, system), cells in sorted(found.items()):
        if workload != name:
            continue
        base = ratio(cells, found.get((workload, rho, budget, "dataloader"), []))
        ray = ratio(cells, found.get((workload, rho, "shared", "ray"), []))
        ready = found.get((workload, rho, "shared", "ready balanced"), [])
        waits = (median(c[f"wait_p{p}_ms"] for c in cells) for p in (50, 95, 99))
        row = [
            f"{rho:g}",
            system if budget == "shared" else f"{system}, {budget}",
            middle(cells, "steps_per_second", lambda v: f"{v:.2f}"),
            f"{median(c['tokens_per_second'] for c in cells):,.0f}",
            f"{base:.2f}" if base else "",
            f"{ray:.2f}" if ray else "",
            f"{share(cells):.2f}",
            middle(cells, "miss_rate", lambda v: f"{v:.1%}"),
            ", ".join(f"{wait:.1f}" for wait in waits),
            f"{median(c['stall_share'] for c in cells):.1%}",
            f"{median(c['imbalance'] for c in cells):.2f}",
            ", ".join(
                f"{median(c[f'{kind}cpu_seconds_a_step'] for c in cells):.2f}"
                for kind in ("", "decode_")
            ),
            f"{beyond(cells, ready):.0%}" if ready and not system.startswith("ready") else "",
            f"{max(c['peak_pss_bytes'] for c in cells) / 1e9:.2f}",
        ]
        lines.append(f"| {' | '.join(row)} |")
    return [*lines, ""]


def _settings(tuned: dict[str, Any]) -> list[str]:
    """What was tried for the other loaders, and what was best."""
    if not tuned:
        return []
    lines = [
        "## Settings of the other loaders",
        "",
        "Steps/s of 20 steps at rho 1; the best is raced.",
        "",
    ]
    lines += ["| | system | tried: steps/s |", "| --- | --- | --- |"]
    for workload in sorted(tuned, key=lambda n: int(n[1:])):
        for system, kept in tuned[workload].items():
            tried = "; ".join(
                f"{'**' * (one['settings'] == kept['best'])}{_words(one['settings'])}: {one['steps_per_second']:.2f}{'**' * (one['settings'] == kept['best'])}"
                for one in kept["tried"]
            )
            lines.append(f"| {workload.upper()} | {system} | {tried} |")
    return [*lines, ""]


def _words(settings: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in settings.items())


def _plot(folder: Path, found: dict[Place, list[Cell]], names: list[str]) -> None:
    """A column for each workload: steps/s, share of the bound, stall share, misses and waits against rho."""
    rows: list[tuple[str, Callable[[list[Cell]], float]]] = [
        ("steps/s", speed),
        ("share of its bound", share),
        ("stall share", lambda cells: median(c["stall_share"] for c in cells)),
        ("misses", lambda cells: median(c["miss_rate"] for c in cells)),
        ("wait p95, ms", lambda cells: median(c["wait_p95_ms"] for c in cells)),
    ]
    columns = max(1, len(names))
    figure, axes = plt.subplots(
        len(rows), columns, figsize=(2.6 * columns, 2.2 * len(rows)), squeeze=False
    )
    for column, name in enumerate(names):
        axes[0][column].set_title(name.upper())
        for row, (title, value) in enumerate(rows):
            axis = axes[row][column]
            for system in PLOTTED:
                points = sorted(
                    (rho, value(cells))
                    for (workload, rho, budget, its), cells in found.items()
                    if workload == name and its == system and budget == "shared"
                )
                if points:
                    axis.plot(*zip(*points, strict=True), "o-", label=system, color=COLOURS[system])
            axis.set_ylim(bottom=0)
            axis.grid(alpha=0.3)
            if column == 0:
                axis.set_ylabel(title)
    for axis in axes[-1]:
        axis.set_xlabel("rho")
    axes[0][0].legend(fontsize=6)
    figure.tight_layout()
    figure.savefig(folder / "workloads.svg", metadata={"Date": None})
    plt.close(figure)


def _timeline(folder: Path, found: dict[Place, list[Cell]], names: list[str]) -> None:
    """Steps of a cell at rho 1 one after the other: the longest wait, then the longest window of each."""
    figure, axes = plt.subplots(
        max(1, len(names)), 1, figsize=(10, 1.5 * max(1, len(names))), squeeze=False
    )
    for axis, name in zip(axes[:, 0], names, strict=False):
        systems = [
            s for s in ("headrace", "dataloader", "ray") if (name, 1.0, "shared", s) in found
        ]
        for line, system in enumerate(systems):
            now = 0.0
            for wait, window in found[name, 1.0, "shared", system][0]["timeline_ms"]:
                axis.barh(line, wait, left=now, color="#b2182b", height=0.7)
                axis.barh(
                    line, window, left=now + wait, color="#92c5de", height=0.7, ec="white", lw=0.3
                )
                now += wait + window
        axis.set_yticks(range(len(systems)), systems, fontsize=7)
        axis.set_ylabel(name.upper())
    axes[-1][0].set_xlabel(
        "ms from the end of the warm-up; red: all wait for the slowest input, blue: compute"
    )
    figure.tight_layout()
    figure.savefig(folder / "workloads-timeline.svg", metadata={"Date": None})
    plt.close(figure)
