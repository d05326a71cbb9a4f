"""What no tool printed is left out, wherever it stands; keeping what is kept changes nothing."""

import os
import re
from itertools import chain, islice
from pathlib import Path

import pytest

from parsers.base.markers import read_marker
from parsers.paste import parse_paste
from tests.growth import SIZE, is_linear
from tests.live_logs import Machine
from tests.parsers.samples import (
    ALL,
    DISKINFO,
    FIO_TEXT,
    SMARTCTL_ATA,
    SMARTCTL_JSON,
    SMARTCTL_NVME,
    identified,
    read,
    stored,
)

HERE = Path(__file__).parent
FOREIGN = (HERE / "foreign_lines.txt").read_text(encoding="utf-8").splitlines()
MARKED = re.compile("⟦([^⟧]*)⟧")
SHORTEST_PIECE = 4
CASES = {tool.name: sorted(tool.glob("accepted/*.txt")) for tool in (HERE / "corpus").iterdir()}
SAMPLES = {
    tool: CASES[tool][0].read_text()
    for tool in ("dd", "zpool", "iozone", "fio_log", "dtrace", "biolatency", "slogprobe")
}
OF_FILES = {tool: CASES[tool][at].read_text() for tool, at in {"pg_test_fsync": 0, "pveperf": -1}.items()}
BLOCKS = {name: identified(template) for name, template in ALL.items()} | SAMPLES | OF_FILES
BLOCKS["slog_check"] = Machine().text()


@pytest.fixture(scope="module")
def corpus():
    """Every text of the project's corpus, and of a folder of others where there is one, and what is kept of it."""
    folders = [HERE / "corpus", *map(Path, filter(None, [os.environ.get("SLOGDB_CORPUS")]))]
    paths = sorted(chain.from_iterable(folder.rglob("*.txt") for folder in folders))
    return [(path, path.read_bytes(), keep(path.read_bytes())) for path in paths]


def keep(text):
    return parse_paste(text, unit_key=b"key")


def shown(paste):
    return "\n".join([paste.text, *(notice.message for notice in (*paste.warnings, *paste.left_out))])


def inside(block, lines):
    """The block with other lines in its middle."""
    own = block.rstrip("\n").split("\n")
    return "\n".join([*own[: len(own) // 2], *lines, *own[len(own) // 2 :], ""])


def test_keeping_a_kept_text_changes_nothing(corpus):
    changed = []
    for path, _, first in corpus:
        again = parse_paste(first.text, unit_key=b"another", unit_digests=first.unit_digests)
        if first.text and stored(again) != stored(first):
            changed.append(path.name)
    assert changed == []


def test_every_line_of_a_kept_text_comes_from_a_line_that_was_sent(corpus):
    for path, raw, paste in corpus:
        lines = paste.text.removesuffix("\n").split("\n") if paste.text else []
        assert len(paste.source_lines) == len(lines), path
        assert all(1 <= number <= raw.count(b"\n") + raw.count(b"\r") + 1 for number in paste.source_lines), (
            path
        )
        if not paste.text:  # nothing was read, so there are no markers
            continue
        markers = [marker for line in lines if (marker := read_marker(line))]
        assert sum(marker.count for marker in markers) == sum(
            len(run.lines) for run in paste.left_out_lines
        ), path


def test_foreign_lines_are_nowhere():
    """Each line at four places, each time beside another output."""
    blocks, other = [*BLOCKS.values()], BLOCKS["diskinfo"]
    without = [set(shown(keep(f"{block}\n{other}")).split("\n")) for block in blocks]
    out = []
    for number, line in enumerate(FOREIGN):
        for place in range(4):
            at = (number + 4 * place) % len(blocks)
            block = blocks[at]
            above, middle = f"{line}\n{block}", inside(block, [line])
            text = (above, middle, f"{block}{line}\n", f"{block}{line}\n{other}")[place]
            new = [
                shown_line
                for shown_line in shown(keep(text)).split("\n")
                if shown_line not in without[at] and not read_marker(shown_line)
            ]
            if any(word in shown_line for shown_line in new for word in foreign_words(line)):
                out.append((line, new))
    assert out == []


def foreign_words(line):
    """What of a line is nowhere in a tool's output: all of it, and its names and numbers."""
    words = re.findall(r"[^\s,;:()\[\]<>\"'|=/@\\]+", line)
    return {line.strip(), *(word for word in words if len(word) > 3 and not word.isascii())} | {
        word
        for word in words
        if re.search(r"berta|wagner|quist|michael|zoe|\d{8}|WCC4E|PHMB|a0:36", word, re.IGNORECASE)
    }


def test_foreign_lines_alone_give_nothing():
    paste = keep("\n".join(FOREIGN))
    assert (paste.text, paste.readings, [warning.code for warning in paste.warnings]) == (
        "",
        (),
        ["nothing_found"],
    )
    assert (
        sum(len(run.lines) for run in paste.left_out_lines) > len(FOREIGN) - 5
    )  # quotes and lists are cleaned


def spellings():
    """Texts with identifiers in them as people paste them, and the identifiers."""
    for case in (HERE / "spellings.txt").read_text(encoding="utf-8").removeprefix("== ").split("\n== "):
        name, _, marked = case.partition("\n")
        yield name, MARKED.sub(r"\1", marked), MARKED.findall(marked)


def leaks(secrets, printed):
    return [secret for secret in secrets if any(is_in(piece, printed) for piece in pieces(secret.lower()))]


def pieces(secret):
    return {secret, *(piece for piece in re.split(r"[\W_]+", secret) if len(piece) >= SHORTEST_PIECE)}


def is_in(piece, printed):
    return re.search(rf"(?<![a-z0-9]){re.escape(piece)}(?![a-z0-9])", printed) is not None


def test_a_label_that_other_programs_print_too_is_not_smartctls_if_it_stands_alone():
    labels = "Vendor:               SEAGATE", "Revision:             0003"
    for label in labels:
        assert label not in keep(f"{BLOCKS['diskinfo']}\n{label}\n").text
    assert "\n".join(labels) in keep("\n".join([BLOCKS["diskinfo"], *labels, ""])).text


def test_no_identifier_gets_out_of_a_text_with_output():
    """Each spelling inside of one output and behind another, of all in turn."""
    templates = (DISKINFO, SMARTCTL_ATA, SMARTCTL_NVME, FIO_TEXT)
    blocks = [*map(identified, templates), *SAMPLES.values()]
    without = [shown(keep(block)).lower() for block in blocks]
    out = []
    for number, (case, text, secrets) in enumerate(spellings()):
        first, second = number % len(blocks), (number + number // len(blocks) + 1) % len(blocks)
        for at, pasted in (
            (first, inside(blocks[first], text.split("\n"))),
            (second, f"{blocks[second]}{text}\n{blocks[second]}"),
        ):
            new = shown(keep(pasted)).lower()
            out += [(case, at, secret) for secret in leaks(secrets, new) if not leaks([secret], without[at])]
    assert out == []


def test_the_host_of_a_fio_client_has_one_mask_however_it_is_written():
    text = identified(FIO_TEXT).replace("sync4k: (g", "<Filer> sync4k: (g")
    masked = keep(
        text.replace("\nsync4k: (", "\nhostname=FILER, be=0, 64-bit, os=Linux\n<filer> sync4k: (")
    ).text
    assert masked.count("<[host-1]> sync4k: (") == 2
    assert "filer" not in masked.lower()


def test_a_serial_number_in_other_fields_is_masked_there_too():
    text = identified(SMARTCTL_ATA).replace("EXAMPLE SATA 200", "EXAMPLE EXS2006600AB77")
    assert "EXAMPLE [serial-1]" in keep(text).text


def test_unread_tools_are_named_by_the_marker_and_read_again_from_it():
    hdparm = "\n".join(
        f" Timing {side} reads: 20 MB in  2.00 seconds" for side in ("cached", "buffered disk")
    )
    paste = keep(f"My disk:\n{hdparm}\n\nIt is fast.\n")
    assert paste.text == "… 1 line left out …\n… 2 lines of hdparm left out …\n\n… 1 line left out …\n"
    assert [(warning.code, warning.line, paste.sent_line(warning.line)) for warning in paste.warnings] == [
        ("unread_tool", 2, 2)
    ]
    assert [(run.tool, run.first_line, run.last_line) for run in paste.left_out_lines] == [
        ("", 1, 1),
        ("hdparm", 2, 3),
        ("", 5, 5),
    ]
    assert stored(keep(paste.text)) == stored(paste)


@pytest.mark.parametrize(
    ("between", "markers"),
    [
        ("", ["1 line of broken rows"]),
        ("Hi\nHi\n", ["2 lines", "1 line of broken rows"]),
        ("Hi\nHi\nHi\n", ["4 lines"]),
        ("\n", ["1 line"]),
    ],
)
def test_figures_directly_below_output_are_marked_as_broken_rows(between, markers):
    text = keep(f"{BLOCKS['diskinfo']}{between}12 34 56\n").text
    assert re.findall("… (.*) left out …", text) == markers


RUN = identified(FIO_TEXT).partition("\n")[2]  # without its command
COMMAND = "fio --name=sync4k --filename=/dev/sda --rw=randwrite --sync=1 --bs=4k"


def test_a_command_is_kept_without_what_is_in_front(subtests):
    for line in [
        f"root@nas:~# {COMMAND}", f"$ sudo {COMMAND}", f"# taskset -c 1 {COMMAND}", f"Command: {COMMAND}",
        f"Running '{COMMAND}'", f"➜  ~ {COMMAND}", f"~/bench on main ❯ {COMMAND}", f"nas|17:49|:~# {COMMAND}",
        f"PS C:\\> {COMMAND}", f"docker run -it --rm image {COMMAND}", f"kubectl exec pod -- {COMMAND}",
        f"nas# time {COMMAND} | tee michael.log", COMMAND.replace(" --rw", " \\\n    --rw"),
    ]:  # fmt: skip
        with subtests.test(line=line):
            paste = keep(f"{line}\n{RUN}")
            assert f"$ {COMMAND}" in paste.text.splitlines()
            assert paste.readings[0].jobs[0].sync == "1"


def test_a_sentence_is_no_command():
    for sentence in (
        "I ran fio with --sync=1 and got this:", "Then I used fio --name=sync4k --sync=1", "fio --sync=1 was faster.",
        "Ich habe fio --name=sync4k --sync=1", "fio run without --sync=1 or --fsync=1, on --filename=/dev/sda:",
    ):  # fmt: skip
        paste = keep(f"{sentence}\n{RUN}")
        assert not paste.text.startswith("$"), sentence
        assert paste.readings[0].jobs[0].sync is None, sentence


def test_what_explains_a_run_is_kept_in_one_form(subtests):
    for line, expected in [
        ("/dev/sda2 on /mnt/berta type ext4 (rw,relatime)", "none on /mnt/[pool-1] type ext4"),
        ("berta/vm zfs 1.2T 3G 1.1T 1% /mnt/berta/vm", "none on /mnt/[pool-1]/vm type zfs"),
        ("# cat /sys/block/sda/queue/write_cache\nwrite back", "/sys/block/sda/queue/write_cache:write back"),
        ("/sys/block/nvme0n1/queue/fua:1", "/sys/block/nvme0n1/queue/fua:1"),
        ("vwc       : 0x1", "vwc       : 0x1"),
        ("get-feature:0x06 (Volatile Write Cache), Current value:0x00000001",) * 2,
        (" write-caching =  1 (on)", "write-caching =  1 (on)"),
        ("WCE           1  [cha: y, def:  1, sav:  1]",) * 2,
        ("write cache                    yes	yes",) * 2,
        ("max sectors   = 781422/1562845, HPA is enabled",) * 2,
        ("berta# date\nSun Jan 14 10:11:12 CET 2024", "Sun Jan 14 00:00:00 2024"),
    ]:
        with subtests.test(line=line):
            assert expected in read(f"{line}\n\n{identified(DISKINFO)}").text.splitlines()


def test_the_names_of_jobs_are_listed_as_the_senders_own_words():
    paste = keep("[global]\nsync=1\ndescription=Michael's\n[quist test]\nrw=write\n" + identified(FIO_TEXT))
    assert "quist test" in paste.own_words
    assert "Michael" not in paste.text


HOSTILE = {
    "foreign": "Michael Wagner was here, on berta\n",
    "numbers": "12345678 12345678\n",
    "commands": "$ fio --name=a --rw=write\n",
    "sections": "[a]\nrw=write\n",
    "brackets": '{"a":',
    "quotes": '"a\n',
    "dd": "1+0 records in\n\n",
    "one long line": "a ",
}


@pytest.mark.parametrize("block", [DISKINFO, SMARTCTL_ATA, SMARTCTL_JSON, FIO_TEXT])
def test_hostile_lines_in_a_block_take_linear_time(block):
    for piece in HOSTILE.values():
        text = identified(block)

        def pasted(size, piece=piece, text=text):
            many = "".join(islice([piece] * 9000, max(size // len(piece), 1)))
            return inside(text, many.rstrip("\n").split("\n"))

        assert is_linear(keep, pasted(SIZE // 8), pasted(SIZE // 2))


@pytest.mark.parametrize("gap", [3, 40])
def test_rows_that_were_copied_side_by_side_are_kept_apart(gap):
    head, blank, table = identified(DISKINFO).partition("\n\n")
    rows = head.splitlines()[1:5]
    joined = "\n".join(f"{first}{' ' * gap}{second}" for first, second in (rows[:2], rows[2:]))
    kept = [line.split() for line in read(f"{joined}{blank}{table}").text.splitlines()]
    assert [row.split() for row in rows] == kept[:4]
