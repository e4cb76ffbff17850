"""The contact sheet of one batch: each sample's pictures as the model gets them, its tokens, its text and its place."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cells import Cell
from chart import FAINT, HEIGHT, INK, WIDTH, Chart, draw
from PIL import Image, ImageDraw, ImageFont
from words import Span, Vocabulary

THUMB = 200
GAP = 12
COLUMNS = 8
TEXT_LINES = 3
LINE_PIXELS = 14
CELL_WIDTH = THUMB + GAP
CELL_HEIGHT = THUMB + LINE_PIXELS * (TEXT_LINES + 2) + GAP


@dataclass(frozen=True)
class Entry:
    """A sample of the sheet. ``sizes`` are those of its pictures as the model gets them, width and height in pixels."""

    name: str
    place: str
    tokens: int
    image_tokens: int
    sizes: tuple[tuple[int, int], ...]
    thumbs: tuple[Image.Image, ...]
    spans: tuple[Span, ...]
    answer: str


def entries(cells: Sequence[Cell], sources: Sequence[str], vocabulary: Vocabulary) -> list[Entry]:
    """The entries of cells, in the order of their places."""
    placed = sorted(cells, key=lambda cell: (cell.rank, cell.microbatch, cell.row, cell.offset))
    return [_entry(cell, sources, vocabulary) for cell in placed]


def _entry(cell: Cell, sources: Sequence[str], vocabulary: Vocabulary) -> Entry:
    pictures = [Image.fromarray(picture) for picture in cell.pictures]
    return Entry(
        name=f"{sources[cell.source]} #{cell.index}" + ("" if cell.valid else " (masked)"),
        place=f"rank {cell.rank}  mb {cell.microbatch}  row {cell.row}  offset {cell.offset}",
        tokens=len(cell.ids),
        image_tokens=cell.image_tokens,
        sizes=tuple(picture.size for picture in pictures),
        thumbs=tuple(thumb(picture) for picture in pictures),
        spans=tuple(vocabulary.spans(cell)),
        answer=vocabulary.answer(cell),
    )


def thumb(picture: Image.Image) -> Image.Image:
    """The picture reduced to fit a square of THUMB pixels; a smaller one stays."""
    small = picture.copy()
    small.thumbnail((THUMB, THUMB), Image.Resampling.BOX)
    return small


def save_thumbs(shown: Sequence[Entry], folder: Path) -> None:
    """Writes ``<entry>-<picture>.png`` into a folder that it makes anew."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    for number, entry in enumerate(shown):
        for part, small in enumerate(entry.thumbs):
            small.save(folder / f"{number:03d}-{part}.png")


def contact_sheet(shown: Sequence[Entry], title: str, charts: Sequence[Chart], path: Path) -> None:
    """Writes charts and entries as one PNG."""
    head = 40 + (HEIGHT + GAP if charts else 0)
    rows = -(-len(shown) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * CELL_WIDTH + GAP, head + rows * CELL_HEIGHT + GAP), "white")
    canvas = ImageDraw.Draw(sheet)
    for n, chart in enumerate(charts):
        draw(chart, canvas, (GAP + n * (WIDTH + GAP), GAP))
    canvas.text((GAP, head - 26), title, INK, ImageFont.load_default(16))
    for n, entry in enumerate(shown):
        corner = (GAP + n % COLUMNS * CELL_WIDTH, head + n // COLUMNS * CELL_HEIGHT)
        _draw_entry(entry, sheet, canvas, corner)
    sheet.save(path, compress_level=6)


def _draw_entry(
    entry: Entry, sheet: Image.Image, canvas: ImageDraw.ImageDraw, corner: tuple[int, int]
) -> None:
    left, top = corner
    across = len(entry.thumbs)
    for n, picture in enumerate(entry.thumbs):
        small = picture.copy()
        small.thumbnail((THUMB // across - (GAP // 3 if across > 1 else 0), THUMB))
        sheet.paste(small, (left + n * THUMB // across, top + THUMB - small.height))
    y = top + THUMB + 4
    font = ImageFont.load_default(11)
    size = " + ".join(f"{width}x{height}" for width, height in entry.sizes)
    canvas.text((left, y), entry.place, FAINT, font)
    canvas.text(
        (left, y + LINE_PIXELS),
        f"{size}, {entry.image_tokens} of {entry.tokens} tokens",
        FAINT,
        font,
    )
    words = textwrap.wrap(entry.answer, 36, max_lines=TEXT_LINES, placeholder=" ...")
    for n, line in enumerate(words):
        canvas.text((left, y + (n + 2) * LINE_PIXELS), line, INK, font)
