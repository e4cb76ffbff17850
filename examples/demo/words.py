"""Turns token ids back into text, with the vocabulary of a tokenizer.json of the byte-level BPE kind."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from cells import IMAGE_PAD, Cell

NOT_TRAINED = -100


def _byte_of_character() -> dict[str, int]:
    """GPT-2's spelling of bytes: printable Latin-1 characters stand for themselves, the others for characters from 256 on."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {
        chr(256 + n): byte for n, byte in enumerate(others)
    }


@dataclass(frozen=True)
class Span:
    """A piece of a sample's text: trained (its labels are not -100) or not; pictures are short marks."""

    text: str
    trained: bool


class Vocabulary:
    """The words of a tokenizer by id."""

    def __init__(self, tokenizer: Path) -> None:
        document = json.loads(tokenizer.read_text(encoding="utf-8"))
        spelled = _byte_of_character()
        self._bytes = {
            number: bytes(spelled[character] for character in word)
            for word, number in document["model"]["vocab"].items()
            if all(character in spelled for character in word)
        }
        self._bytes |= {
            token["id"]: token["content"].encode() for token in document["added_tokens"]
        }

    def text(self, ids: Iterable[int]) -> str:
        """The text of ids; a picture's run of placeholders is written with its length."""
        parts = []
        for is_picture, run in groupby(ids, key=lambda number: number == IMAGE_PAD):
            own = list(run)
            parts.append(
                f"[picture: {len(own)} tokens]".encode() if is_picture else self._joined(own)
            )
        return b"".join(parts).decode("utf-8", errors="replace")

    def _joined(self, ids: list[int]) -> bytes:
        return b"".join(self._bytes.get(number, b"\xef\xbf\xbd") for number in ids)

    def spans(self, cell: Cell) -> list[Span]:
        """The text of a sample, in pieces that are trained or not."""
        trained = (cell.labels != NOT_TRAINED).tolist()
        pairs = groupby(zip(cell.ids.tolist(), trained, strict=True), key=lambda pair: pair[1])
        return [
            Span(self.text(number for number, _ in run), is_trained) for is_trained, run in pairs
        ]

    def answer(self, cell: Cell) -> str:
        """What of a sample is trained, without the marks of turns."""
        text = " ".join(span.text for span in self.spans(cell) if span.trained)
        return " ".join(text.replace("<|im_end|>", " ").split())
