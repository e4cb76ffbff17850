"""Which rank of how many this process is."""

from __future__ import annotations

import os
from collections.abc import Mapping

from headrace._errors import HeadraceError

_ENVIRONMENTS = (("RANK", "WORLD_SIZE"), ("SLURM_PROCID", "SLURM_NTASKS"))


def resolve(
    rank: int | None, world_size: int | None, environment: Mapping[str, str] = os.environ
) -> tuple[int, int]:
    """Rank and world size from the arguments, else torchrun, else Slurm, else one rank alone."""
    if (rank is None) != (world_size is None):
        raise HeadraceError(
            f"rank is {rank} and world_size is {world_size}: give both, or neither under "
            "torchrun (RANK, WORLD_SIZE) or Slurm (SLURM_PROCID, SLURM_NTASKS)"
        )
    if rank is None or world_size is None:
        rank, world_size = _from_environment(environment)
    if world_size < 1 or not 0 <= rank < world_size:
        raise HeadraceError(f"there is no rank {rank} among {world_size}")
    return rank, world_size


def _from_environment(environment: Mapping[str, str]) -> tuple[int, int]:
    for rank_name, size_name in _ENVIRONMENTS:
        if rank_name in environment and size_name in environment:
            try:
                return int(environment[rank_name]), int(environment[size_name])
            except ValueError as error:
                raise HeadraceError(
                    f"{rank_name}={environment[rank_name]!r} and "
                    f"{size_name}={environment[size_name]!r} must be numbers"
                ) from error
    return 0, 1
