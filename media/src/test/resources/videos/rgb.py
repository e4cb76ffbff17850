"""Writes rgb.json: times and CRC-32 of the upright RGB frames of every clip beside it, in display order.

pip install av==18.1.0 numpy && python rgb.py. Frames are made as torchcodec makes them: FFmpeg's filters scale and format=rgb24 with
their default flags, then the display rotation.
"""

import json
import pathlib
import zlib

import av
import numpy as np

HERE = pathlib.Path(__file__).parent


def frames(path):
    with av.open(str(path)) as box:
        stream = box.streams.best("video")
        stream.thread_count = 1
        graph = None
        for frame in box.decode(stream):
            if graph is None:
                graph = av.filter.Graph()
                chain = [
                    graph.add_buffer(template=stream),
                    graph.add("scale"),
                    graph.add("format", "pix_fmts=rgb24"),
                    graph.add("buffersink"),
                ]
                for one, two in zip(chain, chain[1:], strict=False):
                    one.link_to(two)
                graph.configure()
            graph.push(frame)
            turns = round(frame.rotation / 90) % 4
            rgb = np.ascontiguousarray(np.rot90(graph.pull().to_ndarray(), turns))
            yield float(frame.time or 0), zlib.crc32(rgb.tobytes()), rgb.shape


rows = []
for path in sorted(HERE.glob("*/*")):
    if path.suffix not in (".mp4", ".mov", ".mkv", ".webm", ".avi") or path.stem == "corrupted":
        continue
    times, sums, shapes = zip(*frames(path), strict=True)
    height, width, _ = shapes[0]
    rows.append(
        {
            "file": f"{path.parent.name}/{path.name}",
            "width": width,
            "height": height,
            "pts_seconds": [round(t, 6) for t in times],
            "rgb_crc32": sums,
        }
    )
text = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
(HERE / "rgb.json").write_text(f"[\n{text}\n]\n")
