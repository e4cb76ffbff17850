"""Makes the data of the demo from the pictures in examples/media: the same bytes for the same seed and Pillow.

`python examples/make_data.py [--out examples/data] [--seed 17] [--samples 96]` writes

- `pairs-000.tar` to `pairs-003.tar`: WebDataset shards of a picture and a caption each; areas are log-normal with a median of 0.3
  megapixels and sigma 0.9, every tenth picture is a large one of 2 to 4 megapixels;
- `chats.jsonl` and `chats/`: conversations about one or two pictures each, in the form of LLaVA;
- `clip_tokenizer.json`, `qwen_tokenizer.json`: vocabularies for the recipes in examples.
"""

import argparse
import gzip
import io
import json
import math
import random
import tarfile
from pathlib import Path

from PIL import Image, ImageOps

HERE = Path(__file__).resolve().parent
TOKENIZERS = HERE.parent / "media/src/test/resources/tokens"
SHARDS = 4
MEDIAN_PIXELS = 300_000
SIGMA = 0.9
LARGE_PIXELS = (2_000_000, 4_000_000)
LEAST_SIDE = 64
FORMATS = ("JPEG", "JPEG", "JPEG", "PNG", "WEBP")
QUESTIONS = ("What does the picture show?", "Describe the picture.", "What can be seen here?")


class Pictures:
    """The real pictures and random crops of them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.captions: dict[str, str] = json.loads((HERE / "media/captions.json").read_text())
        self.originals = {
            name: ImageOps.exif_transpose(Image.open(HERE / "media" / name)).convert("RGB")
            for name in sorted(self.captions)
        }

    def draw(self, index: int) -> tuple[Image.Image, str]:
        """A crop of some picture at a drawn size and aspect ratio, and the picture's caption."""
        name = self.random.choice(sorted(self.originals))
        picture = self.originals[name]
        pixels = (
            self.random.uniform(*LARGE_PIXELS)
            if index % 10 == 9
            else MEDIAN_PIXELS * math.exp(self.random.gauss(0, SIGMA))
        )
        aspect = math.exp(self.random.uniform(math.log(0.6), math.log(1.8)))
        width = max(LEAST_SIDE, round(math.sqrt(pixels * aspect)))
        height = max(LEAST_SIDE, round(math.sqrt(pixels / aspect)))
        return ImageOps.fit(picture, (width, height), Image.Resampling.BICUBIC), self.captions[name]


def encoded(picture: Image.Image, form: str) -> bytes:
    """The picture as a file of this format."""
    out = io.BytesIO()
    if form == "PNG":
        picture.save(out, form, compress_level=1)
    else:
        picture.save(out, form, quality=88)
    return out.getvalue()


def add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    """Adds a member whose header is the same on every machine."""
    member = tarfile.TarInfo(name)
    member.size = len(content)
    tar.addfile(member, io.BytesIO(content))


def make_pairs(out: Path, pictures: Pictures, samples: int) -> None:
    """Writes the tar shards."""
    for shard in range(SHARDS):
        with tarfile.open(out / f"pairs-{shard:03d}.tar", "w", format=tarfile.USTAR_FORMAT) as tar:
            for index in range(shard * samples // SHARDS, (shard + 1) * samples // SHARDS):
                picture, caption = pictures.draw(index)
                add(tar, f"{index:06d}.jpg", encoded(picture, "JPEG"))
                add(tar, f"{index:06d}.txt", caption.encode())


def make_chats(out: Path, pictures: Pictures, samples: int) -> None:
    """Writes conversations and their pictures."""
    folder = out / "chats"
    folder.mkdir(exist_ok=True)
    with (out / "chats.jsonl").open("w", encoding="utf-8", newline="\n") as lines:
        for index in range(samples):
            names, turns = [], []
            for part in range(1 + (index % 4 == 3)):
                picture, caption = pictures.draw(index)
                form = FORMATS[(index + part) % len(FORMATS)]
                names.append(f"chats/{index:04d}-{part}.{form.lower()}")
                (out / names[-1]).write_bytes(encoded(picture, form))
                question = pictures.random.choice(QUESTIONS)
                turns.append({"from": "human", "value": f"<image>\n{question}"})
                turns.append({"from": "gpt", "value": caption})
            line = {
                "id": f"{index:04d}",
                "image": names if len(names) > 1 else names[0],
                "conversations": turns,
            }
            lines.write(json.dumps(line) + "\n")


def make_tokenizers(out: Path) -> None:
    """Unpacks the vocabularies."""
    for name, source in (("clip", "clip_tokenizer.json.gz"), ("qwen", "qwen3_tokenizer.json.gz")):
        parts = sorted(TOKENIZERS.glob(source + "*"))
        packed = b"".join(part.read_bytes() for part in parts)
        (out / f"{name}_tokenizer.json").write_bytes(gzip.decompress(packed))


def main() -> None:
    """Makes everything, unless it is there already for the same arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=HERE / "data")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--samples", type=int, default=96)
    arguments = parser.parse_args()
    stamp = arguments.out / "made.json"
    wanted = json.dumps({"seed": arguments.seed, "samples": arguments.samples, "version": 1})
    if stamp.exists() and stamp.read_text() == wanted:
        return
    arguments.out.mkdir(parents=True, exist_ok=True)
    pictures = Pictures(arguments.seed)
    make_pairs(arguments.out, pictures, arguments.samples)
    make_chats(arguments.out, pictures, arguments.samples // 3)
    make_tokenizers(arguments.out)
    stamp.write_text(wanted)


if __name__ == "__main__":
    main()
