"""The report: both runs side by side, as lines for a terminal and as one HTML file that needs no other."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from chart import Chart, Line, svg
from figures import Figures, Run, step_figures
from PIL import Image
from sheet import Entry

STYLE = """
body{font:14px/1.45 system-ui,sans-serif;color:#111827;max-width:1300px;margin:32px auto;padding:0 16px}
h1{font-size:24px;margin-bottom:4px}h2{font-size:18px;margin-top:32px}p{max-width:80ch}
table{border-collapse:collapse}td,th{padding:4px 14px;text-align:right;border-bottom:1px solid #e5e7eb}
td:first-child,th:first-child{text-align:left}.charts{display:flex;flex-wrap:wrap;gap:16px}
.sheet{display:grid;grid-template-columns:repeat(auto-fill,minmax(210px,1fr));gap:18px}
.sheet img{max-width:100%;margin-right:4px;vertical-align:bottom}.sheet .place{color:#6b7280;font-size:12px}
.sheet .text{font-size:12px;color:#6b7280;overflow-wrap:anywhere;white-space:pre-line}.sheet b{color:#111827}
"""
NAME_WIDTH, VALUE_WIDTH = 44, 12


@dataclass(frozen=True)
class Row:
    """A figure of both runs; ``ratio`` is the first over the second, empty where it says nothing."""

    name: str
    ours: str
    theirs: str
    ratio: str


@dataclass(frozen=True)
class Comparison:
    """Two runs over the same steps, Headrace first. ``cores`` are those that the demo may use."""

    ours: Figures
    theirs: Figures
    cores: int

    def rho(self) -> float:
        """CPU-seconds of a step over what the cores have in the rank-local job's mean largest window; 0 if CPU time is not known."""
        steps = self.ours.last - self.ours.first + 1
        return self.ours.cpu_seconds / steps / (self.cores * self.theirs.window_seconds)

    def rows(self) -> list[Row]:
        """The table."""
        a, b = self.ours, self.theirs
        return [
            _row("samples/s", a.samples_per_second, b.samples_per_second, "{:.1f}"),
            _row("tokens/s", a.tokens_per_second, b.tokens_per_second, "{:.0f}"),
            _row(
                "deadline misses, % of (rank, step)",
                a.miss_share * 100,
                b.miss_share * 100,
                "{:.1f}",
            ),
            _row("input wait p50, ms", a.wait_p50_ms, b.wait_p50_ms, "{:.2f}"),
            _row("input wait p95, ms", a.wait_p95_ms, b.wait_p95_ms, "{:.2f}"),
            _row("input wait p99, ms", a.wait_p99_ms, b.wait_p99_ms, "{:.2f}"),
            _row(
                "sum of the largest wait of each step, s",
                a.largest_waits_seconds,
                b.largest_waits_seconds,
                "{:.2f}",
            ),
            _row("imbalance, largest over mean window", a.imbalance, b.imbalance, "{:.3f}"),
            _row(
                "mean largest compute window, ms",
                a.window_seconds * 1000,
                b.window_seconds * 1000,
                "{:.0f}",
            ),
            _row("CPU-seconds of the engine", a.cpu_seconds, b.cpu_seconds, "{:.1f}"),
        ]

    def notes(self) -> str:
        """What was measured, in a few sentences."""
        steps = self.ours.last - self.ours.first + 1
        return (
            f"Steps {self.ours.first} to {self.ours.last} of both jobs, {steps} steps with the same samples; the "
            f"{self.ours.first} before them are warm-up and left out. A rank's deadline is when it leaves the barrier of the "
            "step before; it misses when its batch then comes more than 2 ms later. The accelerator is emulated: a rank sleeps "
            "for the compute window that follows from the patches and tokens that it really got, then waits for the others. "
            f"Preprocessing takes {self.rho():.2f} of what {self.cores} cores give in a step's window (rho)."
        )


def _row(name: str, ours: float, theirs: float, form: str) -> Row:
    ratio = f"{ours / theirs:.2f}x" if theirs > 0 else ""
    return Row(name, form.format(ours), form.format(theirs), ratio)


def charts(ours: Run, theirs: Run, first: int, last: int) -> list[Chart]:
    """Largest input wait and imbalance of each measured step."""
    runs = {
        run.name: [figure for figure in step_figures(run.records) if first <= figure.step <= last]
        for run in (ours, theirs)
    }
    waits = [
        Line(name, first, [f.wait_seconds * 1000 for f in steps]) for name, steps in runs.items()
    ]
    uneven = [Line(name, first, [f.imbalance for f in steps]) for name, steps in runs.items()]
    return [
        Chart("Largest input wait of a step, ms", waits),
        Chart("Imbalance of a step: largest over mean compute window", uneven, floor=1.0),
    ]


def lines(comparison: Comparison) -> list[str]:
    """The table for a terminal."""
    heads = [comparison.ours.name, comparison.theirs.name, "ratio"]
    text = [" " * NAME_WIDTH + "".join(f"{head:>{VALUE_WIDTH}}" for head in heads)]
    for row in comparison.rows():
        values = "".join(f"{value:>{VALUE_WIDTH}}" for value in (row.ours, row.theirs, row.ratio))
        text.append(f"{row.name:<{NAME_WIDTH}}{values}")
    return text


def html(
    comparison: Comparison,
    shown_charts: Sequence[Chart],
    timelines: str,
    shown: Sequence[Entry],
    step: int,
) -> str:
    """The whole report."""
    heads = "".join(
        f"<th>{escape(h)}</th>" for h in ("", comparison.ours.name, comparison.theirs.name, "ratio")
    )
    body = "".join(
        f"<tr><td>{escape(r.name)}</td><td>{r.ours}</td><td>{r.theirs}</td><td>{r.ratio}</td></tr>"
        for r in comparison.rows()
    )
    plots = "".join(svg(chart) for chart in shown_charts)
    cells = "".join(_cell(entry) for entry in shown)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Headrace demo</title>'
        f"<style>{STYLE}</style></head><body><h1>Headrace demo</h1><p>{escape(comparison.notes())}</p>"
        f"<table><tr>{heads}</tr>{body}</table>"
        "<p>Rank-local: the same samples handed to the ranks in turn, and a decode thread of its own for each rank, as with a "
        "data loader in each rank process. Ratio: the first column over the second.</p>"
        f'<h2>Step by step</h2><div class="charts">{plots}</div>'
        f"<h2>The last steps</h2><p>Each row is a rank or a decode thread of the job named above it; both jobs on one scale.</p>{timelines}"
        f"<h2>The batch of step {step}</h2><p>Pictures re-made from <code>pixel_values</code>, text decoded from "
        "<code>input_ids</code>; bold is what the labels train. In the order of rank, microbatch, row and offset.</p>"
        f'<div class="sheet">{cells}</div></body></html>\n'
    )


def _cell(entry: Entry) -> str:
    share = 96 // max(1, len(entry.thumbs))
    pictures = "".join(
        f'<img style="max-width:{share}%" src="{_data(t)}" alt="">' for t in entry.thumbs
    )
    sizes = " + ".join(f"{width} x {height}" for width, height in entry.sizes)
    text = "".join(f"<b>{escape(s.text)}</b>" if s.trained else escape(s.text) for s in entry.spans)
    return (
        f'<div>{pictures}<div class="place">{escape(entry.place)}<br>{escape(entry.name)}, {sizes}, '
        f'{entry.image_tokens} of {entry.tokens} tokens</div><div class="text">{text}</div></div>'
    )


def _data(picture: Image.Image) -> str:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=88)
    return "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode()
