"""The demo as a person runs it, small: the whole way from files to the report."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import time
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from conftest import REPOSITORY, java_home
from PIL import Image

EXAMPLES = REPOSITORY / "examples"
SAMPLES, STEPS, WARM_UP, RANKS = 24, 5, 2, 2
PLACE = re.compile(r"rank (\d+)  mb (\d+)  row (\d+)  offset (\d+)")
DEMO_SECONDS = 540


def home_with_recipes(home: Path) -> Path:
    """A folder with the demo's recipes, in packs so that rows hold several samples, and small."""
    (home / "demo").mkdir(parents=True)
    for name in ("recipe.yaml", "rank_local.yaml"):
        text = (EXAMPLES / "demo" / name).read_text()
        small = re.sub(r"batch: .*", "batch: {packs: 4, length: 1024, microbatches: 2}", text)
        small = small.replace("dp: 4", f"dp: {RANKS}")
        small = small.replace("max_tokens: 4096", "image: {max_pixels: 200704}")
        (home / "demo" / name).write_text(small)
    return home


def start(home: Path, *arguments: str) -> subprocess.Popen[str]:
    """Starts the demo there, in a session of its own."""
    command = [sys.executable, str(EXAMPLES / "demo"), "--home", str(home), "--ranks", str(RANKS)]
    command += ["--samples", str(SAMPLES), "--steps", str(STEPS), "--warm-up", str(WARM_UP)]
    environment = {**os.environ, "HEADRACE_HOME": str(REPOSITORY), "JAVA_HOME": str(java_home())}
    return subprocess.Popen(
        [*command, *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def processes_that_name(text: str) -> list[str]:
    """Command lines of processes of this host that contain a text."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if text in command and int(folder.name) != os.getpid():
            found.append(command)
    return found


def session_of(process: subprocess.Popen[str]) -> list[str]:
    """Names of the processes that are still in the session of one that was started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)
        except OSError:
            continue
        if int(fields[1].split()[3]) == process.pid and fields[1].split()[0] != "Z":
            found.append(fields[0])
    return found


def nothing_left(process: subprocess.Popen[str], home: Path) -> bool:
    """Whether all processes of a demo that has ended are gone within the engine's grace and a little more."""
    deadline = time.monotonic() + 10
    while processes_that_name(str(home)) or session_of(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return not list((home / "demo" / ".headrace" / "jobs").glob("*"))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A demo that ran to its end: its folder and what it printed."""
    home = home_with_recipes(tmp_path_factory.mktemp("demo") / "home")
    process = start(home)
    out, error = process.communicate(timeout=DEMO_SECONDS)
    assert process.returncode == 0, out + error
    assert nothing_left(process, home)
    return home, out


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> dict[str, ModuleType]:
    """Modules of the demo by name."""
    monkeypatch.syspath_prepend(str(EXAMPLES / "demo"))
    names = ("cells", "engine", "failure", "figures", "loop", "sheet")
    return {name: import_module(name) for name in names}


def report_of(home: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((home / "out" / "report.json").read_text())
    return report


def test_the_report_compares_both_jobs_over_the_measured_steps(finished: tuple[Path, str]) -> None:
    home, printed = finished
    report = report_of(home)
    for name in ("ours", "theirs"):
        figures = report[name]
        assert (figures["first"], figures["last"]) == (WARM_UP, STEPS - 1)
        assert figures["seconds"] > 0
        assert 0 <= figures["miss_share"] <= 1
        assert 0 <= figures["wait_p50_ms"] <= figures["wait_p95_ms"] <= figures["wait_p99_ms"]
        assert 1 <= figures["imbalance"] <= RANKS
    ours, theirs = report["ours"], report["theirs"]
    samples = [f["samples_per_second"] * f["seconds"] for f in (ours, theirs)]
    tokens = [f["tokens_per_second"] * f["seconds"] for f in (ours, theirs)]
    assert samples[0] == pytest.approx(samples[1])
    assert tokens[0] == pytest.approx(tokens[1])
    assert ours["imbalance"] <= theirs["imbalance"]
    assert f"report:        {home / 'out' / 'report.html'}" in printed
    assert re.search(r"^samples/s +[\d.]+ +[\d.]+ +[\d.]+x$", printed, re.MULTILINE)


def test_the_page_needs_no_other_file(finished: tuple[Path, str]) -> None:
    page = (finished[0] / "out" / "report.html").read_text()
    assert page.count("<svg") == 3
    assert page.count("<img") >= len(report_of(finished[0])["sheet"])
    assert not re.search(r"(src|href)=\"(?!data:)", page)
    assert "http" not in page


def test_pictures_and_texts_of_the_sheet_are_those_of_the_samples(
    finished: tuple[Path, str], modules: dict[str, ModuleType]
) -> None:
    home, _ = finished
    chats = [json.loads(line) for line in (home / "data" / "chats.jsonl").read_text().splitlines()]
    sources = set()
    for number, entry in enumerate(report_of(home)["sheet"]):
        source, index = entry["name"].split(" #")
        sources.add(source)
        if source == "pairs":
            pictures, caption = [pair_picture(home, int(index))], pair_caption(home, int(index))
        else:
            chat = chats[int(index)]
            names = chat["image"] if isinstance(chat["image"], list) else [chat["image"]]
            pictures = [Image.open(home / "data" / name).convert("RGB") for name in names]
            turns = chat["conversations"]
            caption = " ".join(turn["value"] for turn in turns if turn["from"] == "gpt")
        assert entry["answer"] == caption
        assert len(entry["sizes"]) == len(pictures)
        for part, (real, size) in enumerate(zip(pictures, entry["sizes"], strict=True)):
            expected = modules["sheet"].thumb(real.resize(size, Image.Resampling.BICUBIC))
            seen = Image.open(home / "out" / "pictures" / f"{number:03d}-{part}.png")
            difference = np.abs(np.asarray(seen, np.float32) - np.asarray(expected, np.float32))
            assert difference.mean() < 1.5, entry
    assert sources == {"pairs", "chats"}


def shard_member(home: Path, name: str) -> bytes:
    for shard in sorted((home / "data").glob("pairs-*.tar")):
        with tarfile.open(shard) as tar:
            if name in tar.getnames():
                member = tar.extractfile(name)
                assert member is not None
                return member.read()
    raise AssertionError(f"no member {name}")


def pair_picture(home: Path, index: int) -> Image.Image:
    return Image.open(io.BytesIO(shard_member(home, f"{index:06d}.jpg"))).convert("RGB")


def pair_caption(home: Path, index: int) -> str:
    return shard_member(home, f"{index:06d}.txt").decode()


def test_places_of_a_batch_do_not_overlap_and_packs_hold_several(
    finished: tuple[Path, str],
) -> None:
    places = []
    for entry in report_of(finished[0])["sheet"]:
        match = PLACE.fullmatch(entry["place"])
        assert match is not None
        places.append((*map(int, match.groups()), entry["tokens"]))
    assert {place[0] for place in places} == set(range(RANKS))
    assert {place[1] for place in places} == {0, 1}
    assert max(place[3] for place in places) > 0
    for before, after in pairwise(places):
        if before[:3] == after[:3]:
            assert before[3] + before[4] <= after[3]
        assert after[3] + after[4] <= 1024


def test_the_timeline_has_every_rank_and_decode_thread_of_both_jobs(
    finished: tuple[Path, str],
) -> None:
    picture = (finished[0] / "out" / "timeline.svg").read_text()
    assert picture.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    for rank in range(RANKS):
        assert picture.count(f">rank {rank}</text>") == 2
    assert picture.count(">decode 0</text>") == 2
    assert picture.count("<title>step ") > 4 * RANKS
    assert picture.count("<line ") >= 2


def test_the_contact_sheet_is_a_picture(finished: tuple[Path, str]) -> None:
    with Image.open(finished[0] / "out" / "contact_sheet.png") as sheet:
        assert sheet.width > 1000
        assert len(sheet.convert("RGB").getcolors(1 << 24) or []) > 1000


def test_an_interrupted_demo_leaves_no_process(tmp_path: Path) -> None:
    home = home_with_recipes(tmp_path / "home")
    process = start(home, "--steps", "100000")
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("Headrace") and " step " in line:
            break
    os.kill(process.pid, signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT, error
    assert "stopped" in error
    assert nothing_left(process, home)


def test_a_killed_demo_leaves_no_process(tmp_path: Path) -> None:
    home = home_with_recipes(tmp_path / "home")
    process = start(home, "--steps", "100000")
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("Headrace") and " step " in line:
            break
    process.kill()
    process.communicate(timeout=60)
    deadline = time.monotonic() + 20
    while processes_that_name(str(home)) or session_of(process):
        assert time.monotonic() < deadline, processes_that_name(str(home)) + session_of(process)
        time.sleep(0.1)


def test_a_recipe_that_is_refused_is_told(tmp_path: Path) -> None:
    home = home_with_recipes(tmp_path / "home")
    recipe = home / "demo" / "recipe.yaml"
    recipe.write_text(recipe.read_text().replace("packs: 4", "packs: 3"))
    process = start(home)
    _, error = process.communicate(timeout=DEMO_SECONDS)
    assert process.returncode == 1
    assert "headrace prepare failed" in error
    assert "packs" in error
    assert nothing_left(process, home)


def test_a_failing_engine_is_told_with_its_log(
    tmp_path: Path, modules: dict[str, ModuleType]
) -> None:
    engine = modules["engine"]
    launcher = tmp_path / "headrace"
    launcher.write_text("#!/bin/sh\nseq 1 40\necho no space for slots\nexit 3\n")
    launcher.chmod(0o755)
    log = tmp_path / "engine.log"
    job = engine.EngineJob(launcher, tmp_path / "recipe.yaml", log, RANKS, False)
    with engine.Engine(job) as started, pytest.raises(modules["failure"].DemoError) as raised:
        started.await_start()
    message = str(raised.value)
    assert message.startswith(f"the engine ended with code 3; its log {log} ends with:")
    assert message.endswith("    40\n    no space for slots")
    assert len(message.splitlines()) == 16
    assert not Path(started.socket).parent.exists()


def test_folders_of_killed_demos_are_removed(
    tmp_path: Path, modules: dict[str, ModuleType]
) -> None:
    jobs = tmp_path / ".headrace" / "jobs"
    gone, alive, other = (jobs / n for n in ("demo-4194305-a", f"demo-{os.getpid()}-a", "mine"))
    for folder in (gone, alive, other):
        folder.mkdir(parents=True)
    modules["engine"].remove_left_behind(tmp_path)
    assert [folder.exists() for folder in (gone, alive, other)] == [False, True, True]


def test_the_recipes_differ_in_the_balance_alone() -> None:
    ours, theirs = (
        [line for line in (EXAMPLES / "demo" / name).read_text().splitlines() if line[0] != "#"]
        for name in ("recipe.yaml", "rank_local.yaml")
    )
    different = [pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1]]
    assert different == [
        (
            "  balance: {method: karmarkar_karp, over: hybrid}",
            "  balance: {method: round_robin, over: hybrid}",
        )
    ]


@pytest.mark.parametrize("wire", ["float32", "bfloat16", "uint8"])
def test_a_picture_is_the_inverse_of_the_processors_patches(
    modules: dict[str, ModuleType], wire: str
) -> None:
    down, across = 4, 6
    generator = np.random.default_rng(3)
    picture = generator.integers(0, 256, (down * 14, across * 14, 3), np.uint8)
    levels = picture.astype(np.float32).transpose(2, 0, 1)
    if wire != "uint8":
        mean, deviation = modules["cells"].MEAN, modules["cells"].DEVIATION
        levels = (levels / 255 - mean[:, None, None]) / deviation[:, None, None]
    # The processor: frames, channels, then both axes cut into merged squares of 2 x 2 patches.
    cut = np.stack([levels, levels]).reshape(1, 2, 3, down // 2, 2, 14, across // 2, 2, 14)
    patches = cut.transpose(0, 3, 6, 4, 7, 2, 1, 5, 8).reshape(down * across, 3 * 2 * 14 * 14)
    if wire == "uint8":
        patches = patches.astype(np.uint8)
    elif wire == "bfloat16":
        patches = (patches.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    back = modules["cells"].picture(patches, down, across).astype(int)
    assert np.abs(back - picture).max() <= (2 if wire == "bfloat16" else 0)


def test_figures_of_known_records(modules: dict[str, ModuleType]) -> None:
    loop, figures = modules["loop"], modules["figures"]
    records = []
    for step in range(4):
        for rank, (wait, window) in enumerate([(0.001, 0.3), (0.1 * step, 0.1)]):
            load = loop.Load(2, 50, 100, window)
            records.append(
                loop.StepRecord(rank, step, float(step), wait, step + wait + window, load)
            )
    result = figures.figures(figures.Run("a", tuple(records), 1.5), 1, 3)
    assert result.seconds == pytest.approx(3 + 0.3 + 0.1 - 1)
    assert result.samples_per_second == pytest.approx(12 / result.seconds)
    assert result.tokens_per_second == pytest.approx(300 / result.seconds)
    assert result.miss_share == 0.5
    assert result.wait_p50_ms == pytest.approx(50.5)
    assert result.largest_waits_seconds == pytest.approx(0.6)
    assert result.imbalance == pytest.approx(1.5)
    assert result.window_seconds == pytest.approx(0.3)


def test_a_window_follows_from_patches_and_tokens(modules: dict[str, ModuleType]) -> None:
    window = modules["loop"].window_seconds(np.array([1000, 2000]), np.array([500]))
    cost = 1000 + 20 + 2000 + 80 + 500 + 2.5
    assert window == pytest.approx(0.02 + 1.5e-5 * cost)
