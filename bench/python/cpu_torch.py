#!/usr/bin/env python3
"""Installs torch for the CPU alone: the wheel of the package index without the gigabytes of CUDA libraries that it asks for.

Run:   VENV/bin/python cpu_torch.py

The Linux wheel links to CUDA libraries, which a process without a GPU never calls. This installs the wheel without its dependencies
and the small CUDA runtime (it registers kernels when torch is loaded), points the other libraries' names at one that torch has anyway,
and marks in torch's symbol tables what would come from them as weak, so that the loader leaves it empty. Nothing that runs on the CPU
is touched. Where torch can be imported already, nothing is done.
"""

import mmap
import struct
import subprocess
import sys
from pathlib import Path

TORCH = "2.15.0"
TORCHVISION = "0.29.2"
CUDA_RUNTIME = "13.2.75"
FOREIGN = (b"cu", b"nccl", b"pnccl", b"nvshmem", b"nvrtc", b"nvtx")


def importable() -> bool:
    return (
        subprocess.run(
            [sys.executable, "-c", "import torch, torchvision"], capture_output=True
        ).returncode
        == 0
    )


def sections(elf):
    """Type, offset, size and link of every section of a 64-bit little-endian ELF file."""
    (table,) = struct.unpack_from("<Q", elf, 40)
    size, count = struct.unpack_from("<HH", elf, 58)
    for at in range(table, table + size * count, size):
        _, kind, _, _, offset, length, link = struct.unpack_from("<IIQQQQI", elf, at)
        yield kind, offset, length, link


def needed(elf, names_offset, dynamic):
    for at in range(dynamic[1], dynamic[1] + dynamic[2], 16):
        tag, value = struct.unpack_from("<QQ", elf, at)
        if tag == 1:
            start = names_offset + value
            yield elf[start : elf.find(b"\0", start)].decode()


def weaken(path: Path) -> list[str]:
    """Marks undefined CUDA symbols of one library as weak; returns the libraries that it asks for."""
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as elf:
        table = list(sections(elf))
        symbols = next(s for s in table if s[0] == 11)
        dynamic = next(s for s in table if s[0] == 6)
        names = table[symbols[3]][1]
        for at in range(symbols[1], symbols[1] + symbols[2], 24):
            name, info, _, section = struct.unpack_from("<IBBH", elf, at)
            if (
                section == 0
                and info >> 4 == 1
                and elf[names + name : names + name + 8].startswith(FOREIGN)
            ):
                elf[at + 4] = 0x20 | info & 15
        return list(needed(elf, names, dynamic))


def main():
    if importable():
        return
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps"]
    subprocess.run(
        [
            *pip,
            f"torch=={TORCH}",
            f"torchvision=={TORCHVISION}",
            f"nvidia-cuda-runtime=={CUDA_RUNTIME}",
        ],
        check=True,
    )
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "numpy",
            "filelock",
            "typing-extensions",
            "sympy",
            "networkx",
            "jinja2",
            "fsspec",
            "setuptools",
        ],
        check=True,
    )
    lib = (
        Path(
            subprocess.check_output(
                [sys.executable, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))"],
                text=True,
            ).strip()
        )
        / "torch"
        / "lib"
    )
    for path in sorted(lib.glob("libtorch*.so")):
        for name in weaken(path):
            if (
                name.startswith(("libcu", "libnccl", "libnv"))
                and not name.startswith("libcudart")
                and not (lib / name).exists()
            ):
                (lib / name).symlink_to("libc10.so")
    if not importable():
        sys.exit(
            f"torch {TORCH} cannot be imported; install it with its dependencies: pip install torch=={TORCH}"
        )


if __name__ == "__main__":
    main()
