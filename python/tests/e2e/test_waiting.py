"""A rank that waits longer than the limit says for what: step, sample, file, stage, since when."""

from __future__ import annotations

import io
import logging
import re
import tarfile
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import headrace
from e2e import data
from e2e.hosts import Host, wait_for

SLOW = 5
SIDE = 11_000


def large_picture() -> bytes:
    """A PNG of 121 megapixels that packs well: some seconds of decoding, few bytes."""
    flower = Image.open(data.MEDIA / "flower.jpg").convert("RGB").resize((SIDE, 64))
    rows = np.tile(np.asarray(flower), (SIDE // 64 + 1, 1, 1))[:SIDE]
    out = io.BytesIO()
    Image.fromarray(rows).save(out, "PNG", compress_level=1)
    return out.getvalue()


def test_the_slow_sample_is_named(
    host: Host, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with tarfile.open(tmp_path / "slow.tar", "w", format=tarfile.USTAR_FORMAT) as tar:
        for number in range(8):
            if number == SLOW:
                data.add(tar, f"{number:05d}.png", large_picture())
            else:
                data.add(tar, f"{number:05d}.jpg", data.jpeg(number))
    recipe = data.write_recipe(
        tmp_path,
        sources={"slow": {"path": "slow.tar"}},
        order="sequential",
        epochs=1,
        batch={"samples": 4},
        delivery={"decode_threads": 1, "ready_ahead": 1, "wait_warning": "100ms"},
    )
    with (
        headrace.open(str(recipe), 0, 1, job="slow", start_timeout=120) as loader,
        caplog.at_level(logging.WARNING, "headrace"),
    ):
        began = time.time()
        assert next(loader).step == 0
        assert next(loader).step == 1
    told = [m for m in caplog.messages if "waits" in m and "decoding" in m]
    assert told, caplog.messages
    found = re.search(
        r"rank 0 waits (\d+\.\d) s for step 1: decoding, sample slow/00005, "
        r"file (\S*slow\.tar\S*.*), since (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)",
        told[-1],
    )
    assert found, told
    assert "00005.png" in found.group(2)
    since = time.mktime(time.strptime(found.group(3), "%Y-%m-%dT%H:%M:%SZ")) - time.timezone
    assert began - 5 < since <= time.time() + 1
    wait_for(lambda: not host.engines())
