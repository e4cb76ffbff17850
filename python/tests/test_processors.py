"""The Hugging Face processors beside the engine's, on generated pictures of many sizes, aspect ratios and formats."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import REPOSITORY, java_home

PHOTOS = REPOSITORY / "media" / "src" / "test" / "resources" / "pictures"
QWEN_MAX_PIXELS = 1280 * 784
QWEN3_MAX_PIXELS = 1280 * 1024
MODELS = {
    "clip": "clip:224",
    "siglip": "siglip:384",
    "siglip2": "siglip2:16:256",
    "qwen2_5_vl": f"qwen2_5_vl:3136:{QWEN_MAX_PIXELS}",
    "qwen3_vl": f"qwen3_vl:65536:{QWEN3_MAX_PIXELS}",
    "internvl": "internvl:12",
    "llava_onevision": "llava_onevision:32",
}
SIZES = [
    (8, 8),
    (15, 90),
    (28, 28),
    (42, 70),
    (64, 48),
    (97, 31),
    (100, 100),
    (120, 500),
    (127, 129),
    (223, 225),
]
SIZES += [
    (224, 224),
    (300, 199),
    (322, 466),
    (384, 384),
    (401, 77),
    (640, 480),
    (641, 479),
    (719, 1280),
    (900, 300),
    (1000, 1000),
]
SIZES += [(1204, 812), (1600, 1200), (1920, 1080), (2048, 700)]
FORMATS = [
    "jpg",
    "png",
    "grey.jpg",
    "420.jpg",
    "progressive.jpg",
    "rgba.png",
    "palette.png",
    "grey.png",
]


@dataclass(frozen=True)
class Case:
    """A picture, and whether it has transparent parts or no colours."""

    path: Path
    kind: str


def photo(number: int) -> Any:
    from PIL import Image

    names = [
        "exif/photos/DSCN0010.jpg",
        "exif/photos/36-memory_error.jpg",
        "pillow/flower2.jpg",
        "exif/landscape_1.jpg",
    ]
    return Image.open(PHOTOS / names[number % len(names)]).convert("RGB")


def save(number: int, width: int, height: int, kind: str, folder: Path) -> Case:
    from PIL import Image

    generator = np.random.default_rng(number)
    picture = photo(number).resize((width, height), Image.Resampling.LANCZOS)
    noise = generator.integers(-12, 13, (height, width, 3))
    picture = Image.fromarray(
        np.clip(np.asarray(picture).astype(int) + noise, 0, 255).astype(np.uint8)
    )
    path = folder / f"{number}-{width}x{height}.{kind}"
    options: dict[str, Any] = (
        {"quality": int(generator.integers(60, 98))} if kind.endswith("jpg") else {}
    )
    if kind == "420.jpg":
        options["subsampling"] = "4:2:0"
    elif kind == "jpg":
        options["subsampling"] = "4:4:4"
    elif kind == "progressive.jpg":
        options["progressive"] = True
    if kind.startswith("grey"):
        picture = picture.convert("L")
    elif kind == "rgba.png":
        picture.putalpha(
            Image.fromarray(generator.integers(0, 256, (height, width), dtype=np.uint8))
        )
    elif kind == "palette.png":
        picture = picture.quantize(64)
    picture.save(path, **options)
    return Case(path, kind)


@pytest.fixture(scope="session")
def reference() -> Any:
    """The transformers package, with torch for the CPU."""
    subprocess.run(
        [sys.executable, str(REPOSITORY / "bench" / "python" / "cpu_torch.py")], check=True
    )
    import torch
    import transformers

    torch.set_num_threads(1)
    return transformers


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    """Two pictures of each size, and each format several times."""
    folder = tmp_path_factory.mktemp("pictures")
    cases = []
    for number, (width, height) in enumerate(SIZES + SIZES):
        kind = FORMATS[(number + number // len(SIZES)) % len(FORMATS)]
        cases.append(save(number, width, height, kind, folder))
    return cases


@pytest.fixture(scope="session")
def engine_classpath() -> str:
    """Class path of the bench module, which has the program that writes tensors."""
    given = os.environ.get("HEADRACE_BENCH_CLASSPATH")
    if given:
        return given
    written = REPOSITORY / "bench" / "target" / "classpath.txt"
    main = (
        REPOSITORY
        / "bench"
        / "target"
        / "classes"
        / "io"
        / "headrace"
        / "bench"
        / "ProcessPictures.class"
    )
    if not written.exists() or not main.exists():
        command = [
            "mvn",
            "-q",
            "-B",
            "-pl",
            "bench",
            "-am",
            "-Dspotless.check.skip=true",
            "test-compile",
        ]
        command += ["dependency:build-classpath", f"-Dmdep.outputFile={written}"]
        environment = {**os.environ, "JAVA_HOME": str(java_home())}
        subprocess.run(command, cwd=REPOSITORY, env=environment, check=True, timeout=1200)
    return f"{REPOSITORY / 'bench' / 'target' / 'classes'}{os.pathsep}{written.read_text().strip()}"


def tensors(classpath: str, lines: list[str], out: Path) -> dict[str, np.ndarray]:
    """What the engine makes of each line, under its number."""
    from safetensors.numpy import load_file

    flags = ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]
    flags += ["--add-modules", "jdk.incubator.vector", "-Xmx2g"]
    command = [
        str(java_home() / "bin" / "java"),
        *flags,
        "-cp",
        classpath,
        "io.headrace.bench.ProcessPictures",
        str(out),
    ]
    run = subprocess.run(
        command, input="\n".join(lines), text=True, capture_output=True, timeout=600
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == ""
    return load_file(out)


def processor(transformers: Any, model: str) -> Any:
    if model == "clip":
        return transformers.CLIPImageProcessor()
    if model == "siglip":
        return transformers.SiglipImageProcessor(size={"height": 384, "width": 384})
    if model == "siglip2":
        return transformers.Siglip2ImageProcessor(patch_size=16, max_num_patches=256)
    if model == "qwen3_vl":
        return transformers.Qwen2VLImageProcessor(
            size={"shortest_edge": 65536, "longest_edge": QWEN3_MAX_PIXELS},
            patch_size=16,
            image_mean=[0.5] * 3,
            image_std=[0.5] * 3,
        )
    if model == "llava_onevision":
        return transformers.LlavaOnevisionImageProcessor(image_mean=[0.5] * 3, image_std=[0.5] * 3)
    if model == "internvl":
        return transformers.GotOcr2ImageProcessor(
            size={"height": 448, "width": 448},
            crop_to_patches=True,
            min_patches=1,
            max_patches=12,
            image_mean=[0.485, 0.456, 0.406],
            image_std=[0.229, 0.224, 0.225],
        )
    return transformers.Qwen2VLImageProcessor(
        size={"shortest_edge": 3136, "longest_edge": QWEN_MAX_PIXELS}
    )


def upright(case: Case, model: str) -> Any:
    """The picture as the loader of transformers hands it to the processor; SigLIP 2 converts nothing itself."""
    from PIL import Image, ImageOps

    picture = ImageOps.exif_transpose(Image.open(case.path))
    return picture.convert("RGB") if model == "siglip2" else picture


@pytest.mark.parametrize("model", MODELS)
def test_tensors_are_equal_to_the_bit(
    model: str, reference: Any, pictures: list[Case], engine_classpath: str, tmp_path: Path
) -> None:
    alpha = "drop" if model == "siglip2" else "white"
    lines = [f"{MODELS[model]} float32 exact {alpha} {case.path}" for case in pictures]
    ours = tensors(engine_classpath, lines, tmp_path / "out.safetensors")
    assert len(ours) == len(pictures) >= 40
    theirs = processor(reference, model)
    for number, case in enumerate(pictures):
        want = theirs(images=[upright(case, model)], return_tensors="pt")
        values = want["pixel_values"].numpy()
        if model == "siglip2":
            valid = int(want["pixel_attention_mask"].sum())
            assert not values[0, valid:].any()
            values = values[0, :valid]
        got = ours[str(number)]
        assert got.size == values.size, case
        assert np.array_equal(got.ravel().view(np.uint32), values.ravel().view(np.uint32)), case


@pytest.mark.parametrize("model", MODELS)
def test_bfloat16_and_levels_follow_from_float32(
    model: str, reference: Any, pictures: list[Case], engine_classpath: str, tmp_path: Path
) -> None:
    import torch
    from safetensors.torch import load_file

    some = pictures[::7]
    wires = ["float32", "bfloat16", "uint8"]
    lines = [f"{MODELS[model]} {wire} exact drop {case.path}" for case in some for wire in wires]
    out = tmp_path / "out.safetensors"
    flags = [
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "--add-modules",
        "jdk.incubator.vector",
    ]
    command = [
        str(java_home() / "bin" / "java"),
        *flags,
        "-cp",
        engine_classpath,
        "io.headrace.bench.ProcessPictures",
        str(out),
    ]
    subprocess.run(
        command, input="\n".join(lines), text=True, check=True, timeout=600, capture_output=True
    )
    made = load_file(str(out))
    theirs = processor(reference, model)
    mean = torch.tensor(theirs.image_mean, dtype=torch.float32) * 255
    std = torch.tensor(theirs.image_std, dtype=torch.float32) * 255
    for number in range(len(some)):
        floats, halves, levels = (made[str(3 * number + i)] for i in range(3))
        assert torch.equal(halves, floats.to(torch.bfloat16))
        shape = (-1, 3) if model == "siglip2" else (levels.shape[0], 3, -1)
        axis = 1
        channels = [(1, 3)[i == axis] for i in range(len(shape))]
        values = (levels.reshape(shape).float() - mean.reshape(channels)) / std.reshape(channels)
        assert torch.equal(values.reshape(floats.shape), floats)
