"""The positions that the Java tests check against are those of the real Qwen2_5_VLModel.get_rope_index.

The Java side (PromptEncoderTest) compares its position_ids with chatml.json; here chatml.json is compared with the model's
own code, on a random model of a few hundred weights. Needs torch and transformers.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TOKENS = Path(__file__).parents[2] / "media" / "src" / "test" / "resources" / "tokens"
IMAGE_PAD = 151655


@pytest.fixture(scope="module")
def model():
    text = dict(
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        vocab_size=32,
    )
    vision = dict(
        depth=1,
        hidden_size=16,
        intermediate_size=16,
        num_heads=2,
        out_hidden_size=16,
        spatial_merge_size=2,
    )
    return transformers.Qwen2_5_VLModel(
        transformers.Qwen2_5_VLConfig(text_config=text, vision_config=vision)
    )


@pytest.fixture(scope="module")
def cases():
    return json.loads((TOKENS / "chatml.json").read_text())


def rope_index(model, ids, grids):
    """Positions [3][length] of one sequence, by either signature of get_rope_index."""
    grid = torch.tensor(grids) if grids else None
    mask = torch.ones_like(ids)
    try:
        positions, _ = model.get_rope_index(
            ids, (ids == IMAGE_PAD).int(), image_grid_thw=grid, attention_mask=mask
        )
    except TypeError:
        positions, _ = model.get_rope_index(ids, image_grid_thw=grid, attention_mask=mask)
    return positions[:, 0].tolist()


def test_golden_positions_are_those_of_the_model(model, cases):
    assert len(cases) == 4
    for case in cases:
        ids = torch.tensor([case["input_ids"]])
        assert rope_index(model, ids, case["grids"]) == case["position_ids"], case["rendered"]


def test_restatement(cases):
    """A straightforward restatement of the rule in docs/text.md gives the same."""
    for case in cases:
        rows: list[list[int]] = []
        grids = iter(case["grids"])
        at, ids = 0, case["input_ids"]
        i = 0
        while i < len(ids):
            if ids[i] == IMAGE_PAD:
                _, height, width = next(grids)
                height, width = height // 2, width // 2
                rows += [[at, at + r, at + c] for r in range(height) for c in range(width)]
                at, i = at + max(height, width), i + height * width
            else:
                rows.append([at] * 3)
                at, i = at + 1, i + 1
        assert [list(plane) for plane in zip(*rows)] == case["position_ids"]
