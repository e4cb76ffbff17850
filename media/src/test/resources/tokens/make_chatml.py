#!/usr/bin/env python3
"""Makes chatml.json: conversations as the Qwen2.5-VL processor of transformers renders, expands and tokenizes them.

Run:   python make_chatml.py TOKENIZER_JSON OUT_FILE
TOKENIZER_JSON is Qwen3's (see README.md); Qwen2.5-VL's vocabulary gives the same ids to text and vision tokens.
Packages: transformers 5.24.0, torch 2.15.0, torchvision 0.29.2, pillow 13.0.0, jinja2.

For each case: `payload` as it lies in a data set, `pictures` as [height, width], `input_ids`, `assistant` (1 where the
chat template's own generation mask is set), `grids` (image_grid_thw) and `position_ids` [3][length] of get_rope_index.
"""
import json, sys

import torch
from PIL import Image
from transformers import PreTrainedTokenizerFast, Qwen2_5_VLConfig, Qwen2_5_VLModel, Qwen2_5_VLProcessor
from transformers import Qwen2VLImageProcessor, Qwen2VLVideoProcessor

# Qwen2.5-VL's template for roles, strings, pictures and texts, with the assistant's content and its end marked as generation.
TEMPLATE = (
    "{% for message in messages %}{% if loop.first and message['role'] != 'system' %}<|im_start|>system\nYou are a helpful "
    "assistant.<|im_end|>\n{% endif %}<|im_start|>{{ message['role'] }}\n{% macro said(m) %}{% if m['content'] is string %}"
    "{{ m['content'] }}{% else %}{% for c in m['content'] %}{% if c['type'] == 'image' %}<|vision_start|><|image_pad|>"
    "<|vision_end|>{% elif 'text' in c %}{{ c['text'] }}{% endif %}{% endfor %}{% endif %}<|im_end|>{% endmacro %}"
    "{% if message['role'] == 'assistant' %}{% generation %}{{ said(message) }}{% endgeneration %}{% else %}"
    "{{ said(message) }}{% endif %}{{ '\n' }}{% endfor %}")

IMAGE = {"type": "image"}


def text(words):
    return {"type": "text", "text": words}


# Each: payload as in a data set, pictures, and the same as messages of the processor.
CASES = [
    ([{"from": "human", "value": "<image>\nWhat is it?"}, {"from": "gpt", "value": "A cat."}],
     [[112, 140]],
     [{"role": "user", "content": [IMAGE, text("\nWhat is it?")]}, {"role": "assistant", "content": "A cat."}]),
    ([{"from": "human", "value": "Compare."}, {"from": "gpt", "value": "Left is larger,\nright is red."},
      {"from": "human", "value": "Why?"}, {"from": "gpt", "value": "Light \U0001f642 und Größe."}],
     [[56, 84], [168, 56]],
     [{"role": "user", "content": [IMAGE, IMAGE, text("Compare.")]},
      {"role": "assistant", "content": "Left is larger,\nright is red."}, {"role": "user", "content": "Why?"},
      {"role": "assistant", "content": "Light \U0001f642 und Größe."}]),
    ([{"role": "system", "content": "Be brief."},
      {"role": "user", "content": [text("First "), IMAGE, text(" then "), IMAGE, text(" with <image> as text")]},
      {"role": "assistant", "content": [text("Yes."), text(" No.")]}],
     [[84, 84], [70, 98]],
     [{"role": "system", "content": "Be brief."},
      {"role": "user", "content": [text("First "), IMAGE, text(" then "), IMAGE, text(" with <image> as text")]},
      {"role": "assistant", "content": [text("Yes."), text(" No.")]}]),
    ([{"role": "user", "content": "  two  spaces \n"}, {"role": "assistant", "content": "ends in spaces  "}],
     [],
     [{"role": "user", "content": "  two  spaces \n"}, {"role": "assistant", "content": "ends in spaces  "}]),
]


def rope_index(model, ids, types, grids):
    positions, _ = model.get_rope_index(ids, types, image_grid_thw=grids, attention_mask=torch.ones_like(ids))
    return positions[:, 0].tolist()


def tiny_model():
    small = dict(hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2, vocab_size=32)
    vision = dict(depth=1, hidden_size=16, intermediate_size=16, num_heads=2, out_hidden_size=16, spatial_merge_size=2)
    return Qwen2_5_VLModel(Qwen2_5_VLConfig(text_config=small, vision_config=vision))


def main():
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=sys.argv[1], pad_token="<|endoftext|>", eos_token="<|im_end|>")
    processor = Qwen2_5_VLProcessor(Qwen2VLImageProcessor(), tokenizer, Qwen2VLVideoProcessor(), chat_template=TEMPLATE)
    model, cases = tiny_model(), []
    for payload, sizes, messages in CASES:
        pictures = [Image.new("RGB", (w, h)) for h, w in sizes] or None
        rendered = processor.apply_chat_template(messages, tokenize=False)
        out = processor(text=[rendered], images=pictures, return_tensors="pt")
        ids = out["input_ids"]
        grids = out.get("image_grid_thw")
        types = (ids == processor.image_token_id).int()
        mask = assistant(processor, rendered, messages, sizes, grids)
        assert len(mask) == ids.shape[1]
        cases.append({"payload": payload, "pictures": sizes, "grids": [] if grids is None else grids.tolist(),
                      "rendered": rendered, "input_ids": ids[0].tolist(), "assistant": mask,
                      "position_ids": rope_index(model, ids, types, grids)})
    with open(sys.argv[2], "w") as out:
        out.write("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")


def assistant(processor, rendered, messages, sizes, grids):
    """The generation mask of the tokenizer's own template, each picture's token repeated as the processor does."""
    one = processor.tokenizer.apply_chat_template(messages, chat_template=TEMPLATE, return_dict=True, return_assistant_tokens_mask=True)
    assert one["input_ids"] == processor.tokenizer(rendered)["input_ids"]
    tokens = iter([] if grids is None else (grids.prod(-1) // 4).tolist())
    mask = []
    for token, trained in zip(one["input_ids"], one["assistant_masks"]):
        mask += [trained] * (next(tokens) if token == processor.image_token_id else 1)
    return mask


if __name__ == "__main__":
    main()
