"""Data sets with known samples: small copies of the real pictures in examples/media, each with its number as caption."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image

REPOSITORY = Path(__file__).resolve().parents[3]
MEDIA = REPOSITORY / "examples" / "media"
TOKENIZERS = REPOSITORY / "media/src/test/resources/tokens"
PICTURES = ("flower.jpg", "flower2.jpg", "DSCN0010.jpg", "DSCN0021.jpg", "test_image_rgb.jpg")
QUESTION = "Which number has the picture?"


@cache
def _small(name: str, side: int) -> Image.Image:
    picture = Image.open(MEDIA / name).convert("RGB")
    picture.thumbnail((side, side))
    return picture


@cache
def jpeg(number: int, side: int = 48) -> bytes:
    """A real picture made small; another crop for each number."""
    picture = _small(PICTURES[number % len(PICTURES)], side)
    width, height = picture.size
    cut = number // len(PICTURES) % 8
    out = io.BytesIO()
    picture.crop((cut, 0, width, height - cut)).save(out, "JPEG", quality=85)
    return out.getvalue()


def caption(source: str, number: int) -> str:
    """The text of a sample: its length depends on the number, so packs and costs are uneven."""
    return f"{source} {number}" + " and more" * (number * 7 % 23)


def write_tars(folder: Path, name: str, samples: int, shards: int = 1, side: int = 48) -> str:
    """Writes ``name-0.tar`` and so on; gives the pattern of their paths."""
    for shard in range(shards):
        with tarfile.open(folder / f"{name}-{shard}.tar", "w", format=tarfile.USTAR_FORMAT) as tar:
            for number in range(shard * samples // shards, (shard + 1) * samples // shards):
                add(tar, f"{number:05d}.jpg", jpeg(number, side))
                add(tar, f"{number:05d}.txt", caption(name, number).encode())
    return f"{name}-{{0..{shards - 1}}}.tar" if shards > 1 else f"{name}-0.tar"


def add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    """Adds a member."""
    member = tarfile.TarInfo(name)
    member.size = len(content)
    tar.addfile(member, io.BytesIO(content))


def write_folder(folder: Path, name: str, samples: int, side: int = 48) -> str:
    """Writes pictures with a text file each into a folder; gives its path."""
    (folder / name).mkdir()
    for number in range(samples):
        (folder / name / f"{number:05d}.jpg").write_bytes(jpeg(number, side))
        (folder / name / f"{number:05d}.txt").write_text(caption(name, number))
    return name


def write_jsonl(folder: Path, name: str, samples: int, side: int = 48) -> str:
    """Writes conversations about pictures, in the form of LLaVA; gives the path of the lines."""
    (folder / name).mkdir()
    lines = []
    for number in range(samples):
        path = f"{name}/{number:05d}.jpg"
        (folder / path).write_bytes(jpeg(number, side))
        turns = [
            {"from": "human", "value": f"<image>\n{QUESTION}"},
            {"from": "gpt", "value": caption(name, number)},
        ]
        lines.append({"id": f"{number:05d}", "image": path, "conversations": turns})
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / f"{name}.jsonl").write_text(text)
    return f"{name}.jsonl"


def tokenizer(folder: Path, name: str) -> str:
    """Unpacks the vocabulary of ``clip`` or ``qwen3``; gives its path."""
    parts = sorted(TOKENIZERS.glob(f"{name}_tokenizer.json.gz*"))
    packed = b"".join(part.read_bytes() for part in parts)
    (folder / f"{name}.json").write_bytes(gzip.decompress(packed))
    return f"{name}.json"


def internvl_tokenizer(folder: Path) -> str:
    """The vocabulary of ``qwen3`` with the tokens that InternVL puts around and for pictures; gives its path."""
    return _grown_tokenizer(folder, "internvl", ("<img>", "</img>", "<IMG_CONTEXT>"))


def llava_tokenizer(folder: Path) -> str:
    """The vocabulary of ``qwen3`` with the tokens that LLaVA-OneVision repeats; gives its path."""
    return _grown_tokenizer(folder, "llava", ("<image>", "<video>"))


def _grown_tokenizer(folder: Path, name: str, tokens: tuple[str, ...]) -> str:
    file = folder / tokenizer(folder, "qwen3")
    content = json.loads(file.read_text())
    free = max(token["id"] for token in content["added_tokens"]) + 1
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    for number, text in enumerate(tokens):
        token = {"id": free + number, "content": text, "special": True}
        content["added_tokens"].append(token | flags)
    (folder / f"{name}.json").write_text(json.dumps(content))
    return f"{name}.json"


def write_recipe(folder: Path, **keys: Any) -> Path:
    """Writes a recipe; JSON is YAML. Small pictures and few decode threads unless told otherwise."""
    recipe: dict[str, Any] = {
        "seed": 17,
        "process": {"model": "clip", "image": {"side": 32}},
        "delivery": {"decode_threads": 2},
        **keys,
    }
    file = folder / "recipe.yaml"
    file.write_text(json.dumps(recipe, indent=1))
    return file


def pairs_recipe(folder: Path, samples: int = 200, batch: int = 8, **keys: Any) -> Path:
    """A job on one source of tars with captions as numbers."""
    path = write_tars(folder, "pairs", samples, shards=2)
    sources = {"pairs": {"path": path, "image": "jpg", "text": "txt"}}
    return write_recipe(folder, sources=sources, batch={"samples": batch}, **keys)
