"""`./headrace demo`: the main job on real pictures, in about a minute, and the same job with rank-local pools beside it.

Makes the data, starts an engine, feeds four rank processes whose accelerators are emulated, shows a live table, and writes a report.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from types import FrameType
from typing import Any

from cells import Cell
from engine import Engine, EngineJob, remove_left_behind
from failure import DemoError
from figures import Run, figures
from loop import StepRecord
from ranks import RankFailure, RankJob, Ranks
from report import Comparison, charts, html, lines
from sheet import contact_sheet, entries, save_thumbs
from table import Screen, Watch
from timeline import STEPS, Timeline, side_by_side, standalone, timeline
from words import Vocabulary

EXAMPLES = Path(__file__).resolve().parents[1]
SOURCES = ("pairs", "chats")
LOOK_SECONDS = 0.25
FEWEST_MEASURED = 2


@dataclass(frozen=True)
class Settings:
    """The command line. ``home`` holds ``demo/*.yaml``, ``data`` and ``out``."""

    home: Path
    ranks: int
    steps: int
    warm_up: int
    samples: int
    most_seconds: float

    @property
    def out(self) -> Path:
        """Folder of the report."""
        return self.home / "out"


@dataclass(frozen=True)
class Seen:
    """What a run leaves: its records, the batch that was taken apart, and a look at its last steps."""

    run: Run
    cells: tuple[Cell, ...]
    timeline: Timeline


def parse(arguments: Sequence[str] | None = None) -> Settings:
    """The settings of a command line."""
    parser = argparse.ArgumentParser(prog="headrace demo", description=__doc__.split("\n\n")[1])
    parser.add_argument(
        "--home", type=Path, default=EXAMPLES, help="folder of demo/*.yaml; data and out come here"
    )
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--steps", type=int, default=40, help="steps of each job, warm-up included")
    parser.add_argument("--warm-up", type=int, default=6, help="first steps that are not measured")
    parser.add_argument(
        "--samples", type=int, default=96, help="samples to make of the pictures in examples/media"
    )
    parser.add_argument(
        "--most-seconds",
        type=float,
        default=40.0,
        help="a job whose measured steps take longer ends sooner",
    )
    given = parser.parse_args(arguments)
    if given.steps < given.warm_up + FEWEST_MEASURED:
        parser.error(
            f"--steps {given.steps}: at least {given.warm_up + FEWEST_MEASURED} with {given.warm_up} to warm up"
        )
    return Settings(
        given.home.resolve(),
        given.ranks,
        given.steps,
        given.warm_up,
        given.samples,
        given.most_seconds,
    )


def launcher() -> Path:
    """The launcher of this checkout."""
    return Path(os.environ.get("HEADRACE_HOME") or EXAMPLES.parent) / "headrace"


def make_data(settings: Settings) -> None:
    """Makes the demo's data, unless they are there."""
    print(f"data: {settings.home / 'data'}", flush=True)
    command = [sys.executable, str(EXAMPLES / "make_data.py"), "--out", str(settings.home / "data")]
    if subprocess.run([*command, "--samples", str(settings.samples)], check=False).returncode != 0:
        raise DemoError("the data could not be made; the reason is above")


def prepare(settings: Settings) -> None:
    """Indexes the data; both jobs read the same index."""
    command = [str(launcher()), "prepare", str(settings.home / "demo" / "recipe.yaml")]
    if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode != 0:
        raise DemoError("headrace prepare failed; the reason is above")


def run(settings: Settings, name: str, recipe: str, *, rank_local: bool) -> Seen:
    """Runs one job to its end."""
    log = settings.out / f"{recipe}.log"
    path = settings.home / "demo" / f"{recipe}.yaml"
    started = time.monotonic()
    job = EngineJob(launcher(), path, log, settings.ranks, rank_local)
    with Engine(job) as engine:
        engine.await_start()
        print(f"\n{name}: {path}, engine up after {time.monotonic() - started:.1f} s", flush=True)
        rank_job = RankJob(
            recipe=str(path),
            job=job.job,
            socket=engine.socket,
            ranks=settings.ranks,
            steps=settings.steps,
            warm_up=settings.warm_up,
            most_seconds=settings.most_seconds,
            log=str(log),
        )
        with Ranks(rank_job) as ranks:
            watch = Watch(name, settings.ranks, settings.steps, settings.warm_up)
            return _watched(watch, ranks, engine)


def _watched(watch: Watch, ranks: Ranks, engine: Engine) -> Seen:
    """Shows a run until its ranks have ended."""
    screen = Screen(sys.stdout)
    cells: list[Cell] = []
    cpu_before = cpu_after = looked_at = 0.0
    trace: dict[str, Any] = {"ranks": [], "spans": []}
    while ranks.running:
        for message in ranks.messages(LOOK_SECONDS):
            match message:
                case RankFailure() as failure if failure.alone:
                    engine.check()
                    raise DemoError(f"rank {failure.rank}: {failure.message}{engine.last_words()}")
                case RankFailure():
                    pass
                case StepRecord():
                    watch.records.append(message)
                    if message.step < watch.warm_up:
                        cpu_before = engine.cpu_seconds()
                case _:
                    cells += message
        now = time.monotonic()
        if ranks.running and not cells and now - looked_at >= LOOK_SECONDS:
            looked_at = now
            engine.check()
            cpu_after = engine.cpu_seconds()
            # A look may be missed on a busy machine; what is wrong with a job its ranks tell.
            with suppress(OSError, HTTPException):
                watch.status(engine.ask("/v1/status"), now)
                trace = engine.ask(f"/v1/trace?steps={2 * STEPS}")
            screen.show(watch)
    screen.show(watch, final=True)
    return Seen(
        Run(watch.name, tuple(watch.records), cpu_after - cpu_before),
        tuple(cells),
        timeline(watch.name, trace),
    )


def write(settings: Settings, ours: Seen, theirs: Seen) -> None:
    """Prints the comparison and writes the report, its figures as JSON, and the contact sheet."""
    first, last = settings.warm_up, min(ours.run.steps(), theirs.run.steps()) - 1
    if last - first + 1 < FEWEST_MEASURED:
        raise DemoError(
            f"only {last + 1} steps were done within --most-seconds {settings.most_seconds:.0f}"
        )
    comparison = Comparison(
        figures(ours.run, first, last),
        figures(theirs.run, first, last),
        len(os.sched_getaffinity(0)),
    )
    shown_charts = charts(ours.run, theirs.run, first, last)
    step = ours.cells[0].step
    shown = entries(ours.cells, SOURCES, Vocabulary(settings.home / "data/qwen_tokenizer.json"))
    save_thumbs(shown, settings.out / "pictures")
    title = f"The batch of step {step}: {len(shown)} samples, re-made from what the ranks got"
    contact_sheet(shown, title, shown_charts, settings.out / "contact_sheet.png")
    report = settings.out / "report.html"
    timelines = side_by_side([ours.timeline, theirs.timeline])
    (settings.out / "timeline.svg").write_text(standalone(timelines), encoding="utf-8")
    report.write_text(html(comparison, shown_charts, timelines, shown, step), encoding="utf-8")
    document = {
        "ours": comparison.ours.as_dict(),
        "theirs": comparison.theirs.as_dict(),
        "cores": comparison.cores,
    }
    document |= {"rho": comparison.rho(), "sheet_step": step}
    document["sheet"] = [
        {"name": e.name, "place": e.place, "tokens": e.tokens, "sizes": e.sizes, "answer": e.answer}
        for e in shown
    ]
    (settings.out / "report.json").write_text(json.dumps(document, indent=1), encoding="utf-8")
    print("\n" + "\n".join(lines(comparison)))
    print(
        f"\n{comparison.notes()}\n\nreport:        {report}\ncontact sheet: {settings.out / 'contact_sheet.png'}"
        f"\ntimeline:      {settings.out / 'timeline.svg'}"
    )


def _ended(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)


def main() -> int:
    """Runs the demo; the exit status is 0, 1 after a failure, or 128 and the number of the signal."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _ended)
    settings = parse()
    settings.out.mkdir(parents=True, exist_ok=True)
    try:
        remove_left_behind(settings.home / "demo")
        make_data(settings)
        prepare(settings)
        ours = run(settings, "Headrace", "recipe", rank_local=False)
        theirs = run(settings, "rank-local", "rank_local", rank_local=True)
        write(settings, ours, theirs)
    except DemoError as error:
        print(f"headrace demo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nheadrace demo: stopped", file=sys.stderr)
        return 128 + signal.SIGINT
    return 0


if __name__ == "__main__":
    sys.exit(main())
