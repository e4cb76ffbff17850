"""Bad samples: masked and listed once, neighbours untouched; or the job stops with a message that names file, member and offset."""

from __future__ import annotations

import io
import json
import tarfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import headrace
from e2e import data
from e2e.hosts import Host, read_lines

RANKS = 2
SAMPLES = 40
STEPS = 5
KEYS = {"source", "shard", "member", "offset", "reason", "detail", "step", "rank"}

# Shards are looked at every five seconds.
CHANGE_SEEN_SECONDS = 60.0


def cut(content: bytes) -> bytes:
    """A JPEG whose header is whole and whose data is not."""
    return content[: len(content) * 4 // 5]


def broken(content: bytes) -> bytes:
    """A JPEG whose header is whole, with text where the data of its scan should be."""
    scan = content.find(b"\xff\xda")
    begin = scan + 2 + int.from_bytes(content[scan + 2 : scan + 4], "big")
    return content[:begin] + b"this is no picture"


BAD = {7: cut, 23: broken}


def write(folder: Path, bad: bool, numbers: Iterable[int] = tuple(BAD)) -> Path:
    """One pass over a tar; bad pictures are as long as good ones, so that all else lies where it lay."""
    folder.mkdir()
    with tarfile.open(folder / "pairs.tar", "w", format=tarfile.USTAR_FORMAT) as tar:
        for number in range(SAMPLES):
            picture = data.jpeg(number)
            if bad and number in numbers:
                picture = BAD[number](picture)
            data.add(tar, f"{number:05d}.jpg", picture)
            data.add(tar, f"{number:05d}.txt", data.caption("pairs", number).encode())
    return folder


def recipe(folder: Path, **errors: Any) -> Path:
    """A recipe over what :func:`write` wrote."""
    return data.write_recipe(
        folder,
        sources={"pairs": {"path": "pairs.tar", "image": "jpg", "text": "txt"}},
        process={
            "model": "clip",
            "image": {"side": 32},
            "tokenizer": data.tokenizer(folder, "clip"),
        },
        order="sequential",
        epochs=1,
        batch={"samples": 8},
        errors=errors,
    )


def offset_of(shard: Path, member: str) -> int:
    """Where a member's content begins."""
    with tarfile.open(shard) as tar:
        return tar.getmember(member).offset_data


def by_id(out: Path, ranks: int) -> dict[int, Any]:
    """Every sample that was delivered, by its index."""
    return {
        sample["id"][1]: (line["step"], sample)
        for lines in read_lines(out, ranks).values()
        for line in lines
        for sample in line["samples"]
    }


def ledger(recipe: Path) -> list[dict[str, Any]]:
    """All lines of the only ledger there is."""
    files = list((recipe.parent / ".headrace" / "jobs").glob("*/ledger.jsonl"))
    assert len(files) == 1
    return [json.loads(line) for line in files[0].read_text().splitlines()]


def test_the_bad_pictures_are_those_that_pillow_refuses() -> None:
    for number, spoil in BAD.items():
        with pytest.raises(OSError, match="truncated"):
            Image.open(io.BytesIO(spoil(data.jpeg(number)))).load()


def test_masked_samples_are_listed_once_and_neighbours_are_untouched(
    host: Host, tmp_path: Path
) -> None:
    good, bad = recipe(write(tmp_path / "good", False)), recipe(write(tmp_path / "bad", True))
    host.job(good, RANKS, tmp_path / "good-out", STEPS)
    host.job(bad, RANKS, tmp_path / "bad-out", STEPS)
    want, got = by_id(tmp_path / "good-out", RANKS), by_id(tmp_path / "bad-out", RANKS)
    assert sorted(want) == sorted(got) == list(range(SAMPLES))
    assert all(sample["valid"] for _, sample in want.values())
    assert sorted(n for n, (_, sample) in got.items() if not sample["valid"]) == sorted(BAD)
    for number in set(want) - set(BAD):
        assert got[number] == want[number]
    lines = ledger(bad)
    assert sorted(line["member"] for line in lines) == [f"{n:05d}.jpg" for n in sorted(BAD)]
    for line in lines:
        assert set(line) == KEYS
        number = int(line["member"][:5])
        assert (line["source"], line["shard"]) == ("pairs", "pairs.tar")
        assert line["step"] == got[number][0] == number // 8
        begin = offset_of(bad.parent / "pairs.tar", line["member"])
        assert begin <= line["offset"] < begin + len(BAD[number](data.jpeg(number))) + 1
        assert line["reason"]
        assert line["detail"]
        assert line["rank"] in range(RANKS)
    host.await_nothing_left()
    assert not list((good.parent / ".headrace" / "jobs").iterdir())


def read_all(recipe: Path, steps: list[int] | None = None, pause_s: float = 0) -> None:
    with headrace.open(str(recipe), 0, 1, job="stop", start_timeout=120) as loader:
        for batch in loader:
            if steps is not None:
                steps.append(batch.step)
            time.sleep(pause_s)


def test_stop_names_file_member_and_place(host: Host, tmp_path: Path) -> None:
    file = recipe(write(tmp_path / "bad", True), policy="stop")
    with pytest.raises(headrace.HeadraceError) as raised:
        read_all(file)
    message = str(raised.value)
    begin = offset_of(file.parent / "pairs.tar", "00007.jpg")
    for text in ("pairs.tar", "00007.jpg", f"{begin}", "step 0", "rank 0", "errors.policy is stop"):
        assert text in message
    # Step 2 may have been decoded ahead: what was found there is listed too, and does not take the place of the first error.
    members = [line["member"] for line in ledger(file)]
    assert "00007.jpg" in members
    assert set(members) <= {f"{n:05d}.jpg" for n in BAD}


def test_steps_before_the_stop_are_delivered(host: Host, tmp_path: Path) -> None:
    file = recipe(write(tmp_path / "bad", True, [23]), policy="stop")
    steps: list[int] = []
    with pytest.raises(headrace.HeadraceError) as raised:
        read_all(file, steps, pause_s=0.3)  # time for step 2 to be decoded ahead
    assert steps == [0, 1]
    assert "00023.jpg" in str(raised.value)
    assert "step 2" in str(raised.value)


def test_too_many_in_a_row_stop_the_job(host: Host, tmp_path: Path) -> None:
    folder = write(tmp_path / "bad", False)
    with tarfile.open(folder / "pairs.tar", "w", format=tarfile.USTAR_FORMAT) as tar:
        for number in range(SAMPLES):
            picture = data.jpeg(number)
            data.add(tar, f"{number:05d}.jpg", cut(picture) if number >= 8 else picture)
            data.add(tar, f"{number:05d}.txt", b"x")
    file = recipe(folder, stop_after_consecutive=5)
    with pytest.raises(headrace.HeadraceError) as raised:
        read_all(file)
    message = str(raised.value)
    assert "5 samples in a row could not be used" in message
    assert "errors.stop_after_consecutive is 5" in message
    assert "pairs.tar" in message
    assert "ledger.jsonl" in message
    assert len(ledger(file)) >= 5


def test_text_in_place_of_a_picture_and_a_missing_one_are_told_when_prepared(
    host: Host, tmp_path: Path
) -> None:
    lines = []
    (tmp_path / "p").mkdir()
    for number in range(12):
        path = f"p/{number}.jpg"
        content = b"only text" if number == 3 else data.jpeg(number)
        if number != 5:
            (tmp_path / path).write_bytes(content)
        lines.append(json.dumps({"id": str(number), "image": path, "text": f"n {number}"}))
    (tmp_path / "list.jsonl").write_text("\n".join(lines) + "\n")
    file = data.write_recipe(
        tmp_path,
        sources={"list": {"path": "list.jsonl", "image": "image", "text": "text"}},
        order="sequential",
        epochs=1,
        last="pad",
        batch={"samples": 5},
    )
    told = host.command("prepare", file).stdout
    assert "line 4 at" in told
    assert "p/5.jpg" in told
    with headrace.open(str(file), 0, 1, job="told") as loader:
        valid = sum(int(batch["sample_valid"].sum()) for batch in loader)
    assert valid == 10


def test_a_shard_that_changed_stops_the_job_and_is_named(host: Host, tmp_path: Path) -> None:
    file = data.pairs_recipe(tmp_path, samples=40)
    with headrace.open(str(file), 0, 1, job="changed", start_timeout=120) as loader:
        next(loader)
        shard = tmp_path / "pairs-1.tar"
        shard.write_bytes(shard.read_bytes()[:-1024])
        with pytest.raises(headrace.HeadraceError, match=r"pairs-1\.tar") as raised:
            read_for(loader, CHANGE_SEEN_SECONDS)
    assert "has changed since it was indexed" in str(raised.value)
    assert "prepare it again" in str(raised.value)


def read_for(loader: headrace.Loader, seconds: float) -> None:
    """Reads slowly for a time at most."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        next(loader)
        time.sleep(0.05)
