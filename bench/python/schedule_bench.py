"""How well the engine predicts what decoding and computing cost: `./headrace python bench/python/schedule_bench.py`.

Four ranks, as threads of one process, take the pictures of the demo and compute by sleeping: a constant and a time for each
patch. They wait for each other, so that only the slowest is seen, or tell their own time. Writes docs/benchmarks/schedule.json.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import headrace  # noqa: E402

RANKS = 4
CONSTANT_SECONDS = 0.05
PATCH_SECONDS = 20e-6
OUT = ROOT / "docs/benchmarks/schedule.json"


def run(recipe: str, job: str, steps: int, own: bool) -> dict[str, Any]:
    """Counters of the engine after all steps of one job."""
    barrier = threading.Barrier(RANKS)
    counters: dict[str, Any] = {}

    def rank(number: int) -> None:
        with headrace.open(recipe, number, RANKS, job=job, start_timeout=600) as loader:
            for _ in range(steps):
                batch = next(loader)
                patches = sum(m["pixel_values"].shape[0] for m in batch.microbatches)
                time.sleep(CONSTANT_SECONDS + PATCH_SECONDS * patches)
                if own:
                    loader.compute_done()
                barrier.wait()
            if number == 0:
                counters.update(loader.status()["counters"])
            barrier.wait()

    threads = [threading.Thread(target=rank, args=(number,)) for number in range(RANKS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return counters


def main() -> None:
    """Runs both jobs and writes what they came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recipe", default=str(ROOT / "examples/demo/recipe.yaml"))
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    os.environ.setdefault("HEADRACE_HOME", str(ROOT))
    found = {}
    with tempfile.TemporaryDirectory(prefix="hr") as folder:
        os.environ["XDG_RUNTIME_DIR"] = folder
        for name, own in (("slowest_seen", False), ("own_times", True)):
            found[name] = run(arguments.recipe, name.replace("_", "-"), arguments.steps, own)
            print(name)
            for key in ("cpu_error", "window_error"):
                p50, p95 = found[name][f"{key}_p50"], found[name][f"{key}_p95"]
                print(f"  {key}: median {p50:.3f}, p95 {p95:.3f}")
    arguments.out.write_text(json.dumps({"steps": arguments.steps, **found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
