#!/usr/bin/env python3
"""Makes small pictures of every kind and what Pillow 13.0.0 makes of them: `python make.py` writes them beside itself, with decode.tsv.

The pixels are a seeded pattern; the PNGs are written byte by byte, since no encoder writes all of these kinds.
"""
import io, random, struct, zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

HERE = Path(__file__).parent
RNG = random.Random(17)


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def filtered(line, above, step, kind):
    out = bytearray()
    for i, x in enumerate(line):
        a = line[i - step] if i >= step else 0
        b = above[i]
        c = above[i - step] if i >= step else 0
        p = a + b - c
        paeth = a if abs(p - a) <= abs(p - b) and abs(p - a) <= abs(p - c) else b if abs(p - b) <= abs(p - c) else c
        out.append((x - (0, a, b, (a + b) // 2, paeth)[kind]) & 255)
    return bytes([kind]) + bytes(out)


def packed(samples, bits):
    if bits == 16:
        return b"".join(struct.pack(">H", s) for s in samples)
    if bits == 8:
        return bytes(samples)
    text = "".join(format(s, "0%db" % bits) for s in samples)
    text += "0" * (-len(text) % 8)
    return bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))


def png(width, height, colour, bits, interlace=0, palette=None, trns=None, before=b"", after=b"", split=None, most=None):
    n = CHANNELS[colour]
    most = most if most is not None else (1 << bits) - 1
    def sample(x, y, k):
        if RNG.random() < 0.3:
            return RNG.choice([0, most, 1 if most > 1 else 0, most // 2])
        return min(most, int(most * ((x * (k + 2) + y * 3) % 23) / 22))
    pixels = [[[sample(x, y, k) for k in range(n)] for x in range(width)] for y in range(height)]
    raw = b""
    step = max(1, n * bits // 8)
    for x0, y0, dx, dy in ADAM7 if interlace else [(0, 0, 1, 1)]:
        if x0 >= width:
            continue
        above = None
        for r, y in enumerate(range(y0, height, dy)):
            line = packed([s for x in range(x0, width, dx) for s in pixels[y][x]], bits)
            raw += filtered(line, above or bytes(len(line)), step, (r + RNG.randrange(5)) % 5)
            above = line
    data = zlib.compress(raw, 9)
    parts = [data] if not split else [data[i:i + split] for i in range(0, len(data), split)]
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, interlace))
            + before + (chunk(b"PLTE", palette) if palette else b"") + (chunk(b"tRNS", trns) if trns else b"")
            + b"".join(chunk(b"IDAT", p) for p in parts) + after + chunk(b"IEND", b""))


def exif(orientation):
    return b"MM\0*\0\0\0\x08\0\x01" + struct.pack(">HHIHH", 0x112, 3, 1, orientation, 0) + b"\0\0\0\0"


def pictures():
    for colour, depths in ((0, (1, 2, 4, 8, 16)), (2, (8, 16)), (3, (1, 2, 4, 8)), (4, (8, 16)), (6, (8, 16))):
        for bits in depths:
            palette = bytes(RNG.randrange(256) for _ in range(3 << bits)) if colour == 3 else None
            for interlace in (0, 1):
                name = "c%db%02d%s" % (colour, bits, "i" if interlace else "")
                yield name + ".png", png(19, 13, colour, bits, interlace, palette)
                if colour == 3:
                    yield name + "t.png", png(19, 13, 3, bits, interlace, palette, bytes(RNG.randrange(256) for _ in range(1 << bits)))
                elif colour in (0, 2):
                    most = (1 << bits) - 1
                    value = most if bits < 8 else 255
                    yield name + "t.png", png(19, 13, colour, bits, interlace, None, struct.pack(">H", value) * (1 if colour == 0 else 3))
    yield "grey02-first.png", png(9, 9, 0, 2, trns=b"\0\1")
    yield "grey16-low.png", png(9, 9, 0, 16, trns=b"\1\xff")
    yield "one-by-one-i.png", png(1, 1, 2, 8, 1)
    yield "tall-i.png", png(3, 70, 6, 8, 1)
    yield "split.png", png(40, 30, 2, 8, split=7)
    yield "short-palette.png", png(8, 8, 3, 8, palette=bytes(range(30)), most=20)
    yield "palette-one-clear.png", png(8, 8, 3, 4, palette=bytes(RNG.randrange(256) for _ in range(48)), trns=b"\xff\0\xff")
    yield "exif-6.png", png(9, 5, 2, 8, before=chunk(b"eXIf", exif(6)))
    yield "exif-behind-8.png", png(9, 5, 6, 8, after=chunk(b"eXIf", exif(8)))
    yield "xmp-3.png", png(9, 5, 2, 8, before=chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0<a tiff:Orientation=\"3\"/>"))
    hexed = exif(5).hex()
    raw = ("\nexif\n      %d\n%s\n" % (len(hexed) // 2, hexed)).encode()
    yield "raw-exif-5.png", png(9, 5, 2, 8, before=chunk(b"tEXt", b"Raw profile type exif\0" + raw))
    yield "raw-exif-z7.png", png(9, 5, 2, 8, before=chunk(b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(raw)))
    yield "text.png", png(9, 5, 2, 8, before=chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"x" * 900000)) + chunk(b"iCCP", b"p\0\0" + zlib.compress(b"y" * 5000)))

    hopper = Image.open(HERE.parent / "pillow/hopper.png").convert("RGB").resize((67, 51))
    ramp = Image.linear_gradient("L").resize((67, 51)).rotate(90, expand=False)
    rgba = hopper.copy()
    rgba.putalpha(ramp)

    def save(image, form, **how):
        out = io.BytesIO()
        image.save(out, form, **how)
        return out.getvalue()

    tagged = Image.Exif()
    tagged[0x112] = 6
    # GIF
    yield "plain.gif", save(hopper.quantize(64), "GIF")
    yield "grey.gif", save(hopper.convert("L"), "GIF")
    yield "two.gif", save(hopper.convert("1"), "GIF")
    yield "interlaced.gif", save(hopper.quantize(200), "GIF", interlace=1)
    clear = hopper.quantize(31)
    yield "clear.gif", save(clear, "GIF", transparency=5)
    yield "moving.gif", save(hopper.quantize(16), "GIF", save_all=True, append_images=[hopper.rotate(9).quantize(16)], duration=50)
    gif = bytearray(save(hopper.quantize(64), "GIF"))
    yield "small-in-screen.gif", bytes(gif[:6]) + struct.pack("<HH", 90, 70) + bytes(gif[10:])
    at = gif.index(b"\x2c\0\0\0\0")
    yield "placed.gif", bytes(gif[:6]) + struct.pack("<HH", 90, 70) + bytes(gif[10:at + 1]) + struct.pack("<HH", 10, 7) + bytes(gif[at + 5:])
    yield "beyond-screen.gif", bytes(gif[:6]) + struct.pack("<HH", 40, 30) + bytes(gif[10:])
    gif = bytearray(save(clear, "GIF", transparency=5))
    at = gif.index(b"\x2c\0\0\0\0")
    yield "placed-clear.gif", bytes(gif[:6]) + struct.pack("<HH", 90, 70) + bytes(gif[10:at + 1]) + struct.pack("<HH", 10, 7) + bytes(gif[at + 5:])
    # BMP
    for mode in ("1", "L", "P", "RGB", "RGBA"):
        image = hopper.quantize(200) if mode == "P" else rgba if mode == "RGBA" else hopper.convert(mode)
        yield "%s.bmp" % mode, save(image, "BMP")
    bmp = save(hopper, "BMP")
    rows = [bmp[54 + i * 204:54 + (i + 1) * 204] for i in range(51)]
    yield "top-down.bmp", bmp[:22] + struct.pack("<i", -51) + bmp[26:54] + b"".join(reversed(rows))
    px = [RNG.randrange(65536) for _ in range(68 * 11)]
    yield "555.bmp", b"BM" + struct.pack("<IIIIiiHHIIiiII", 54 + 1496, 0, 54, 40, 67, 11, 1, 16, 0, 1496, 0, 0, 0, 0) + struct.pack("<748H", *px)
    yield "565.bmp", b"BM" + struct.pack("<IIIIiiHHIIiiIIIII", 66 + 1496, 0, 66, 40, 67, 11, 1, 16, 3, 1496, 0, 0, 0, 0, 0xF800, 0x7E0, 0x1F) + struct.pack("<748H", *px)
    px = [RNG.randrange(1 << 32) for _ in range(67 * 11)]
    yield "32.bmp", b"BM" + struct.pack("<IIIIiiHHIIiiII", 54 + 2948, 0, 54, 40, 67, 11, 1, 32, 0, 2948, 0, 0, 0, 0) + struct.pack("<737I", *px)
    nib = bytes(RNG.randrange(256) for _ in range(12 * 9))
    pal = b"".join(struct.pack("<BBBB", *(RNG.randrange(256) for _ in range(3)), 0) for _ in range(16))
    yield "4.bmp", b"BM" + struct.pack("<IIIIiiHHIIiiII", 118 + 108, 0, 118, 40, 21, 9, 1, 4, 0, 108, 0, 0, 16, 0) + pal + nib
    pal3 = b"".join(pal[4 * i:4 * i + 3] for i in range(16))
    yield "os2-4.bmp", b"BM" + struct.pack("<IIIIHHHH", 74 + 108, 0, 74, 12, 21, 9, 1, 4) + pal3 + nib
    rle = b"\x05\x01\x00\x03\x04\x05\x06\x00\x00\x00" + b"\x08\x07\x00\x00" + b"\x00\x02\x02\x00\x03\x09\x00\x01"
    yield "rle8.bmp", b"BM" + struct.pack("<IIIIiiHHIIiiII", 118 + len(rle), 0, 118, 40, 8, 3, 1, 8, 1, len(rle), 0, 0, 16, 0) + pal + rle
    rle4 = b"\x05\x12\x00\x03\x45\x60\x00\x00" + b"\x08\x71\x00\x00" + b"\x08\x9a\x00\x01"
    yield "rle4.bmp", b"BM" + struct.pack("<IIIIiiHHIIiiII", 118 + len(rle4), 0, 118, 40, 8, 3, 1, 4, 2, len(rle4), 0, 0, 16, 0) + pal + rle4
    # TIFF
    for mode in ("1", "L", "P", "RGB", "RGBA", "LA", "CMYK", "I;16", "YCbCr"):
        image = {"P": lambda: hopper.quantize(200), "RGBA": lambda: rgba, "LA": lambda: rgba.convert("LA"),
                 "I;16": lambda: Image.fromarray(np.arange(67 * 51, dtype=np.uint16).reshape(51, 67) * 7)}.get(mode, lambda: hopper.convert(mode))()
        name = mode.replace(";", "")
        for compression in ("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits"):
            yield "%s-%s.tif" % (name, compression.replace("tiff_", "").replace("adobe_", "")), save(image, "TIFF", compression=compression)
    yield "jpeg.tif", save(hopper, "TIFF", compression="jpeg")
    yield "group4.tif", save(hopper.convert("1"), "TIFF", compression="group4")
    yield "group3.tif", save(hopper.convert("1"), "TIFF", compression="group3")
    yield "zstd.tif", save(hopper, "TIFF", compression="zstd")
    for predicted in ("tiff_lzw", "tiff_adobe_deflate"):
        for image, name in ((hopper, "rgb"), (hopper.convert("L"), "l")):
            yield "predictor-%s-%s.tif" % (name, predicted[5:8]), save(image, "TIFF", compression=predicted, tiffinfo={317: 2})
    yield "strips.tif", save(hopper, "TIFF", compression="tiff_lzw", strip_size=67 * 3 * 8)
    for turned in (3, 6, 7):
        yield "turned-%d.tif" % turned, save(hopper, "TIFF", tiffinfo={274: turned})
    yield "big.tif", save(hopper, "TIFF", big_tiff=True)
    # WebP and AVIF
    yield "lossy.webp", save(hopper, "WEBP", quality=70)
    yield "lossy-odd.webp", save(hopper.crop((0, 0, 33, 21)), "WEBP", quality=40)
    yield "lossless.webp", save(hopper, "WEBP", lossless=True)
    yield "lossy-alpha.webp", save(rgba, "WEBP", quality=70)
    yield "lossless-alpha.webp", save(rgba, "WEBP", lossless=True)
    yield "turned-6.webp", save(hopper, "WEBP", exif=tagged)
    yield "xmp-3.webp", save(hopper, "WEBP", xmp=b'<a tiff:Orientation="3"/>')
    yield "moving.webp", save(hopper, "WEBP", save_all=True, append_images=[hopper.rotate(9)], duration=50, quality=60)
    yield "moving-alpha.webp", save(rgba, "WEBP", save_all=True, append_images=[rgba.rotate(9)], duration=50, lossless=True)
    yield "plain.avif", save(hopper, "AVIF", quality=70)
    yield "444.avif", save(hopper, "AVIF", quality=80, subsampling="4:4:4")
    yield "422.avif", save(hopper, "AVIF", quality=80, subsampling="4:2:2")
    yield "grey.avif", save(hopper.convert("L"), "AVIF", quality=80, subsampling="4:0:0")
    yield "limited.avif", save(hopper, "AVIF", quality=70, range="limited")
    yield "alpha.avif", save(rgba, "AVIF", quality=80)
    yield "turned-6.avif", save(hopper, "AVIF", exif=tagged)
    yield "moving.avif", save(hopper, "AVIF", save_all=True, append_images=[hopper.rotate(9)], duration=50)
    # JPEG
    yield "progressive.jpg", save(hopper, "JPEG", progressive=True, quality=85)
    for sampling in (0, 1, 2):
        yield "sampling-%d.jpg" % sampling, save(hopper, "JPEG", quality=85, subsampling=sampling)
    yield "restart.jpg", save(hopper, "JPEG", quality=85, restart_marker_blocks=2)
    yield "xmp-8.jpg", save(hopper, "JPEG", xmp=b'<a tiff:Orientation="8"/>')
    yield "cmyk.jpg", save(hopper.convert("CMYK"), "JPEG")
    yield "odd-one.jpg", save(hopper.crop((0, 0, 1, 1)), "JPEG")


def crc(image):
    return zlib.crc32(np.ascontiguousarray(np.array(image)).tobytes())


def white(image):
    if "A" in image.getbands() or image.info.get("transparency") is not None:
        image = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", image.size, (255, 255, 255, 255)), image).convert("RGB")
    return image.convert("RGB")


lines = []
for name, data in pictures():
    (HERE / name).write_bytes(data)
    try:
        raw = Image.open(io.BytesIO(data))
        stored = raw.size
        upright = ImageOps.exif_transpose(raw)
        orientation = raw.getexif().get(0x112, 1)
        lines.append("\t".join(map(str, ["made/" + name, raw.mode, *stored, *upright.size, orientation,
                                        crc(upright.convert("RGB")), crc(raw.convert("RGB")), crc(white(upright))])))
    except Exception as error:
        lines.append("made/%s\terror\t%s: %s" % (name, type(error).__name__, str(error)[:80]))
(HERE / "decode.tsv").write_text("\n".join(lines) + "\n")
