"""``./headrace bench [W1 W2 ...]``: Headrace beside PyTorch's DataLoader, a Ray actor pool and ready input, in one rank loop."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "workloads")]

import account  # noqa: E402
import tables  # noqa: E402
from cells import QUICK_SAMPLES, SYSTEMS_OF_CELLS, Race  # noqa: E402
from results import Key, Results  # noqa: E402
from same import compare  # noqa: E402

from generate import generate  # noqa: E402

NAMES = tuple(
    p.stem for p in sorted((ROOT / "workloads").glob("w*.yaml"), key=lambda p: int(p.stem[1:]))
)
RESULTS = Path(os.environ.get("RACE_RESULTS", ROOT / "docs" / "benchmarks" / "workloads.json"))
USUAL = "ready balanced,dataloader,ray,headrace"
QUICK_STEPS = 16
QUICK = "dataloader,headrace"


@dataclass(frozen=True)
class Plan:
    """What is run."""

    workloads: list[str]
    rhos: list[float]
    budget: str
    systems: list[str]
    repeats: int
    steps: int
    quick: bool
    fresh: bool
    tune: bool
    same: bool


def arguments() -> Plan:
    parser = argparse.ArgumentParser(prog="headrace bench", description=__doc__)
    parser.add_argument("workloads", nargs="*", default=list(NAMES), type=str.lower)
    parser.add_argument(
        "--rho", help="CPU need over CPU given, e.g. 0.5,1,2,4 (default 1,2; quick: 1)"
    )
    parser.add_argument("--budget", choices=("shared", "quota"), default="shared")
    parser.add_argument("--systems", help=f"of: {', '.join(SYSTEMS_OF_CELLS)}")
    parser.add_argument("--repeats", type=int, help="default 3; quick: 1")
    parser.add_argument(
        "--steps", type=int, help="measured steps of a cell (default 100; quick: 16)"
    )
    parser.add_argument("--quick", action="store_true", help="little data, one repeat, rho 1")
    parser.add_argument("--fresh", action="store_true", help="forget earlier cells")
    parser.add_argument(
        "--tune", action="store_true", help="first find the best settings of the other loaders"
    )
    parser.add_argument("--same", action="store_true", help="compare what both sides make, and end")
    given = parser.parse_args()
    wrong = [w for w in given.workloads if w not in NAMES]
    if wrong:
        parser.error(f"no workload {', '.join(wrong)}; there are {', '.join(NAMES)}")
    systems = [s.strip() for s in (given.systems or (QUICK if given.quick else USUAL)).split(",")]
    unknown = [s for s in systems if s not in SYSTEMS_OF_CELLS]
    if unknown:
        parser.error(f"no system {', '.join(unknown)}; there are {', '.join(SYSTEMS_OF_CELLS)}")
    rhos = given.rho or ("1" if given.quick else "1,2")
    return Plan(
        given.workloads,
        [float(rho) for rho in rhos.split(",")],
        given.budget,
        systems,
        given.repeats or (1 if given.quick else 3),
        given.steps or (QUICK_STEPS if given.quick else 100),
        given.quick,
        given.fresh,
        given.tune,
        given.same,
    )


def main() -> None:
    plan = arguments()
    os.environ.setdefault("HEADRACE_PROGRAM", str(ROOT / "headrace"))
    os.environ["OMP_NUM_THREADS"] = "1"
    # Memory that large tensors leave is used again and not given back to the kernel at each step.
    os.environ |= {"MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TRIM_THRESHOLD_": str(4 << 30)}
    if plan.same:
        for name in plan.workloads:
            generate(name, QUICK_SAMPLES if plan.quick else None)
            print("\n".join(compare(name)), flush=True)
        return
    with account.counted() as group:
        race_all(plan, group)


def race_all(plan: Plan, group: str) -> None:
    """Runs what is missing, and writes the tables."""
    results = Results(RESULTS, plan.fresh)
    races = {name: Race(name, results, plan.steps, plan.quick, group) for name in plan.workloads}
    if plan.tune:
        for race in races.values():
            race.tune()
    for repeat in range(plan.repeats):
        for name, race in races.items():
            for rho in plan.rhos:
                for system in plan.systems:
                    race.cell(Key(name, system, rho, plan.budget, repeat))
    tables.write(RESULTS.parent)
    for folder in (ROOT / "workloads" / "data" / ".headrace" / "jobs").glob("bench-*"):
        shutil.rmtree(folder, ignore_errors=True)
    print(f"results: {RESULTS}")


if __name__ == "__main__":
    main()
