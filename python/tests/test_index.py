"""An index is an ordinary safetensors file: its columns are read without Headrace."""

import itertools
import json
from pathlib import Path

from safetensors import numpy, safe_open

EXAMPLE = (
    Path(__file__).parents[2]
    / "engine/src/test/resources/io/headrace/engine/index/example.safetensors"
)


def texts(columns, offsets, chars):
    data = columns[chars].tobytes()
    bounds = columns[offsets]
    return [data[a:b].decode() for a, b in itertools.pairwise(bounds)]


def test_columns_are_those_that_java_wrote():
    columns = numpy.load_file(EXAMPLE)
    assert texts(columns, "key_offsets", "key_bytes") == ["0001", "zwölf", "7", "8"]
    assert columns["part_offsets"].tolist() == [0, 2, 2, 4, 6]
    assert columns["part_place"].tolist() == [512, 5120, 7, 0, 8, 9]
    assert columns["part_length_bytes"].tolist() == [4000, 11, 123, 77, 9, 5000]
    assert columns["part_shard"].tolist() == [0, 0, 1, 1, 1, 1]
    assert columns["part_width"].tolist() == [640, 0, 3, 0, 0, 1920]
    assert columns["part_height"].tolist() == [480, 0, 5, 0, 0, 1080]
    assert columns["part_orientation"].tolist() == [6, 0, 1, 0, 0, 6]
    assert columns["part_tokens"].tolist() == [0, 3, 0, 20, 0, 0]
    assert columns["part_timed"].tolist() == [-1, -1, -1, -1, 0, 1]
    assert columns["timed_units"].tolist() == [88_200, 82]
    assert columns["timed_seconds"].tolist() == [2.0, 2.75]
    assert columns["timed_keys_or_rate"].tolist() == [44_100, 3]
    assert columns["timed_channels"].tolist() == [2, 0]
    assert columns["part_location"].tolist() == [0, 0, 1, 2, 0, 2]
    assert columns["path_bytes"].tobytes().decode() == "ü/c.jsonv.mp4"
    assert texts(columns, "shard_path_offsets", "shard_path_chars") == ["a-000.tar", "b.parquet"]
    assert columns["shard_sample_offsets"].tolist() == [0, 2, 4]
    assert columns["shard_modified_nanos"].tolist() == [1_700_000_000_000_000_001, 5]


def test_metadata_names_fields_and_codecs():
    with safe_open(EXAMPLE, framework="numpy") as file:
        metadata = file.metadata()
    assert metadata["format"] == "headrace-index-2"
    assert metadata["source"] == "web"
    fields = json.loads(metadata["fields"])
    codecs = json.loads(metadata["codecs"])
    columns = numpy.load_file(EXAMPLE)
    assert [fields[i] for i in columns["part_field"]] == [
        "jpg",
        "txt",
        "image.bytes",
        "conversations",
        "flac",
        "mp4",
    ]
    assert [codecs[i] for i in columns["part_codec"]] == [
        "JPEG",
        "TEXT",
        "PNG",
        "JSON",
        "FLAC",
        "H265",
    ]
    assert json.loads(metadata["skipped"]) == {
        "0": [{"reason": "EMPTY", "count": 7, "names": ["a.tar: x.jpg"]}]
    }
