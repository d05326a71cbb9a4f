"""The shared corpora, other people's output that is not ours to keep: the folder named by SLOGDB_CORPUS, if it is.

A label says what a sample states under names of its own; FIELDS maps them to those of a reading.
"""

import json
import os
from decimal import Decimal
from pathlib import Path

from parsers.__main__ import to_json
from parsers.paste import parse_paste

SAMPLE_ENDINGS = (".txt", ".smartctl.json", ".json", ".bin")
SHORTEST_SECRET = 6
DISKINFO_FIELDS = {
    "path": "path", "description": "description", "sectorsize": "sector_size", "mediasize_bytes": "media_size",
    "rotation_rpm": "rotation_rate_rpm", "trim": "trim_support", "zone_mode": "zone_mode", "attachment": "attachment",
}  # fmt: skip
SMARTCTL_FIELDS = {
    "tool_version": "tool_version", "os": "platform", "transport": "transport", "protocol": "protocol",
    "vendor_field": "vendor", "model": "model_name", "model_family": "model_family", "firmware": "firmware_version",
    "capacity_bytes": "user_capacity", "logical_sector": "logical_block_size",
    "physical_sector": "physical_block_size", "rotation_rpm": "rotation_rate_rpm", "form_factor": "form_factor",
    "device_class": "device_class", "health": "health", "temperature_c": "temperature_c",
    "power_on_hours": "power_on_hours", "power_cycles": "power_cycle_count",
    "host_bytes_written": "host_bytes_written", "percent_used": "percentage_used",
    "available_spare": "available_spare", "write_cache_enabled": "write_cache_enabled",
}  # fmt: skip
FIO_FIELDS = {
    "rw": "rw", "bs_bytes": "block_size", "iodepth": "iodepth", "numjobs": "numjobs", "ioengine": "ioengine",
    "sync_each_write": "sync_each_write", "iops": "iops", "bw_bytes_s": "throughput_bytes_s",
    "mean_lat_us": "write_latency_us", "p99_lat_us": "write_latency_p99_us", "sync_mean_us": "flush_latency_us",
    "sync_p99_us": "flush_latency_p99_us",
}  # fmt: skip
# fio's text rounds its figures; the labels come from the unrounded ones.
ROUNDED = {
    "iops": 0.01,
    "bw_bytes_s": 0.02,
    "mean_lat_us": 0.01,
    "p99_lat_us": 0.01,
    "sync_mean_us": 0.01,
    "sync_p99_us": 0.01,
}


def samples():
    """Each sample with its label; none where no corpus is at hand."""
    folder = os.environ.get("SLOGDB_CORPUS")
    for label in sorted(Path(folder).rglob("*.expected.json")) if folder else ():
        stem = label.name.removesuffix(".expected.json")
        raw = next(path for ending in SAMPLE_ENDINGS if (path := label.with_name(stem + ending)).exists())
        if raw.parent.name in ("diskinfo", "smartctl", "fio"):
            yield raw, json.loads(label.read_text())


def is_same(got, want, tolerance=0.0):
    if isinstance(want, str) and isinstance(got, str):
        return got.split() == want.split()
    if isinstance(want, float) or tolerance:
        return isinstance(got, (int, float, Decimal)) and abs(float(got) - want) <= max(
            tolerance * abs(want), 1e-6
        )
    return got == want and isinstance(got, bool) == isinstance(want, bool)


def differences(fields, got, label):
    """Fields of one reading or job that are neither as labeled nor as the label lets pass."""
    if label.get("parse_may_fail") and not got:
        return
    for name, field in fields.items():
        if name in label:
            accepted = [label[name], *label.get("also_ok", {}).get(name, [])]
            if name == "health" and label[name] in ("OK", "PASSED"):
                accepted = ["OK", "PASSED"]
            tolerance = ROUNDED.get(name, 0) if label[name] is not None and fields is FIO_FIELDS else 0
            if not any(
                is_same(got.get(field), value, tolerance if value is not None else 0) for value in accepted
            ):
                yield f"{field}: {got.get(field)!r} is not {label[name]!r}"


def faults(label, printed):
    """Everything that is wrong about one sample."""
    for_kind = {
        kind: [reading for reading in printed["readings"] if reading["kind"] == kind]
        for kind in ("diskinfo", "smartctl", "fio")
    }
    if "devices" in label:
        yield from diskinfo_faults(label["devices"], for_kind["diskinfo"])
        smartctl = label.get("smartctl") or []
    elif "jobs" in label:
        yield from fio_faults(label, [job for reading in for_kind["fio"] for job in reading["jobs"]])
        smartctl = []
    else:
        smartctl = label
    for number, device in enumerate(smartctl if isinstance(smartctl, list) else [smartctl]):
        readings = for_kind["smartctl"]
        yield from differences(SMARTCTL_FIELDS, readings[number] if number < len(readings) else {}, device)


def diskinfo_faults(devices, readings):
    if len(devices) != len(readings):
        yield f"{len(readings)} diskinfo readings, not {len(devices)}"
    for device, reading in zip(devices, readings, strict=False):
        yield from differences(DISKINFO_FIELDS, reading, device)
        points = [
            [point["block_size"], point["latency_us"], point["throughput_mib_s"]]
            for point in reading["points"]
        ]
        if points != device["points"]:
            yield f"points {points} are not {device['points']}"


def fio_faults(label, jobs):
    if label.get("parse_may_fail") and not jobs:
        return
    if len(label["jobs"]) != len(jobs):
        yield f"{len(jobs)} jobs, not {len(label['jobs'])}"
    hidden = label.get("not_in_text") or []
    for wanted, job in zip(label["jobs"], jobs, strict=False):
        stated = {name: value for name, value in wanted.items() if name not in hidden}
        yield from differences(FIO_FIELDS, job, stated)


def test_every_shared_sample_is_read_to_the_last_field_and_leaks_nothing():
    wrong = {}
    for raw, label in samples():
        out = to_json(parse_paste(raw.read_bytes(), unit_key=b"key"))
        found = list(faults(label, json.loads(out)))
        secrets = [secret for secret in label.get("secrets", []) if secret and len(secret) >= SHORTEST_SECRET]
        found += [f"leaked {secret!r}" for secret in secrets if secret in out]
        if found:
            wrong[raw.name] = found
    assert wrong == {}


def test_the_configured_shared_corpus_exists():
    assert os.environ.get("SLOGDB_CORPUS") is None or next(samples(), None) is not None


def test_the_comparison_finds_differences():
    label = {"model": "EXAMPLE", "rotation_rpm": 0, "also_ok": {"model": ["SAMPLE"]}}
    right = {"model_name": "SAMPLE", "rotation_rate_rpm": 0}
    assert list(differences(SMARTCTL_FIELDS, right, label)) == []
    assert len(list(differences(SMARTCTL_FIELDS, right | {"rotation_rate_rpm": False}, label))) == 1
    assert len(list(differences(SMARTCTL_FIELDS, {}, label))) == 2
    assert len(list(diskinfo_faults([{"points": [[512, 1.0, 0.5]]}], [{"points": []}]))) == 1
    assert len(list(fio_faults({"jobs": [{"iops": 100.0}]}, [{"iops": 98.0}]))) == 1
