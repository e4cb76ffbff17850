"""A workload of the race: its recipe, which samples make a step, and what they cost the accelerator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

Floats = npt.NDArray[np.float64]

ROOT = Path(__file__).resolve().parents[2]

# A rank's cost that no sample causes, in the unit of the recipes' costs: some of c0 of the rank loop.
LEAST_COST = 200.0

VIDEOMAE_PATCHES = 1568
# Patches of a tile of so many pixels: InternVL, and SigLIP's 384 in patches of 14.
TILE_PATCHES = {448: 1024, 384: 729}


@dataclass(frozen=True)
class Charge:
    """What is charged for: encoder patches of each medium, and backbone tokens of each sequence, both of float64 [n]."""

    patches: Floats
    tokens: Floats

    @staticmethod
    def of(patches: Any, tokens: Any) -> Charge:
        return Charge(np.asarray(patches, np.float64), np.asarray(tokens, np.float64))

    def __add__(self, other: Charge) -> Charge:
        return Charge(
            np.concatenate([self.patches, other.patches]),
            np.concatenate([self.tokens, other.tokens]),
        )


NOTHING = Charge(np.zeros(0), np.zeros(0))


@dataclass(frozen=True)
class Costs:
    """``plan.cost`` of the recipe: a p + b p^2 for each medium, c t + d t^2 for each sequence."""

    patch: float
    patch_pair: float
    token: float
    token_pair: float

    def of(self, charge: Charge) -> float:
        """Cost of the samples of a rank, without what no sample causes."""
        encoder = self.patch * charge.patches + self.patch_pair * charge.patches**2
        backbone = self.token * charge.tokens + self.token_pair * charge.tokens**2
        return float(encoder.sum() + backbone.sum())


@dataclass(frozen=True)
class Workload:
    """What a recipe under ``workloads/`` says of a step.

    ``rows`` of a step hold one sample each, or are packs of ``length`` tokens where that is not 0.
    """

    name: str
    recipe: dict[str, Any]
    rows: int
    length: int
    costs: Costs

    @staticmethod
    def read(name: str) -> Workload:
        recipe = yaml.safe_load((ROOT / "workloads" / f"{name}.yaml").read_text())
        batch = recipe["batch"]
        given = recipe["plan"]["cost"]
        # YAML 1.1, which PyYAML reads, takes 2e-5 for a text.
        given |= {m: {k: float(v) for k, v in terms.items()} for m, terms in given.items()}
        costs = Costs(
            given["encoder"]["patches"],
            given["encoder"]["patches^2"],
            given["backbone"]["tokens"],
            given["backbone"]["tokens^2"],
        )
        rows = batch.get("samples") or batch["packs"]
        return Workload(name, recipe, rows, batch.get("length", 0), costs)

    @property
    def model(self) -> str:
        return str(self.recipe["process"]["model"])

    def cost(self, charge: Charge) -> float:
        """Cost of a rank's part of a step."""
        return LEAST_COST + self.costs.of(charge)


def charge(batch: Mapping[str, Any]) -> Charge:
    """What a batch is charged for, from its tensors; any loader names them as the processors do."""
    return Charge(_patches(batch), _tokens(batch))


def _patches(batch: Mapping[str, Any]) -> Floats:
    found = [
        np.asarray(batch[name], dtype=np.float64).prod(axis=1)
        for name in ("image_grid_thw", "video_grid_thw", "spatial_shapes")
        if name in batch
    ]
    if "num_patches" in batch:
        tiles = np.asarray(batch["num_patches"], dtype=np.float64)
        found.append(tiles * (TILE_PATCHES[batch["pixel_values"].shape[-1]] if len(tiles) else 0))
    videos = batch.get("pixel_values_videos")
    if videos is not None and videos.ndim == 5:
        found.append(np.full(len(videos), float(videos.shape[1] * TILE_PATCHES[videos.shape[-1]])))
    if "feature_attention_mask" in batch:
        # The second convolution has stride 2.
        found.append(np.asarray(batch["feature_attention_mask"]).sum(axis=1) / 2.0)
    if not found and "pixel_values" in batch:
        found.append(np.full(len(batch["pixel_values"]), float(VIDEOMAE_PATCHES)))
    return np.concatenate(found) if found else np.zeros(0)


def _tokens(batch: Mapping[str, Any]) -> Floats:
    if "cu_seqlens" in batch:
        ends: Floats = np.asarray(batch["cu_seqlens"], dtype=np.float64)
        return ends[1:] - ends[:-1]
    if "attention_mask" in batch:
        mask: Floats = np.asarray(batch["attention_mask"], dtype=np.float64)
        total: Floats = mask.sum(axis=1)
        return total
    return np.zeros(0)
