"""What ranks and decode threads did in the last steps of both jobs, side by side: SVG from the engine's ``/v1/trace``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

WIDTH, GAP, LEFT, TOP = 640, 24, 70, 34
ROW, ROW_GAP = 16, 4
STEPS = 8
WAIT, INK, FAINT, DEADLINE = "#dc2626", "#111827", "#6b7280", "#9ca3af"
OF_STEPS = ("#2563eb", "#0d9488", "#7c3aed", "#ca8a04")
NANOS_PER_MILLI = 1e6


@dataclass(frozen=True)
class Bar:
    """A stretch of time in a row, in milliseconds from the begin of the first step that is shown."""

    row: str
    begin: float
    end: float
    colour: str
    title: str


@dataclass(frozen=True)
class Timeline:
    """Some steps of a job. ``deadlines`` are when its slowest rank ended the step before."""

    name: str
    bars: tuple[Bar, ...]
    deadlines: tuple[float, ...]

    @property
    def length(self) -> float:
        """Milliseconds from the first bar's begin to the last one's end."""
        return max((bar.end for bar in self.bars), default=0.0)

    def rows(self) -> list[str]:
        """Ranks, then decode threads."""
        return sorted({bar.row for bar in self.bars}, key=lambda r: (r[0] != "r", r))


def timeline(name: str, trace: dict[str, Any], steps: int = STEPS) -> Timeline:
    """The last whole steps of a trace."""
    whole = [w for w in trace["ranks"] if w["compute_nanos"] > 0]
    last = min((max(w["step"] for w in whole if w["rank"] == r) for r in _ranks(whole)), default=0)
    windows = [w for w in whole if last - steps < w["step"] <= last]
    if not windows:
        return Timeline(name, (), ())
    origin = min(w["asked_nanos"] for w in windows)
    bars: list[Bar] = []
    ends: dict[int, float] = {}
    for w in windows:
        begin = (w["asked_nanos"] - origin) / NANOS_PER_MILLI
        ready = begin + w["wait_nanos"] / NANOS_PER_MILLI
        end = ready + w["compute_nanos"] / NANOS_PER_MILLI
        row, step = f"rank {w['rank']}", w["step"]
        bars.append(Bar(row, begin, ready, WAIT, f"step {step}: waits {ready - begin:.1f} ms"))
        title = f"step {step}: computes {end - ready:.1f} ms"
        bars.append(Bar(row, ready, end, _colour(step), title))
        ends[step] = max(ends.get(step, 0.0), end)
    latest = max(ends.values())
    for span in trace["spans"]:
        begin = (span["start_nanos"] - origin) / NANOS_PER_MILLI
        end = (span["end_nanos"] - origin) / NANOS_PER_MILLI
        if end > 0 and begin < latest:
            title = f"step {span['step']} rank {span['rank']}: {end - begin:.1f} ms"
            colour = _colour(span["step"])
            row = f"decode {span['worker']}"
            bars.append(Bar(row, max(0.0, begin), min(end, latest), colour, title))
    return Timeline(name, tuple(bars), tuple(ends.values()))


def _ranks(windows: list[dict[str, Any]]) -> set[int]:
    return {w["rank"] for w in windows}


def _colour(step: int) -> str:
    return OF_STEPS[step % len(OF_STEPS)]


def standalone(element: str) -> str:
    """An SVG element as a file of its own."""
    return element.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def side_by_side(timelines: Sequence[Timeline]) -> str:
    """Both jobs on one scale of time, as an SVG element."""
    longest = max((t.length for t in timelines), default=0.0) or 1.0
    height = TOP + max((len(t.rows()) for t in timelines), default=0) * (ROW + ROW_GAP) + 22
    width = len(timelines) * (WIDTH + GAP) - GAP
    parts = [
        f'<svg viewBox="0 0 {width} {height}" width="{width}" '
        'role="img" aria-label="Timeline of both jobs" font-family="sans-serif" font-size="11">'
    ]
    for place, shown in enumerate(timelines):
        left = place * (WIDTH + GAP)
        scale = (WIDTH - LEFT) / longest
        parts.append(
            f'<text x="{left}" y="14" font-size="14" fill="{INK}">{escape(shown.name)}</text>'
        )
        rows = {row: TOP + n * (ROW + ROW_GAP) for n, row in enumerate(shown.rows())}
        bottom = TOP + len(rows) * (ROW + ROW_GAP)
        for row, y in rows.items():
            parts.append(f'<text x="{left}" y="{y + 12}" fill="{FAINT}">{row}</text>')
        for bar in shown.bars:
            x, wide = left + LEFT + bar.begin * scale, max(0.5, (bar.end - bar.begin) * scale)
            parts.append(
                f'<rect x="{x:.1f}" y="{rows[bar.row]}" width="{wide:.1f}" height="{ROW}" '
                f'fill="{bar.colour}"><title>{escape(bar.title)}</title></rect>'
            )
        for at in shown.deadlines:
            x = left + LEFT + at * scale
            parts.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{bottom}" stroke="{DEADLINE}" stroke-dasharray="3 2"/>'
            )
        words = (
            f"{longest:.0f} ms; red: waits; a colour a step; dashed: the deadline of the next step"
        )
        parts.append(f'<text x="{left + LEFT}" y="{bottom + 14}" fill="{FAINT}">{words}</text>')
    return "".join([*parts, "</svg>"])
