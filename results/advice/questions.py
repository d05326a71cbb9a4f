"""Questions about log devices as people type them, each answered in a few sentences with its sources."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

T = TypeVar("T")

_DOCS = "https://openzfs.github.io/openzfs-docs"
_FILLERS = """
a an and are as at be but by can do does for from get have how i if in is it its just me my need of on one or should
so than that the their there this to use vs was what when where which who why will with work would you your
"""  # words that say nothing about a question
_SUBJECT = "device devices drive drives log logs slog slogs ssd ssds zfs zil"  # of all questions and pages
LEAST_SHARE = 0.5  # of a text's words that a question has to have
LEAST_SHARE_OF_NAMES = 0.6  # of texts with a digit, which names of drives have


class Source(NamedTuple):
    """Where a statement can be checked."""

    label: str
    url: str


CONCEPTS = Source("zpoolconcepts(7)", f"{_DOCS}/man/master/7/zpoolconcepts.7.html")
HARDWARE = Source("OpenZFS, hardware", f"{_DOCS}/Performance%20and%20Tuning/Hardware.html")
TUNING = Source("OpenZFS, workload tuning", f"{_DOCS}/Performance%20and%20Tuning/Workload%20Tuning.html")
SPECIAL = Source("OpenZFS, special vdev", f"{_DOCS}/Basic%20Concepts/Pool%20Structure/Special%20vdev.html")
CACHES = Source(
    "OpenZFS, caching and auxiliary devices", f"{_DOCS}/Basic%20Concepts/Pool%20Structure/Caching.html"
)
LOG_ON_SPECIAL = Source("the change in OpenZFS 2.4.0", "https://github.com/openzfs/zfs/pull/17505")
PROPERTIES = Source("zfsprops(7)", f"{_DOCS}/man/master/7/zfsprops.7.html")
TROUBLE = Source("OpenZFS, troubleshooting", f"{_DOCS}/Basic%20Concepts/Troubleshooting.html")
FAILING_LOG = Source(
    "a failing log device that can’t be removed", "https://github.com/openzfs/zfs/issues/18894"
)
LOST = Source("what a failing SLOG loses", "https://github.com/openzfs/openzfs-docs/issues/281")
SAMBA = Source("smb.conf(5)", "https://www.samba.org/samba/docs/current/man-html/smb.conf.5.html")
UNUSED = Source("a SLOG that went unused", "https://github.com/openzfs/zfs/issues/16990")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its answer; `key` is its anchor, `words` are further words that people use for it."""

    key: str
    text: str
    words: str
    answer: str  # five sentences at most
    sources: tuple[Source, ...]


QUESTIONS = (
    Question(
        key="ups",
        text="Is a UPS enough?",
        words="battery backup uninterruptible power supply plp capacitors outage",
        answer=(
            "No. A UPS keeps the machine running through a power cut, but a failing power supply or a "
            "pulled cable still cuts the power of the drive. What counts is that the drive itself keeps "
            "what it has confirmed, with capacitors or a medium that needs no cache. A UPS is worth having for "
            "everything else: it lets the machine shut down in order. Drives that state an external battery, such "
            "as some NVRAM cards, are marked “needs a battery” here."
        ),
        sources=(HARDWARE,),
    ),
    Question(
        key="mirror",
        text="Should I mirror the SLOG?",
        words="mirrored two logs redundancy pair stripe striped raid",
        answer=(
            "Only if losing a few seconds of confirmed writes would hurt you. A single log device that fails "
            "while the machine runs costs nothing but speed: ZFS goes on with the pool’s own disks. Writes are "
            "lost only if the log dies together with the power, before they reached the pool. A mirror covers "
            "that case; it needs two drives and is as fast as the slower one. Two log devices that aren’t a "
            "mirror share the load instead, and RAIDZ isn’t possible for a log (zpoolconcepts(7), OpenZFS 2.4)."
        ),
        sources=(CONCEPTS, LOST),
    ),
    Question(
        key="failed",
        text="My SLOG failed. What now?",
        words=(
            "fail fails failing failure happens dead died broken faulted unavail degraded remove replace lost "
            "missing log device import"
        ),
        answer=(
            "If the machine is running, nothing is lost yet: the data is still in memory and goes to the pool "
            "with the next transaction group. Take the drive out with “zpool remove” or put in a new one with "
            "“zpool replace”; a hot spare doesn’t take over for a log (zpoolconcepts(7), OpenZFS 2.4). Careful if "
            "it is failing rather than gone: on OpenZFS 2.4.3, removing a failing log device can hang all "
            "commands of the pool until a reboot. If the pool no longer imports because its log is missing, "
            "“zpool import -m” imports it without the log. That throws away what had been confirmed but hadn’t "
            "reached the pool, so try to get the drive back first."
        ),
        sources=(CONCEPTS, FAILING_LOG, TROUBLE),
    ),
    Question(
        key="partition",
        text="Can I partition one Optane for SLOG and L2ARC?",
        words="share split slice partitions cache same drive both ssd boot special",
        answer=(
            "It works, but the two get in each other’s way. The log needs a few gigabytes, so a partition is "
            "large enough for it. An L2ARC is filled and read all the time, and each of those requests can delay "
            "a flush of the log. One drive is then also one point of failure for both, which is harmless for an "
            "L2ARC. Results of a partition are shown here but not ranked: measure the whole drive before you "
            "partition it."
        ),
        sources=(CACHES, TUNING),
    ),
    Question(
        key="special",
        text="Special vdev or SLOG?",
        words="metadata allocation class zil 2.4 small blocks instead",
        answer=(
            "They do different things: a special vdev holds metadata and small blocks for good, a SLOG holds sync "
            "writes for seconds. From OpenZFS 2.4.0 a pool without a SLOG writes its log to the special vdev, so "
            "a protected, fast special vdev can make a SLOG unnecessary. Up to 2.3 it doesn’t: on one pool of "
            "2023 the same Optane brought 140 to 178 sync writes a second as a special vdev and 5,812 as a SLOG. "
            "If the special vdev fails, the pool is lost, so it needs a mirror; a SLOG doesn’t. The log also "
            "wears the special vdev: look at its endurance and its power-loss protection as you would for a SLOG."
        ),
        sources=(LOG_ON_SPECIAL, SPECIAL),
    ),
    Question(
        key="smb",
        text="Does a SLOG speed up SMB?",
        words="samba cifs windows share file copy mac time machine",
        answer=(
            "Usually not, because most SMB clients never ask for a sync write when they copy files. Samba does "
            "flush when a client asks for it (“strict sync”, on by default in current versions). Which clients "
            "and programs ask differs, so look: run “zpool iostat -r 5” while the share is busy. Numbers in the "
            "sync_write columns mean that something waits. If they stay at 0, a SLOG would be idle."
        ),
        sources=(SAMBA, PROPERTIES),
    ),
    Question(
        key="size",
        text="How many gigabytes does a SLOG need?",
        words="big size capacity small large gb space 16gb 32gb",
        answer=(
            "Few: what your network brings in during two to three transaction groups. At 10 GbE and 5 seconds a "
            "group that is about 19 GB, at 1 GbE about 2 GB. Everything beyond it is never used for the log. A "
            "larger drive of the same line can still be the better one, because it is often faster and lasts "
            "longer. The calculator on “How big must a SLOG be?” does it for your link."
        ),
        sources=(TUNING,),
    ),
    Question(
        key="consumer",
        text="Is a fast consumer NVMe drive good enough?",
        words="970 evo pro samsung cheap ssd desktop gaming without plp m.2",
        answer=(
            "Not as a SLOG. Its speed comes from a cache that loses its content without power, so each flush has "
            "to wait for the flash: about 1 to 2 ms in the 2018 survey, instead of 20 to 30 µs. A drive that is "
            "fast with flushes and has no protection may be confirming what it hasn’t stored. Used data-center "
            "drives and small Optanes cost little more, and they are both fast and protected. The chart on our "
            "front page shows the gap."
        ),
        sources=(HARDWARE, Source("the 2018 survey, by class", "/survey/")),
    ),
    Question(
        key="disabled",
        text="Can I just set sync=disabled?",
        words="turn off async asynchronous instead unsafe lie nfs",
        answer=(
            "If the last seconds may be lost in a crash, yes: nothing is faster, and it’s free. The pool itself "
            "stays consistent; what is lost is what ZFS had confirmed but not yet written. Under a database or "
            "the disks of VMs that can mean a corrupt file system inside, since they rely on what was confirmed. "
            "It is set per dataset, so one for scratch data can have it while the others don’t. It is also the "
            "test that tells what a SLOG could bring at most."
        ),
        sources=(PROPERTIES,),
    ),
    Question(
        key="unused",
        text="Why is my SLOG not used?",
        words="idle zero writes logbias throughput nothing happens slow zpool iostat buffer",
        answer=(
            "Because nothing asks for sync writes, or because the dataset says so. A SLOG isn’t a write buffer: "
            "asynchronous writes bypass it. “zfs get sync,logbias” shows the two settings that matter: "
            "sync=disabled and logbias=throughput both keep data away from it. Before OpenZFS 2.3.0, large sync "
            "writes went to the SLOG at a low priority; since then they go there like the others, up to 64 MiB at "
            "a time (zil_slog_bulk). “zpool iostat -v 5” shows what the log device gets."
        ),
        sources=(
            UNUSED,
            PROPERTIES,
            Source("the change in OpenZFS 2.3.0", "https://github.com/openzfs/zfs/pull/14378"),
        ),
    ),
    Question(
        key="l2arc",
        text="SLOG or L2ARC?",
        words="cache read write difference arc memory ram which",
        answer=(
            "They solve opposite problems: a SLOG shortens the wait of sync writes, an L2ARC holds reads that no "
            "longer fit into memory. More memory helps reads first, and it costs no drive. An L2ARC may fail "
            "without harm; a SLOG has to keep what it confirmed. So the drive for an L2ARC may be any fast SSD, "
            "while a SLOG needs protection and fast flushes. Neither makes an asynchronous copy of large files "
            "faster."
        ),
        sources=(CACHES,),
    ),
    Question(
        key="random",
        text="Are a SLOG’s writes random or sequential?",
        words="access pattern iops order sequence several file systems datasets data sets zvols vms mixed",
        answer=(
            "Both, depending on how many datasets are written to. In a paper of 2010, 1 % of a log device’s writes "
            "were random with one file system, and 36 % with five. Each file system has its own ZIL, and all of "
            "them share the log device. So for many VMs or datasets, choose a drive by its sustained random "
            "writes, not by a sequential figure. Watch yours with zpool iostat -r and submit the output."
        ),
        sources=(
            Source("one file system against five", "/guide/access-patterns/"),
            Source("DDRdrive, OpenStorage Summit 2010", "https://www.ddrdrive.com"),
        ),
    ),
    Question(
        key="optane",
        text="Optane is no longer made. What now?",
        words="discontinued end of life successor alternative p5800x p1600x 900p 905p used intel",
        answer=(
            "Buy it used or from remaining stock while prices are reasonable; Intel wound it down in 2022, and "
            "OpenZFS’s documentation (2.4) still calls it the best SLOG. Check a used one first: the used-drive page "
            "compares its wear and its price with what we know. Otherwise look at data-center NVMe drives with "
            "capacitors: they confirmed small writes in 20 to 30 µs in the 2018 survey. Solidigm’s D7-P5810 of "
            "2023 has SLC flash for this purpose; its maker claims latencies of 13 and 15 µs. The shortlist shows "
            "what fits your link and budget."
        ),
        sources=(
            TUNING,
            Source("the 2018 survey, by class", "/survey/"),
            Source(
                "ComputerBase on the D7-P5810",
                "https://www.computerbase.de/2023-09/solidigm-d7-p5810-slc-statt-tlc-fuer-maximale-haltbarkeit-als-schreibpuffer/",
            ),
        ),
    ),
)


def find_questions(text: str) -> list[Question]:
    """The questions that have most of a text's words, best first; none for fillers and the subject only."""
    return match_words(text, QUESTIONS, lambda question: (question.text, question.words))


def match_words(
    text: str,
    among: Iterable[T],
    texts_of: Callable[[T], tuple[str, str]],
    *,
    is_subject_enough: bool = False,
) -> list[T]:
    """Those that have most of a text's words in their title and further text, the most similar title first."""
    words = words_of(text)
    asked = words - set(_FILLERS.split())
    asked = asked - set(_SUBJECT.split()) or (asked if is_subject_enough else set())
    least = LEAST_SHARE_OF_NAMES if re.search(r"\d", text) else LEAST_SHARE
    found: list[tuple[float, float, T]] = []
    for one in among:
        title, further = map(words_of, texts_of(one))
        share = len(asked & (title | further)) / max(len(asked), 1)
        if share >= least:
            found.append((share, len(words & title) / len(words | title), one))
    return [one for *_, one in sorted(found, key=lambda one: one[:2], reverse=True)]


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9](?:[a-z0-9.=]*[a-z0-9])?", text.lower()))
