"""Makes the small clips of this folder: python make.py (needs av and numpy). Each shows a square that moves over a gradient."""

import os
import struct

import av
import numpy as np
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))


def picture(k, w, h):
    y, x = np.mgrid[0:h, 0:w]
    a = np.stack([x * 255 // w, y * 255 // h, (x + y + 8 * k) % 256], -1).astype(np.uint8)
    a[h // 4 : h // 2, (4 * k) % (w - 8) : (4 * k) % (w - 8) + 8] = 255
    return a


def clip(name, codec, times, w=64, h=48, fps=30, pix="yuv420p", options=None, container=None, stamps=True):
    path = os.path.join(HERE, name)
    with av.open(path, "w", options=container or {}) as out:
        s = out.add_stream(codec, rate=fps, options=options or {})
        s.width, s.height, s.pix_fmt = w, h, pix
        s.codec_context.time_base = Fraction(1, fps)
        n = 0
        packets = []
        for k in times:
            f = av.VideoFrame.from_ndarray(picture(k, w, h)).reformat(format=pix)
            f.pts, f.time_base = k, Fraction(1, fps)
            packets += s.encode(f)
        packets += s.encode(None)
        for p in packets:
            if not stamps:  # as a raw stream is put into AVI: in decode order, without presentation times
                p.pts = p.dts = n
                n += 1
            out.mux(p)
    return path


def boxes(d, path, at=0, end=None):
    """Offset and size of the first box of this path."""
    end = len(d) if end is None else end
    while at + 8 <= end:
        size, kind = struct.unpack(">I4s", d[at : at + 8])
        if kind.decode("latin1") == path[0]:
            return (at, size) if len(path) == 1 else boxes(d, path[1:], at + 8, at + size)
        at += size
    raise KeyError(path)


def edits(source, name, entries, version=0):
    """Replaces the edit list; the header is at the end of the file, so nothing else moves."""
    d = bytearray(open(os.path.join(HERE, source), "rb").read())
    chain = [("moov",), ("moov", "trak"), ("moov", "trak", "edts"), ("moov", "trak", "edts", "elst")]
    at, size = boxes(d, chain[-1])
    body = struct.pack(">II", version << 24, len(entries))
    for duration, media in entries:
        body += struct.pack(">QqI" if version else ">IiI", duration, media, 0x10000)
    new = struct.pack(">I4s", 8 + len(body), b"elst") + body
    for c in chain[:-1]:
        a, n = boxes(d, c)
        d[a : a + 4] = struct.pack(">I", n + len(new) - size)
    d[at : at + size] = new
    open(os.path.join(HERE, name), "wb").write(d)


def turn(source, name, matrix):
    d = bytearray(open(os.path.join(HERE, source), "rb").read())
    at, _ = boxes(d, ("moov", "trak", "tkhd"))
    a, b, c, e, x, y = matrix
    d[at + 48 : at + 84] = struct.pack(">9i", a << 16, b << 16, 0, c << 16, e << 16, 0, x << 16, y << 16, 1 << 30)
    open(os.path.join(HERE, name), "wb").write(d)


X264 = {"bf": "2", "g": "10", "crf": "40", "x264-params": "scenecut=0:b-adapt=0:open-gop=0"}
OPEN = {"bf": "2", "g": "10", "crf": "40", "x264-params": "scenecut=0:b-adapt=0:open-gop=1"}
X265 = {"crf": "45", "x265-params": "keyint=10:min-keyint=10:scenecut=0:open-gop=1:bframes=2:b-adapt=0:log-level=none"}
REFRESH = {"bf": "0", "g": "10", "crf": "40", "x264-params": "scenecut=0:intra-refresh=1"}
LAYERS = {"crf": "45", "x265-params": "keyint=15:scenecut=0:temporal-layers=3:bframes=4:b-pyramid=1:log-level=none"}
VP9 = {"g": "10", "deadline": "realtime", "cpu-used": "8", "crf": "50"}

os.chdir(HERE)
clip("vfr.mp4", "libx264", [k for k in range(60) if k >= 30 or k % 3 == 0], options=X264)
clip("plain.mp4", "libx264", range(30), options=X264)
clip("faststart.mp4", "libx264", range(30), options={**X264, "crf": "22"}, container={"movflags": "faststart"})
clip("negative.mp4", "libx264", range(30), options=X264, container={"movflags": "negative_cts_offsets"})
clip("open-gop.mp4", "libx264", range(30), options=OPEN)
clip("hevc.mp4", "libx265", range(30), options=X265)
clip("fragmented.mp4", "libx264", range(30), options=X264, container={"movflags": "frag_keyframe+empty_moov+default_base_moof"})
clip("hybrid.mp4", "libx264", range(30), options=X264, container={"movflags": "frag_keyframe"})
clip("vp9.mp4", "libvpx-vp9", range(12), options=VP9)
clip("av1.mp4", "libsvtav1", range(12), options={"preset": "12", "crf": "60"})
clip("mpeg4.mp4", "mpeg4", range(12), options={"bf": "1", "g": "6", "q": "20"})
clip("mjpeg.mov", "mjpeg", range(6), pix="yuvj420p")
clip("vp8.webm", "libvpx", range(12), options={"g": "6", "crf": "50"})
clip("vp9.webm", "libvpx-vp9", range(12), options=VP9)
clip("h264.mkv", "libx264", range(30), options=X264)
clip("hevc.mkv", "libx265", range(30), options=X265)
clip("vfr.mkv", "libx264", [k for k in range(60) if k >= 30 or k % 3 == 0], options=X264)
clip("mjpeg.avi", "mjpeg", range(6), pix="yuvj420p")
clip("mpeg4.avi", "mpeg4", range(12), options={"bf": "0", "g": "6", "q": "20"})
clip("bframes.avi", "libx264", range(30), options=X264, stamps=False)
clip("upright.mp4", "libx264", range(4), w=160, h=120, options=X264)
clip("refresh.mp4", "libx264", range(30), options=REFRESH)
clip("interlaced.mp4", "libx264", range(30), options={**X264, "x264-params": "scenecut=0:tff=1"})
clip("mpeg2.mkv", "mpeg2video", range(12), options={"bf": "2", "g": "6", "q": "20"})
clip("hevc-layers.mp4", "libx265", range(30), options=LAYERS)
turn("upright.mp4", "rotated-90.mp4", (0, 1, -1, 0, 120, 0))
turn("upright.mp4", "rotated-180.mp4", (-1, 0, 0, -1, 160, 120))
turn("upright.mp4", "rotated-270.mp4", (0, -1, 1, 0, 0, 160))
turn("upright.mp4", "mirrored.mp4", (-1, 0, 0, 1, 160, 0))
# plain.mp4: 30 frames of 512 ticks at 15360, the first shown at media time 1024; the movie's clock has 1000 ticks a second.
edits("plain.mp4", "edit-delay.mp4", [(500, -1), (1000, 1024)])
edits("plain.mp4", "edit-late.mp4", [(500, 1024 + 13 * 512)])
edits("plain.mp4", "edit-between.mp4", [(500, 1024 + 13 * 512 + 100)])
edits("plain.mp4", "edit-two.mp4", [(200, 1024 + 4 * 512), (300, 1024 + 17 * 512)])
edits("plain.mp4", "edit-again.mp4", [(200, 1024), (200, 1024)])
edits("plain.mp4", "edit-back.mp4", [(200, 1024 + 20 * 512), (100, -1), (300, 1024)], version=1)
edits("negative.mp4", "edit-negative.mp4", [(500, 11 * 512)])
