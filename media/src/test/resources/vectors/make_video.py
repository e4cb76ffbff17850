"""Writes video_more.json: what the video processors of transformers give for clips of ../videos.

pip install av==18.1.0 transformers==5.24.0 torch==2.15.0 torchvision==0.29.2 && python make_video.py. Frames as in ../videos/rgb.py. A diffusion model's
input has no processor: torchvision resizes (uint8, bicubic, antialias) and crops.
"""

import hashlib
import json
import pathlib
import zlib

import av
import numpy as np
import torch
import transformers
from torchvision.transforms.v2 import functional as F
from transformers.video_utils import VideoMetadata

HERE = pathlib.Path(__file__).parent
VIDEOS = HERE.parent / "videos"


def frames(file):
    with av.open(str(VIDEOS / file)) as box:
        stream = box.streams.best("video")
        graph, out = None, []
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
            out.append(np.ascontiguousarray(np.rot90(graph.pull().to_ndarray(), turns)))
        return out, float(stream.average_rate)


def row(case, file, values, mean, std, chosen, grid, settings, call):
    """values: float32 tensor, first dimension rows; channels are where the levels' mean and deviation say."""
    levels = torch.round(values * std + mean).clamp(0, 255).to(torch.uint8)
    back = (levels.to(torch.float32) - mean) / std
    assert torch.equal(back, values), case
    rows = levels.reshape(-1, levels.shape[-1]) if levels.dim() == 2 else levels.flatten(1)
    return {
        "case": case,
        "settings": settings,
        "call": call,
        "video": file,
        "frames": [int(i) for i in chosen],
        "shape": list(values.shape),
        "sha256": hashlib.sha256(values.contiguous().numpy().tobytes()).hexdigest(),
        "grid": grid,
        "row_crc32": [zlib.crc32(r.contiguous().numpy().tobytes()) for r in rows],
    }


def scaled(values, processor, name):
    """mean * 255 and std * 255 in float32, in the shape of the output."""
    mean = torch.tensor(processor.image_mean, dtype=torch.float32) * 255
    std = torch.tensor(processor.image_std, dtype=torch.float32) * 255
    if name.startswith("qwen"):
        each = values.shape[1] // 3
        return mean.repeat_interleave(each), std.repeat_interleave(each)
    return mean[:, None, None], std[:, None, None]


def processed(name, processor, file, settings, call):
    video, rate = frames(file)
    metadata = VideoMetadata(total_num_frames=len(video), fps=rate)
    chosen = processor.sample_frames(metadata=metadata, **call)
    picked = torch.from_numpy(np.stack([video[i] for i in chosen])).permute(0, 3, 1, 2)
    out = processor([picked], do_sample_frames=False, return_tensors="pt")
    key = "pixel_values" if "pixel_values" in out else "pixel_values_videos"
    values = out[key]
    values = values[0] if values.dim() == 5 else values
    grid = out["video_grid_thw"][0].tolist() if "video_grid_thw" in out else None
    mean, std = scaled(values, processor, name)
    stem = pathlib.Path(file).name
    return row(f"{name}__{stem}", file, values, mean, std, chosen, grid, settings, call)


def diffusion(file, width, height, rate, most):
    video, mean_rate = frames(file)
    step = mean_rate / rate
    there = int((len(video) - 1) / step + 1e-6) + 1
    count = (min(there, most) - 1) // 4 * 4 + 1
    chosen = [min(len(video) - 1, int(k * step + 1e-6)) for k in range(count)]
    picked = torch.from_numpy(np.stack([video[i] for i in chosen])).permute(0, 3, 1, 2)
    h, w = picked.shape[-2:]
    if height / h > width / w:
        size = [height, max(width, round(w * (height / h)))]
    else:
        size = [max(height, round(h * (width / w))), width]
    resized = F.resize(picked, size, F.InterpolationMode.BICUBIC, antialias=True)
    top, left = (size[0] - height) // 2, (size[1] - width) // 2
    levels = resized[:, :, top : top + height, left : left + width].permute(1, 0, 2, 3)
    half = torch.tensor(127.5)
    values = (levels.to(torch.float32) - half) / half
    stem = pathlib.Path(file).name
    call = {"width": width, "height": height, "rate": rate, "most": most}
    # one row of the whole: channels come first
    return row(f"diffusion__{stem}", file, values[None], half, half, chosen, None, {}, call)


def main():
    half = {"image_mean": [0.5] * 3, "image_std": [0.5] * 3}
    llava = transformers.LlavaOnevisionVideoProcessor(**half)
    qwen2 = {"size": {"shortest_edge": 100352, "longest_edge": 602112}}
    qwen3 = {"size": {"shortest_edge": 4096, "longest_edge": 262144}}
    make2 = transformers.Qwen2VLVideoProcessor(**qwen2, cap_pixels_per_frame=False)
    make3 = transformers.Qwen3VLVideoProcessor(**qwen3, cap_pixels_per_frame=False, **half)
    mae = transformers.VideoMAEVideoProcessor(
        image_mean=[0.485, 0.456, 0.406], image_std=[0.229, 0.224, 0.225]
    )
    rows = [
        processed("llava", llava, "torchcodec/nasa_13013.mp4", {}, {"num_frames": 32}),
        processed("llava", llava, "decord/flipping_a_pancake.mkv", {}, {"num_frames": 32}),
        processed("qwen2", make2, "decord/flipping_a_pancake.mkv", qwen2, {"fps": 0.5}),
        processed("qwen2", make2, "made/rotated-90.mp4", qwen2, {"fps": 30}),
        processed("qwen2", make2, "torchcodec/bt709_full_range.mp4", qwen2, {"fps": 2}),
        processed("qwen3", make3, "lhotse/big_buck_bunny_small.mp4", qwen3, {"fps": 1}),
        processed("qwen3", make3, "torchcodec/av1_video.mkv", qwen3, {"fps": 2}),
        processed("qwen3", make3, "hf/test_video_66x50.mov", qwen3, {"fps": 5}),
        processed("videomae", mae, "decord/flipping_a_pancake.mkv", {}, {"num_frames": 16}),
        processed("videomae", mae, "made/mjpeg.mov", {}, {"num_frames": 6}),
        diffusion("decord/flipping_a_pancake.mkv", 720, 480, 8, 49),
        diffusion("torchcodec/nasa_13013.mp4", 320, 208, 24, 129),
    ]
    text = ",\n".join(json.dumps(r, separators=(",", ":")) for r in rows)
    (HERE / "video_more.json").write_text(f"[\n{text}\n]\n")


if __name__ == "__main__":
    main()
