"""Writes truth.json, one line a stream, from what PyAV says of the clips: python truth.py (needs av)."""

import glob
import json
import os

import av

HERE = os.path.dirname(os.path.abspath(__file__))


def stream(file, index):
    with av.open(file) as c:
        s = c.streams[index]
        packets = [p for p in c.demux(s) if p.size]
        row = {
            "kind": s.type,
            "codec": s.codec_context.name,
            "time_base": [s.time_base.numerator, s.time_base.denominator],
            "pts": [p.pts for p in packets],
            "dts": [p.dts for p in packets],
            "key": [i for i, p in enumerate(packets) if p.is_keyframe],
            "discard": [i for i, p in enumerate(packets) if p.is_discard],
            "pos": [p.pos for p in packets],
            "size": [p.size for p in packets],
        }
    with av.open(file) as c:
        s = c.streams[index]
        frames, rotation = [], None
        try:
            for f in c.decode(s):
                frames.append(f.pts)
                if s.type == "video" and rotation is None:
                    row["width"], row["height"], rotation = f.width, f.height, f.rotation
        except av.error.InvalidDataError as e:
            row["error"] = str(e)[:80]
    row["rotation"] = rotation
    row["frames"] = frames
    return row


av.logging.set_level(av.logging.PANIC)
os.chdir(HERE)
with open("truth.json", "w") as out:
    lines = []
    for file in sorted(f for f in glob.glob("*/*") if f.rsplit(".", 1)[-1] in ("mp4", "mov", "mkv", "webm", "avi")):
        with av.open(file) as c:
            wanted = [s.index for s in c.streams if s.type in ("video", "audio")]
            best = c.streams.best("video").index
        for index in wanted:
            row = {"file": file, "index": index, "best": best == index, **stream(file, index)}
            lines.append(json.dumps(row, separators=(",", ":")))
    out.write("[\n" + ",\n".join(lines) + "\n]\n")
