"""A tool's name with options of it is a command, whatever is in front; a sentence is none."""

from pathlib import Path

import pytest

from parsers.base.shell import LOOP
from tests.parsers import samples
from tests.parsers.samples import DISKINFO, FIO_TEXT, SMARTCTL_NVME, identified

HERE = Path(__file__).parent
COMMAND = "fio --name=sync4k --filename=/dev/nvme3n1 --rw=randwrite --sync=1 --bs=4k"
RUN = identified(FIO_TEXT).partition("\n")[2]  # without its command
OUTPUTS = {
    "smartctl": identified(SMARTCTL_NVME),
    "diskinfo": identified(DISKINFO).partition("\n")[2],
    "pg_test_fsync": "5 seconds per test\n\nCompare file sync methods using one 8kB write:\n"
    "        fdatasync                          2001.538 ops/sec     500 usecs/op\n",
    "pveperf": "CPU BOGOMIPS:      79820.16\nHD SIZE:           3519.22 GB (/dev/sda2)\nFSYNCS/SECOND:     5210.44\n",
}


def texts(name):
    """The texts of a list, a line each; `FIO` stands for the command."""
    lines = (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("## ")]


def read(line, run=RUN):
    """The run below the line."""
    return samples.read(f"{line}\n{run}")


def test_a_command_is_read_whatever_is_in_front():
    wrong = []
    for line in texts("commands"):
        paste = read(line.replace("FIO", COMMAND).replace("OPTIONS", COMMAND.partition(" ")[2]))
        (run,) = paste.readings
        stored = f"$ {LOOP if line.startswith('for ') else ''}{COMMAND}"
        if (paste.text.splitlines()[0], run.path, run.jobs[0].sync) != (stored, "/dev/nvme3n1", "1"):
            wrong.append((line, paste.text.splitlines()[0]))
    assert wrong == []


def test_a_sentence_about_fio_is_no_command():
    wrong = []
    for line in texts("sentences"):
        (run,) = read(line).readings
        if run.path is not None or run.jobs[0].sync is not None or run.jobs[0].fsync is not None:
            wrong.append(line)
    assert wrong == []


@pytest.mark.parametrize("tool", OUTPUTS)
def test_a_sentence_about_another_tool_gives_no_path(tool):
    output = OUTPUTS[tool]
    path = read("Hello,", output).readings[0].path
    accepted = {
        "smartctl": "-a /dev/da9",
        "diskinfo": "-wS /dev/da9",
        "pg_test_fsync": "-f /tmp/test",
        "pveperf": "/mnt",
    }
    arguments = accepted[tool]
    for line in (
        f"Here is what {tool} {arguments} says:", f"{tool} {arguments} was slow today", f"I ran {tool} {arguments}",
        f"{tool} on /dev/da9, /mnt:", f"We should have used `{tool} {arguments}`",
    ):  # fmt: skip
        assert read(line, output).readings[0].path == path, line
    for line in (
        f"$ {tool} {arguments}",
        f"\u279c  bench sudo {tool} {arguments}",
        f"Command: {tool} {arguments}",
    ):
        assert f"$ {tool} {arguments}" in read(line, output).text.splitlines(), line


def test_windows_paths_are_read_as_windows_reads_them():
    paths = {
        r"--filename=\\.\PhysicalDrive7": r"\\.\PhysicalDrive7",
        r'--filename="\\.\PHYSICALDRIVE12"': r"\\.\PHYSICALDRIVE12",
        r"--filename=\\?\PhysicalDrive2": r"\\?\PhysicalDrive2",
        "--directory=E\\:\\": r"E:\sync4k",
        r"--directory=E\:": r"E:\sync4k",
        r"--filename=E\:\test.dat": r"E:\test.dat",
        r'--filename="D:\test data\test.dat"': r"D:\test data\test.dat",
        r"--filename=/dev/sd\a": None,  # no path of Windows, and none that is left of it
    }
    for option, path in paths.items():
        (run,) = read(rf"C:\fio>fio --name=sync4k {option} --rw=randwrite --sync=1").readings
        assert run.jobs[0].sync == "1", option
        assert path is None or run.path == path, option
    job = '{"jobname": "a", "job options": {"filename": "NAME"}, "write": {}}'
    document = f'{{"fio version": "fio-3.36", "jobs": [{job}]}}'
    for written, path in (
        (r"\\\\.\\PhysicalDrive7", r"\\.\PhysicalDrive7"),
        (r"E\\:\\test.dat", r"E:\test.dat"),
    ):
        assert read("", document.replace("NAME", written)).readings[0].path == path


def test_a_job_may_be_named_after_a_tool():
    for name in ("fio", "smartctl", "pveperf", "diskinfo", "pg_test_fsync"):
        paste = read(f"$ {COMMAND.replace('sync4k', name)}", RUN.replace("sync4k", name))
        (run,) = paste.readings
        assert (run.jobs[0].name, run.jobs[0].sync) == (name, "1")
        assert [warning.code for warning in paste.warnings] == ["truncated"], name
    for message in (
        "fio: pid=0, err=13/file:filesetup.c:805, error=Permission denied",
        "-bash: fio: command not found",
    ):
        assert [warning.code for warning in read("$ " + COMMAND, message).warnings] == ["tool_error"], message


def test_an_argument_that_a_tool_ignores_makes_no_sentence_of_its_command():
    iozone = "        KB  reclen   write rewrite\n      1024       4    2689    3151\n"
    for command, stored, output in (
        ("iozone -e -I -s 1m -r 4k -i 0 /dev/mmcblk0", "iozone -e -I -s 1m -r 4k -i 0", iozone),
        ("iozone -e -s 1m -i 0 ./run1.txt", "iozone -e -s 1m -i 0", iozone),
        ("dd if=/dev/zero of=/dev/sdb bs=1M count=1 /dev/sdc", "dd if=/dev/zero of=/dev/sdb bs=1M count=1",
         "1+0 records in\n1+0 records out\n1048576 bytes (1.0 MB) copied, 0.1 s, 10 MB/s\n"),
        (f"{COMMAND} /dev/nvme4n1", COMMAND, RUN),
    ):  # fmt: skip
        assert read(f"# {command}", output).text.splitlines()[0] == f"$ {stored}"


def test_a_command_is_kept_once_with_what_it_names():
    diskinfo = identified(DISKINFO)
    for command, stored, output in (
        ("diskinfo -wS da17", "diskinfo -wS da17", diskinfo),
        ("diskinfo -wS /dev/gpt/slog", "diskinfo -wS /dev/gpt/slog", diskinfo),
        (
            "diskinfo -v /dev/da4 && \\\n  diskinfo -wS /dev/da4",
            "diskinfo -v /dev/da4; diskinfo -wS /dev/da4",
            diskinfo,
        ),
        ("fio slog.fio", "fio job.fio", RUN),
    ):
        assert read(f"# {command}", output).text.startswith(f"$ {stored}\n{output.splitlines()[0]}\n"), (
            command
        )


def test_a_sentence_about_any_tool_is_no_command():
    table = "pool  alloc  free  read  write  read  write\ntank  17.2T  103T  10  13.7K  41.5K  55.3M\n"
    for line in (
        "zpool iostat -v shows the following:", "zpool iostat 1 gives me", "zpool iostat tank looks fine",
        "zpool iostat -v prints", "zpool iostat zeigt", "zpool iostat from my pool",
    ):  # fmt: skip
        paste = read(line, table)
        assert paste.readings[0].command is None, line
        assert "[pool-2]" not in paste.text, line
