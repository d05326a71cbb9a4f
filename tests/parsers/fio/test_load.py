"""What fio's options say about the data, order and alignment of writes, in JSON, commands and job files."""

import json

from parsers.base.readings import FioJob
from tests import ladders
from tests.parsers.samples import only

STATED = {
    "zero_buffers=1": {"data": "zeros"},
    "zero_buffers": {"data": "zeros"},
    "zero_buffers=0": {},
    "buffer_pattern=0x00": {"data": "zeros"},
    "buffer_pattern=0xdeadbeef": {"data": "compressible"},
    "buffer_compress_percentage=100": {"data": "zeros"},
    "buffer_compress_percentage=50": {"data": "compressible"},
    "buffer_compress_percentage=0": {},
    "dedupe_percentage=40": {"data": "compressible"},
    "refill_buffers": {"data": "refilled"},
    "percentage_random=30": {"percentage_random": 30},
    "percentage_random=100,30": {"percentage_random": 30},
    "direct=1": {"direct": True},
    "direct=0": {"direct": False},
    "buffered=1": {"direct": False},
    "buffered=0": {"direct": True},
    "blockalign=4k": {"block_align": 4096},
    "ba=512,8k": {"block_align": 8192},
    "blockalign=many": {},
    "iodepth=1": {},
}
OUTPUT = ladders.text({1: 5000}).partition("\n")[2]
NOTHING = {"direct": None, "data": None, "percentage_random": None, "block_align": None}


def job_of(text):
    reading = only(text)
    (job,) = reading.jobs
    return {name: getattr(job, name) for name in NOTHING}


def test_the_load_is_read_from_documents_commands_and_job_files():
    for text, stated in STATED.items():
        name, _, value = text.partition("=")
        options = {"rw": "randwrite", "bs": "4k", "sync": "1", name: value}
        row = {"jobname": "a", "job options": options, "write": {"iops": 100, "lat_ns": {"mean": 10000}}}
        document = json.dumps({"fio version": "fio-3.36", "jobs": [row]}, indent=1)
        assert job_of(document) == NOTHING | stated, text
        command = f"$ fio --name=slog --rw=randwrite --sync=1 --{text}\n{OUTPUT}"
        assert job_of(command) == NOTHING | stated, text
        file = f"[slog]\nrw=randwrite\nsync=1\n{text}\n\n{OUTPUT}"
        assert job_of(file) == NOTHING | stated, text


def test_order_of_the_writes(subtests):
    for rw, percentage, pattern in [
        ("write", None, "sequential"),
        ("write:8k", None, "sequential"),
        ("randwrite", None, "random"),
        ("randwrite", 100, "random"),
        ("randwrite", 30, "mixed"),
        ("randwrite", 0, "sequential"),
        ("randread", None, None),
        (None, None, None),
    ]:
        with subtests.test(rw=rw, percentage=percentage):
            assert FioJob(rw=rw, percentage_random=percentage).pattern == pattern
