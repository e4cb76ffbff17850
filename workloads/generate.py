"""Writes the data of a workload: ``python workloads/generate.py w1 [--samples N] [--seed S]``, into ``workloads/data``."""

from __future__ import annotations

import argparse
import gzip
import io
import json
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import media

DATA = Path(__file__).parent / "data"
TOKENS = Path(__file__).parents[1] / "media" / "src" / "test" / "resources" / "tokens"
SHARDS = 4

# Goes up when the same seed gives other data.
MAKING = {"w10": 4, "w11": 4}
FIRST_MAKING = 3

# What models beside Qwen2.5-VL mark media with.
MARKS = ("<img>", "</img>", "<IMG_CONTEXT>", "<image>", "<video>")
SOUND_MARKS = ("<|audio_bos|>", "<|AUDIO|>", "<|audio_eos|>")

# The members of a sample: suffix and content.
Members = dict[str, bytes]
Generator = np.random.Generator


def native_pictures(random: Generator, number: int) -> Members:
    """W1: areas log-normal of median 0.3 MP and sigma 0.9; every tenth a document of 2 to 4 MP."""
    if random.random() < 0.1:
        width, height = media.sides(random, random.uniform(2, 4))
        return {"jpg": media.document(random, width, height), "txt": _caption(random, number)}
    area = min(4.0, max(0.01, media.area_log_normal(random, 0.3, 0.9)))
    width, height = media.sides(random, area)
    return {"jpg": media.photograph(random, width, height), "txt": _caption(random, number)}


def _caption(random: Generator, number: int) -> bytes:
    words = " and more" * int(random.integers(0, 24))
    return f"picture {number}{words}".encode()


def one_vision(random: Generator, number: int) -> Members:
    """W3: 60% single pictures of median 0.4 MP, 20% two to four of 0.2 MP, 20% videos of 2 to 20 s."""
    kind = random.random()
    text = {"txt": _caption(random, number)}
    if kind < 0.6:
        area = min(2.0, max(0.05, media.area_log_normal(random, 0.4, 0.7)))
        return {"jpg": media.photograph(random, *media.sides(random, area))} | text
    if kind < 0.8:
        count = int(random.integers(2, 5))
        sizes = [media.sides(random, 0.2) for _ in range(count)]
        return {f"{k}.jpg": media.photograph(random, *size) for k, size in enumerate(sizes)} | text
    codec = VIDEO_CODECS[number % len(VIDEO_CODECS)]
    return {"mp4": media.video(random, random.uniform(2, 20), 320, 240, *codec)} | text


def pages(random: Generator, number: int) -> Members:
    """W4: documents of 0.3 to 6 MP, areas log-uniform."""
    width, height = media.sides(random, 0.3 * 20 ** random.uniform(0, 1))
    return {"jpg": media.document(random, width, height), "txt": _caption(random, number)}


VIDEO_CODECS = (("libx264", "mp4"), ("libx264", "mp4"), ("libx265", "mp4"), ("libvpx-vp9", "webm"))
SUFFIXES = {"mp4": "mp4", "webm": "webm", "matroska": "mkv", "mov": "mov"}


def dynamic_clips(random: Generator, number: int) -> Members:
    """W2: durations log-normal of median 8 s, to 60 s; h264, h265 and VP9."""
    seconds = min(60.0, max(1.0, media.area_log_normal(random, 8.0, 0.8)))
    codec, container = VIDEO_CODECS[number % len(VIDEO_CODECS)]
    width, height = ((320, 180), (240, 240), (256, 144))[int(random.integers(3))]
    clip = media.video(random, seconds, width, height, codec, container)
    return {"mp4": clip, "txt": _caption(random, number)}


def web_pictures(random: Generator, number: int) -> Members:
    """W5: web images, areas log-normal of median 0.2 MP."""
    area = min(2.0, max(0.02, media.area_log_normal(random, 0.2, 0.7)))
    width, height = media.sides(random, area)
    return {"jpg": media.photograph(random, width, height), "txt": _caption(random, number)}


AUDIO_CODECS = (("libmp3lame", "mp3"), ("libopus", "ogg"), ("flac", "flac"), ("pcm_s16le", "wav"))


def recordings(random: Generator, number: int) -> Members:
    """W6: durations a mixture of log-normals of median 3 s and 12 s, to 30 s; mp3, opus, flac and wav."""
    median = 3.0 if random.random() < 0.5 else 12.0
    seconds = min(30.0, max(0.3, media.area_log_normal(random, median, 0.5)))
    codec, container = AUDIO_CODECS[number % len(AUDIO_CODECS)]
    sound = media.recording(random, seconds, codec, container)
    return {"audio": sound, "txt": _caption(random, number)}


CLIP_CODECS = (
    ("libx264", "mp4"),
    ("libx265", "mp4"),
    ("libvpx-vp9", "webm"),
    ("mpeg4", "mp4"),
    ("mjpeg", "mov"),
)


def mixed_clips(random: Generator, number: int) -> Members:
    """W9: clips of many codecs and lengths, 1 to 20 s."""
    seconds = random.uniform(1, 20)
    codec, container = CLIP_CODECS[number % len(CLIP_CODECS)]
    if codec == "mjpeg":
        seconds = min(seconds, 4.0)
    size = ((320, 240), (480, 270), (240, 320))[int(random.integers(3))]
    return {"mp4": media.video(random, seconds, *size, codec, container)}


def diffusion_clips(random: Generator, number: int) -> Members:
    """W7: 17 to 81 frames at 16 a second, of two sizes; every eighth a picture."""
    if random.random() < 1 / 8:
        return {"jpg": media.photograph(random, *((832, 480), (400, 225))[number % 2])}
    seconds = (1 + 4 * int(random.integers(4, 21))) / 16
    size = ((480, 270), (320, 180))[int(random.integers(2))]
    return {"mp4": media.video(random, seconds, *size, *VIDEO_CODECS[number % 2])}


def bucket_clips(random: Generator, number: int) -> Members:
    """W8: 5 to 65 frames at 24 a second, of any aspect between 2:1 and 1:2; a fifth pictures."""
    width, height = media.sides(random, 0.1)
    width, height = width // 2 * 2, height // 2 * 2
    if random.random() < 0.2:
        return {"jpg": media.photograph(random, 2 * width, 2 * height)}
    seconds = float(random.choice([5, 17, 33, 49, 65])) / 24
    return {"mp4": media.video(random, seconds, width, height, *VIDEO_CODECS[number % 3])}


TARS: dict[str, tuple[Callable[[Generator, int], Members], int]] = {
    "w1": (native_pictures, 512),
    "w2": (dynamic_clips, 96),
    "w3": (one_vision, 192),
    "w4": (pages, 160),
    "w5": (web_pictures, 768),
    "w6": (recordings, 512),
    "w7": (diffusion_clips, 160),
    "w8": (bucket_clips, 256),
    "w9": (mixed_clips, 160),
}


WORDS = [
    "the",
    "of",
    "and",
    "to",
    "in",
    "that",
    "was",
    "his",
    "he",
    "it",
    "with",
    "is",
    "for",
    "as",
    "had",
    "you",
    "not",
    "be",
    "her",
    "on",
    "at",
    "by",
    "which",
    "have",
    "or",
    "from",
    "this",
    "him",
    "but",
    "all",
    "she",
    "they",
    "were",
    "my",
    "are",
    "me",
    "one",
    "their",
    "so",
    "an",
    "said",
    "them",
    "we",
    "who",
    "would",
    "been",
    "will",
    "no",
    "when",
    "there",
    "if",
    "more",
    "out",
    "up",
    "into",
    "do",
    "any",
    "your",
    "what",
    "has",
    "man",
    "could",
    "other",
    "than",
    "our",
    "some",
    "very",
    "time",
    "upon",
    "about",
    "may",
    "its",
    "only",
    "now",
    "like",
    "little",
    "then",
    "can",
    "should",
    "made",
    "did",
    "us",
    "such",
    "great",
    "before",
    "must",
    "two",
    "these",
    "see",
    "know",
    "over",
    "much",
    "down",
    "after",
    "first",
    "good",
    "men",
    "own",
    "never",
    "most",
    "old",
    "shall",
    "day",
    "where",
    "those",
    "came",
    "come",
    "himself",
    "way",
    "work",
    "life",
    "without",
    "go",
    "make",
    "well",
    "through",
    "being",
    "long",
    "say",
    "might",
    "how",
    "am",
    "too",
    "even",
    "again",
    "many",
    "back",
    "here",
    "think",
    "every",
    "people",
    "went",
    "same",
    "last",
    "thought",
    "away",
    "under",
    "take",
    "found",
    "hand",
    "eyes",
    "still",
    "place",
    "while",
    "just",
    "also",
    "young",
    "yet",
    "though",
    "against",
    "things",
    "get",
    "ever",
    "give",
    "god",
    "years",
    "off",
    "face",
    "nothing",
    "right",
    "once",
    "another",
    "left",
    "part",
    "saw",
    "house",
    "world",
    "head",
    "three",
    "took",
    "new",
    "love",
    "always",
    "mrs",
    "put",
    "night",
    "each",
    "king",
    "between",
    "tell",
    "mind",
    "heart",
    "few",
    "because",
    "thing",
    "whom",
    "far",
    "seemed",
    "looked",
    "called",
    "whole",
    "de",
    "set",
    "both",
    "got",
    "find",
    "done",
    "heard",
    "look",
    "name",
    "days",
    "told",
    "let",
    "lord",
    "country",
    "asked",
    "going",
    "seen",
    "better",
    "p",
    "having",
    "home",
    "knew",
    "side",
    "something",
    "moment",
    "father",
    "among",
    "course",
    "hands",
    "woman",
    "enough",
    "words",
    "mother",
    "soon",
    "full",
    "end",
]


def words(random: Generator, tokens: int) -> str:
    """Text of about so many tokens: each of these words and its blank are one of Qwen's vocabulary."""
    return " ".join(WORDS[k] for k in random.integers(len(WORDS), size=max(1, tokens)))


def interleaved(random: Generator, folder: Path, samples: int) -> Iterator[dict[str, object]]:
    """W10: documents of 1 + geometric(3) pictures of 512 px and text, log-normal of median 700 tokens."""
    (folder / "pictures").mkdir(exist_ok=True)
    pictures = []
    for number in range(128):
        pictures.append(f"pictures/{number:03d}.jpg")
        (folder / pictures[-1]).write_bytes(media.photograph(random, 512, 512))
    for number in range(samples):
        count = min(6, 1 + int(random.geometric(1 / 3)) - 1)
        # What a pack of 8,192 has beside the pictures.
        most = min(3000, 7900 - 1026 * count)
        tokens = min(most, max(16, round(media.area_log_normal(random, 700, 0.8))))
        chosen = [pictures[int(i)] for i in random.integers(0, len(pictures), count)]
        yield {
            "id": f"{number:05d}",
            "image": chosen,
            "conversations": [
                {"from": "human", "value": "<image>" * count + "Describe."},
                {"from": "gpt", "value": words(random, tokens)},
            ],
        }


def long_texts(random: Generator, folder: Path, samples: int) -> Iterator[dict[str, object]]:
    """W11: 99.9% short texts (mean 1K tokens), 0.1% long (mean 37K, here cut to the pack of 32,768)."""
    for number in range(samples):
        long = number % 1000 == 500
        mean = 30_000 if long else 1_000
        tokens = int(min(32_000, max(8, random.exponential(mean) if not long else mean)))
        yield {"id": f"{number:05d}", "text": words(random, tokens)}


LISTS: dict[str, tuple[Callable[[Generator, Path, int], Iterator[dict[str, object]]], int]] = {
    "w10": (interleaved, 600),
    "w11": (long_texts, 4000),
}


def making(name: str) -> int:
    """Which making of a workload's data this is."""
    return MAKING.get(name, FIRST_MAKING)


def generate(name: str, samples: int | None = None, seed: int = 17) -> Path:
    """Makes the data of a workload unless it is there; gives its folder."""
    folder = DATA / name
    known = TARS[name][1] if name in TARS else LISTS[name][1]
    count = samples or known
    _write_tokenizer()
    stamp = folder / f"made-{making(name)}-{count}-{seed}"
    if stamp.exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    if name in TARS:
        _write_tars(folder, TARS[name][0], count, seed)
    else:
        random = np.random.default_rng([seed, int(name[1:])])
        lines = LISTS[name][0](random, folder, count)
        (folder / "list.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for old in folder.glob("made-*"):
        old.unlink()
    stamp.touch()
    return folder


def _write_tokenizer() -> None:
    """Qwen's vocabulary with the marks of the other models."""
    file = DATA / "tokenizer.json"
    parts = sorted(TOKENS.glob("qwen3_tokenizer.json.gz*"))
    packed = b"".join(part.read_bytes() for part in parts)
    vocabulary = json.loads(gzip.decompress(packed))
    added = vocabulary["added_tokens"]
    for mark in (*MARKS, *SOUND_MARKS):
        last = added[-1]
        added.append(last | {"id": last["id"] + 1, "content": mark, "special": True})
    text = json.dumps(vocabulary)
    if not file.exists() or file.read_text() != text:
        DATA.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def _write_tars(
    folder: Path, sample: Callable[[Generator, int], Members], count: int, seed: int
) -> None:
    for shard in range(SHARDS):
        with tarfile.open(folder / f"{shard}.tar", "w", format=tarfile.USTAR_FORMAT) as tar:
            for number in range(shard * count // SHARDS, (shard + 1) * count // SHARDS):
                # A generator for each sample: the first N are the same however many are made.
                random = np.random.default_rng([seed, number])
                for suffix, content in sample(random, number).items():
                    member = tarfile.TarInfo(f"{number:06d}.{suffix}")
                    member.size = len(content)
                    tar.addfile(member, io.BytesIO(content))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=sorted(TARS | LISTS))
    parser.add_argument("--samples", type=int)
    parser.add_argument("--seed", type=int, default=17)
    arguments = parser.parse_args()
    print(generate(arguments.name, arguments.samples, arguments.seed))


if __name__ == "__main__":
    main()
