"""Makes the recordings of this folder: ``python make.py`` with av 18.1.0 and numpy."""

from pathlib import Path

import av
import numpy as np

HERE = Path(__file__).parent
RATE = 16_000


def speech() -> np.ndarray:
    with av.open(str(HERE.parent / "lhotse/libri-1088-134315-0000.wav")) as box:
        all_of_it = np.concatenate([f.to_ndarray().ravel() for f in box.decode(audio=0)])
    return all_of_it[: RATE * 3 + 777]


def encode(name: str, codec: str, rate: int, fmt: str, layout: str = "mono", container: str | None = None) -> None:
    with av.open(str(HERE / name), "w", format=container) as out:
        stream = out.add_stream(codec, rate=rate, options={"strict": "-2"})
        stream.layout = layout
        frame = av.AudioFrame.from_ndarray(speech().reshape(1, -1), "s16", "mono")
        frame.sample_rate = RATE
        frame.pts = 0
        resampler = av.AudioResampler(format=fmt, layout=layout, rate=rate)
        for part in resampler.resample(frame) + resampler.resample(None):
            for packet in stream.encode(part):
                out.mux(packet)
        for packet in stream.encode(None):
            out.mux(packet)


encode("vorbis.ogg", "vorbis", RATE, "fltp", "stereo")
encode("aac.m4a", "aac", RATE, "fltp")
encode("opus.webm", "libopus", 48_000, "flt", container="webm")
encode("aac.aac", "aac", RATE, "fltp", container="adts")
encode("surround.flac", "flac", RATE, "s16", "5.1")
encode("lame.mp3", "libmp3lame", RATE, "fltp")
