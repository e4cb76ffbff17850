"""Line charts of a figure by step, one line a run: as SVG for the report and on a picture for the contact sheet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from PIL import ImageDraw, ImageFont

WIDTH, HEIGHT = 620, 230
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 44, 32
COLOURS = ("#2563eb", "#d97706")
GRID, INK, FAINT = "#e5e7eb", "#111827", "#6b7280"
TICKS = 4
LEGEND_PIXELS, MARK_PIXELS = 130, 18

Point = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """A run's values, one a step; step ``first`` is the first."""

    name: str
    first: int
    values: Sequence[float]


@dataclass(frozen=True)
class Chart:
    """A chart; its vertical axis begins at ``floor``."""

    title: str
    lines: Sequence[Line]
    floor: float = 0.0

    def top(self) -> float:
        """Upper end of the vertical axis: the least of 1, 2, 2.5 or 5 times a power of ten that is above all values, from the floor on."""
        most = max(max(line.values) for line in self.lines) - self.floor
        power = 10.0 ** math.floor(math.log10(max(most, 1e-9)))
        return self.floor + next(
            factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= most
        )

    def points(self, line: Line) -> list[Point]:
        """Where a line goes, in pixels of a chart of WIDTH x HEIGHT."""
        first = min(other.first for other in self.lines)
        steps = max(other.first + len(other.values) for other in self.lines) - first
        across = (WIDTH - LEFT - RIGHT) / max(1, steps - 1)
        return [
            (LEFT + (line.first - first + n) * across, self.height(value))
            for n, value in enumerate(line.values)
        ]

    def height(self, value: float) -> float:
        """Vertical place of a value, in pixels from the top."""
        return (
            HEIGHT
            - BOTTOM
            - (value - self.floor) / (self.top() - self.floor) * (HEIGHT - TOP - BOTTOM)
        )

    def ticks(self) -> list[tuple[str, float]]:
        """Labels of the vertical axis and their places."""
        values = [self.floor + (self.top() - self.floor) * n / TICKS for n in range(TICKS + 1)]
        return [(f"{value:.4g}", self.height(value)) for value in values]

    def bounds(self) -> tuple[int, int]:
        """First and last step."""
        return min(line.first for line in self.lines), max(
            line.first + len(line.values) for line in self.lines
        ) - 1


def svg(chart: Chart) -> str:
    """The chart as an SVG element."""
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" aria-label="{escape(chart.title)}">'
    ]
    parts.append(_text(LEFT, 16, chart.title, INK, weight="bold"))
    for n, line in enumerate(chart.lines):
        x = LEFT + LEGEND_PIXELS * n
        parts.append(f'<rect x="{x}" y="28" width="{MARK_PIXELS}" height="3" fill="{COLOURS[n]}"/>')
        parts.append(_text(x + MARK_PIXELS + 6, 34, line.name, INK))
    for label, y in chart.ticks():
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{GRID}"/>'
        )
        parts.append(_text(LEFT - 6, y + 4, label, FAINT, anchor="end"))
    first, last = chart.bounds()
    parts.append(_text(LEFT, HEIGHT - 10, f"step {first}", FAINT))
    parts.append(_text(WIDTH - RIGHT, HEIGHT - 10, f"step {last}", FAINT, anchor="end"))
    for n, line in enumerate(chart.lines):
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in chart.points(line))
        parts.append(
            f'<polyline points="{places}" fill="none" stroke="{COLOURS[n]}" stroke-width="1.8"/>'
        )
    return "".join([*parts, "</svg>"])


def _text(
    x: float, y: float, text: str, colour: str, *, anchor: str = "start", weight: str = "normal"
) -> str:
    style = f'font-size="12" font-weight="{weight}" text-anchor="{anchor}" fill="{colour}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>'


def draw(chart: Chart, canvas: ImageDraw.ImageDraw, corner: tuple[int, int]) -> None:
    """Draws the chart on a picture, its upper left at ``corner``."""
    left, top = corner
    font, bold = ImageFont.load_default(12), ImageFont.load_default(14)
    canvas.text((left + LEFT, top + 4), chart.title, INK, bold)
    for n, line in enumerate(chart.lines):
        x = left + LEFT + LEGEND_PIXELS * n
        canvas.rectangle((x, top + 29, x + MARK_PIXELS, top + 31), COLOURS[n])
        canvas.text((x + MARK_PIXELS + 6, top + 23), line.name, INK, font)
    for label, y in chart.ticks():
        canvas.line((left + LEFT, top + y, left + WIDTH - RIGHT, top + y), GRID)
        canvas.text((left + LEFT - 6, top + y), label, FAINT, font, anchor="rm")
    first, last = chart.bounds()
    canvas.text((left + LEFT, top + HEIGHT - 22), f"step {first}", FAINT, font)
    canvas.text((left + WIDTH - RIGHT, top + HEIGHT - 22), f"step {last}", FAINT, font, anchor="ra")
    for n, line in enumerate(chart.lines):
        canvas.line(
            [(left + x, top + y) for x, y in chart.points(line)], COLOURS[n], 2, joint="curve"
        )
