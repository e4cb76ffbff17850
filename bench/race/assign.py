"""Which samples each rank gets in each step, as a loader of its own for every rank decides it, and as a balanced job would."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from workload import NOTHING, Charge, Workload

# A row of a batch: the numbers of its samples, one unless rows are packs.
Row = tuple[int, ...]
# For each rank its rows.
Step = list[list[Row]]

# Packs that a rank's loader keeps open while it fills them.
OPEN_PACKS = 8


def rank_local(workload: Workload, lengths: Sequence[float], ranks: int, steps: int) -> list[Step]:
    """Samples dealt out in turn; where rows are packs, each rank packs its own.

    Args:
        lengths: tokens of each sample, which a loader of packs knows beforehand.
    """
    rows = [_rows(workload, lengths, rank, ranks) for rank in range(ranks)]
    own = workload.rows // ranks
    return [[[next(of_rank) for _ in range(own)] for of_rank in rows] for _ in range(steps)]


def _rows(workload: Workload, lengths: Sequence[float], rank: int, ranks: int) -> Iterator[Row]:
    numbers = _in_turn(rank, ranks, len(lengths))
    if workload.length == 0:
        yield from ((number,) for number in numbers)
    open_packs: list[list[int]] = []
    room: list[float] = []
    for number in numbers:
        fitting = [i for i, free in enumerate(room) if free >= lengths[number]]
        if not fitting:
            if len(open_packs) == OPEN_PACKS:
                fullest = min(range(OPEN_PACKS), key=lambda i: room[i])
                room.pop(fullest)
                yield tuple(open_packs.pop(fullest))
            open_packs.append([])
            room.append(float(workload.length))
            fitting = [len(room) - 1]
        best = min(fitting, key=lambda i: room[i])
        open_packs[best].append(number)
        room[best] -= lengths[number]


def _in_turn(rank: int, ranks: int, samples: int) -> Iterator[int]:
    number = rank
    while True:
        yield number % samples
        number += ranks


def balanced(steps: list[Step], cost: Callable[[Row], float]) -> list[Step]:
    """The same rows of each step, the costliest first to the rank that has least, as many rows a rank."""
    return [_even(step, cost) for step in steps]


def _even(step: Step, cost: Callable[[Row], float]) -> Step:
    room = [len(rows) for rows in step]
    loads = [0.0] * len(step)
    even: Step = [[] for _ in step]
    rows = sorted((row for of_rank in step for row in of_rank), key=cost, reverse=True)
    for row in rows:
        rank = min((r for r in range(len(step)) if room[r]), key=lambda r: loads[r])
        room[rank] -= 1
        loads[rank] += cost(row)
        even[rank].append(row)
    return even


def charge_of(rows: Sequence[Row], charges: Sequence[Charge], length: int) -> Charge:
    """What rows of samples are charged for; the padding of a pack is a sequence of its own."""
    total = NOTHING
    for row in rows:
        filled = 0.0
        for number in row:
            total += charges[number]
            filled += float(charges[number].tokens.sum())
        if 0 < filled < length:
            total += Charge.of([], [length - filled])
    return total
