import pytest

from parsers.base.units import bytes_of_size_option
from parsers.fio.options import (
    flushes_are_durable,
    makes_every_write_durable,
    read_command_line,
    write_block_size,
)
from tests.parsers.samples import FIO_TEXT, only


def test_size_options_are_read_as_fio_reads_them(subtests):
    for text, size in [
        ("512", 512),
        ("4k", 4096),
        ("4K", 4096),
        ("4kb", 4096),
        ("4ki", 4096),
        ("4kib", 4000),  # fio turns the units of the SI round by default
        ("1m", 1_048_576),
        ("4k-8k", None),
        ("", None),
        ("four", None),
    ]:
        with subtests.test(text=text):
            assert bytes_of_size_option(text) == size


def test_the_block_size_is_that_of_the_writes_or_none():
    for options, size in (
        ({"bs": "4k"}, 4096),
        ({"bs": "4k,8k"}, 8192),
        ({"bs": ",8k"}, 8192),
        ({"bs": "4k,"}, None),  # the writes keep a default that nobody stated
        ({"bs": "4k", "bsrange": "4k-64k"}, None),
        ({"bs": "4k", "bssplit": "4k/50:8k/50"}, None),
        ({}, None),
    ):
        assert write_block_size(options) == size, options


def test_only_a_flush_for_every_write_makes_every_write_durable(subtests):
    for options, durable in [
        ({"sync": "1"}, True),
        ({"sync": "sync"}, True),
        ({"sync": "dsync"}, True),
        ({"fsync": "1"}, True),
        ({"fdatasync": "1"}, True),
        ({"sync": "0"}, False),
        ({"sync": "none"}, False),
        ({"fsync": "32"}, False),
        ({"fsync": "0"}, False),
        ({"ioengine": "sync"}, False),
        ({"direct": "1"}, False),
        ({"end_fsync": "1"}, False),
        ({"fsync_on_close": "1"}, False),
    ]:
        with subtests.test(options=options):
            assert makes_every_write_durable(options) is durable


def test_a_command_gives_each_job_its_options(subtests):
    for command in [
        "fio --name=a --rw=write --sync=1 --filename=/dev/sdz",
        "fio -name=a -rw=write -sync=1 -filename=/dev/sdz",
        "fio --name a --rw write --sync 1 --filename /dev/sdz",
        "fio --name='a' --rw=write --sync=1 --filename=\"/dev/sdz\"",
        "sudo /usr/local/bin/fio --sync=1 --rw=write --filename=/dev/sdz --name=a",
        "mkdir x; fio --name=global --sync=1 --filename=/dev/sdz --name=a --rw=write --name=b --sync=0",
        "fio --name=a --rw=write --sync=1 --filename=/dev/sdz --unbalanced='",
        "for x in 1 2; do fio --name=a --rw=write --filename=/dev/sdz --sync=1; done --sync=0",
        "fio --name=a --rw=write --filename=/dev/sdz --sync=1>out.txt 2>&1 | tee --sync=0",
    ]:
        with subtests.test(command=command):
            options = read_command_line(command).options_for("a")
            assert (options["sync"], options["filename"]) == ("1", "/dev/sdz")


def test_options_of_one_job_are_not_those_of_another():
    command = read_command_line("fio --bs=4k --name=a --sync=1 --name=b --fsync=1")
    assert command.options_for("a") == {"bs": "4k", "name": "a", "sync": "1"}
    assert command.options_for("b") == {"bs": "4k", "name": "b", "fsync": "1"}
    assert command.options_for(None) == {"bs": "4k"}


def test_options_of_a_looped_job_apply_to_any_name_of_the_loop():
    looped = read_command_line("fio --name=slog-$bs --bs=$bs --sync=1")
    assert looped.options_for("slog-4k")["sync"] == "1"
    assert looped.options_for(None)["sync"] == "1"
    assert read_command_line("fio --name=other --sync=1").options_for("slog-4k") == {}


@pytest.mark.parametrize("command", [None, "", "smartctl -a /dev/sda", "cat fio.log --sync=1"])
def test_a_line_without_a_fio_command_has_no_options(command):
    assert read_command_line(command).options_for("a") == {}


def test_writing_a_range_back_is_no_flush_of_the_disk():
    assert not flushes_are_durable({"sync_file_range": "write:1"})
    assert flushes_are_durable({"fsync": "32"})


def test_a_command_that_begins_with_a_backslash_is_read_with_its_options():
    text = (
        "root@nas:~# fio \\\n  --name=sync4k --filename=/dev/sdz \\\n  --sync=1 --bs=4k\n"
        + FIO_TEXT.template.partition("\n")[2]
    )
    reading = only(text)
    assert (reading.path, reading.jobs[0].sync, reading.jobs[0].sync_each_write) == ("/dev/sdz", "1", True)
