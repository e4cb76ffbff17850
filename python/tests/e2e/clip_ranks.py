"""A rank under torchrun: trains a small CLIP-like model. python clip_ranks.py RECIPE STEPS OUT; losses go to OUT as JSON from rank 0."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import nn

import headrace

WIDTH = 32
WORDS = 49408


class SmallClip(nn.Module):  # type: ignore[misc, unused-ignore]
    """Two towers and a temperature: a picture as small patches, a caption as a bag of words."""

    def __init__(self) -> None:
        super().__init__()
        self.picture = nn.Sequential(
            nn.Conv2d(3, 32, 8, 8), nn.ReLU(), nn.Flatten(), nn.Linear(32 * 16, WIDTH)
        )
        self.words = nn.EmbeddingBag(WORDS, WIDTH, mode="sum")
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, pixels: Any, ids: Any, mask: Any) -> Any:
        """Contrastive loss of a rank's pairs."""
        pictures = nn.functional.normalize(self.picture(pixels), dim=-1)
        texts = nn.functional.normalize(
            self.words(ids, per_sample_weights=mask.to(torch.float32)), dim=-1
        )
        logits = self.scale.exp() * pictures @ texts.T
        target = torch.arange(len(logits))
        both = nn.functional.cross_entropy(logits, target)
        return (both + nn.functional.cross_entropy(logits.T, target)) / 2


def main() -> None:
    recipe, steps, out = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    dist.init_process_group("gloo")
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = nn.parallel.DistributedDataParallel(SmallClip())
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    losses = []
    with headrace.open(recipe, start_timeout=120) as loader:
        for batch in loader:
            tensors = batch.torch()
            loss = model(tensors["pixel_values"], tensors["input_ids"], tensors["attention_mask"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total = loss.detach().clone()
            dist.all_reduce(total)
            losses.append(float(total) / dist.get_world_size())
            if batch.step == steps - 1:
                break
    if dist.get_rank() == 0:
        out.write_text(json.dumps(losses))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
