"""Questions about log devices as people type them, each answered in a few sentences with its sources."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, TypeVar

from results.advice.log_size import log_size
from results.advice.openzfs import facts
from results.core.formats import format_capacity

T = TypeVar("T")

_DOCS = "https://openzfs.github.io/openzfs-docs"
_FILLERS = """
a an and are as at be but by can do does for from get have how i if in is it its just me my need of on one or should
so than that the their there this to use vs was what when where which who why will with work would you your
"""  # words that say nothing about a question
_SUBJECT = "device devices drive drives log logs slog slogs ssd ssds zfs zil"  # of all questions and pages
LEAST_SHARE = 0.5  # of a text's words that a question has to have
SHORT_SENTENCE = 40  # characters
LEAST_SHARE_OF_NAMES = 0.6  # of texts with a digit, which names of drives have


class Source(NamedTuple):
    """Where a statement can be checked."""

    label: str
    url: str


def _fact(key: str) -> Source:
    """The source of a fact about OpenZFS, with the release that has it or that was read."""
    fact = facts()[key]
    return Source(f"{fact.source}, {fact.in_release}", fact.url)


def _since(key: str) -> str:
    return f"OpenZFS {facts()[key].releases}"


def _log_of(gbit_s: int) -> str:
    return format_capacity(log_size(Decimal(gbit_s)).needed)


HARDWARE = _fact("plp_list")
TUNING = _fact("optane")
SPECIAL = Source("OpenZFS, special vdev", f"{_DOCS}/Basic%20Concepts/Pool%20Structure/Special%20vdev.html")
CACHES = Source(
    "OpenZFS, caching and auxiliary devices", f"{_DOCS}/Basic%20Concepts/Pool%20Structure/Caching.html"
)
PROPERTIES = Source("zfsprops(7)", f"{_DOCS}/man/master/7/zfsprops.7.html")
LOST = Source("what a failing SLOG loses", "https://github.com/openzfs/openzfs-docs/issues/281")
ARTICLE = Source(
    "the TrueNAS article on SLOG benchmarks, 2018",
    "https://www.truenas.com/community/resources/slog-benchmarking-and-finding-the-best-slog.94/",
)
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
            "No. A UPS keeps the machine running through a power cut, but a failing power supply or a pulled "
            "cable still cuts the power of the drive. What counts is that the drive itself keeps what it has "
            "confirmed, with capacitors or a medium that needs no cache. A UPS is worth having for everything "
            "else: it lets the machine shut down in order. Drives that state an external battery, such as some "
            "NVRAM cards, are marked “needs a battery” here."
        ),
        sources=(HARDWARE,),
    ),
    Question(
        key="mirror",
        text="Should I mirror the SLOG?",
        words="mirrored two logs redundancy pair stripe striped raid",
        answer=(
            "If losing the last seconds of confirmed writes would hurt you, yes. A single log device that fails "
            "while the machine runs costs nothing but speed: ZFS goes on with the pool’s own disks. But if it "
            "dies together with the power, those writes are lost. So are they if a block of the log can’t be "
            "read correctly after a crash: ZFS takes a wrong checksum for the end of the log, and reports no "
            "error. A mirror covers both; it is as fast as the slower drive, and two log devices that aren’t a "
            "mirror share the load instead."
        ),
        sources=(_fact("end_of_log"), _fact("no_raidz"), LOST),
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
            "“zpool replace”; a hot spare doesn’t take over for a log. Careful if it is failing rather than "
            "gone: “zpool remove” can then hang all commands of the pool until a reboot (seen on OpenZFS "
            f"{facts()['removal_hang'].read_in}). If the pool no longer imports because its log is missing, "
            "“zpool import -m” imports it without the log and throws away what hadn’t reached the pool yet, so "
            "try to get the drive back first."
        ),
        sources=(_fact("no_raidz"), _fact("removal_hang"), _fact("removal_fix"), _fact("import_without_log")),
    ),
    Question(
        key="add",
        text="How do I add a SLOG, and remove it again?",
        words="zpool add log remove command attach detach mirror dry run -n data vdev mistake",
        answer=(
            "First “zpool add -n POOL log DEVICE”: it prints the layout that would result and changes nothing. "
            "The device must be listed under “logs”. Without the word “log” the same command adds it as a data "
            "vdev, and in a pool with RAIDZ that can’t be undone. Then run it without -n. “zpool remove POOL "
            "DEVICE” takes a healthy log out while the pool is in use."
        ),
        sources=(_fact("add_without_log"), _fact("remove_data_vdev"), _fact("removal_fix")),
    ),
    Question(
        key="direct",
        text="Do VM images bypass the SLOG?",
        words="o_direct direct io cache=none qemu proxmox kvm image qcow2 raw file zvol direct=disabled vm disk",
        answer=(
            f"Image files can. From {_since('direct')} on, Linux writes what a program opens with O_DIRECT "
            "straight to the pool, past the log device; QEMU and Proxmox open image files so with cache=none. In "
            f"the 2.3 releases that is any write of whole memory pages, from {_since('direct_blocks')} on only "
            "writes of at least one block of the file. A zvol is never affected, nor is FreeBSD by default. So use "
            "a zvol, or set direct=disabled on the dataset with the images."
        ),
        sources=(
            _fact("direct"),
            _fact("direct_pages"),
            _fact("direct_blocks"),
            _fact("direct_zvol"),
            _fact("direct_freebsd"),
            _fact("direct_disabled"),
        ),
    ),
    Question(
        key="esxi",
        text="Does ESXi over NFS need a SLOG?",
        words="vmware vsphere vmfs hypervisor datastore slow vm vms write writes sync",
        answer=(
            "Nearly always. A VMware ESXi host sends every write over NFS as a sync write, so each one waits for the "
            "pool’s own disks unless there is a SLOG. Making those writes asynchronous is faster still, but a crash "
            "can then damage the file systems inside the VMs."
        ),
        sources=(ARTICLE, PROPERTIES),
    ),
    Question(
        key="iscsi",
        text="Are VMs on iSCSI safe with sync=standard?",
        words="esxi vmware vmfs hypervisor datastore block storage fibre channel zvol sync always",
        answer=(
            "Only as far as the client asks for it. With sync=standard a zvol syncs what the client flushes, and "
            "holds the rest in memory: a hypervisor that doesn’t pass on the flushes of its guests runs them "
            "unprotected. Set sync=always on zvols that hold VMs, unless you know that yours does. Then every "
            "write waits for the log, which is what a SLOG is for."
        ),
        sources=(PROPERTIES,),
    ),
    Question(
        key="watch",
        text="How can I see how fast my SLOG is?",
        words="monitor live latency flush f_await iostat gstat zilstat measure running busy statistics -l",
        answer=(
            "Watch its flushes; that changes nothing. On Linux “iostat -x 5” shows them as f/s and f_await, in "
            "ms, for whole disks; on FreeBSD “gstat -o” as o/s and ms/o. “zpool iostat -l” and “-w” leave the "
            f"flush out, so they make a slow drive look fast. From {_since('zilstat')} on, “zilstat 5” counts "
            "commits and bytes of the log."
        ),
        sources=(
            _fact("iostat_without_flush"),
            _fact("zilstat"),
            Source("iostat(1)", "https://man7.org/linux/man-pages/man1/iostat.1.html"),
            Source("gstat(8)", "https://man.freebsd.org/cgi/man.cgi?query=gstat&sektion=8"),
        ),
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
            "They do different things: a special vdev holds metadata and small blocks for good, a SLOG holds "
            f"sync writes for seconds. From {_since('special_is_log')} a pool without a SLOG writes its log to "
            "the special vdev, so a protected, fast special vdev can make a SLOG unnecessary. Before, it "
            "doesn’t: on one pool of 2023 the same Optane brought 140 to 178 sync writes a second as a special "
            "vdev and 5,812 as a SLOG. If the special vdev fails, the pool is lost, so it needs a mirror; a SLOG "
            "doesn’t. The log also wears the special vdev: look at its endurance and its power-loss protection "
            "as you would for a SLOG."
        ),
        sources=(_fact("special_is_log"), SPECIAL),
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
            "Few: what your network brings in during three transaction groups, but never more than ZFS lets the "
            f"log hold. At 10 GbE that is {_log_of(10)} with ZFS’s defaults, and no more at 100 GbE; at 1 GbE it "
            f"is {_log_of(1)}. A larger drive of the same line can still be the better one, because it is often "
            "faster and lasts longer. The calculator on “How big must a SLOG be?” takes your memory and what you "
            "tuned."
        ),
        sources=(_fact("wrlog_data_max"), _fact("log_block"), _fact("deferred_frees")),
    ),
    Question(
        key="consumer",
        text="Is a fast consumer NVMe drive good enough?",
        words="970 evo pro samsung cheap ssd desktop gaming without plp m.2",
        answer=(
            "Not as a SLOG. Its speed comes from a cache that loses its content without power, so each flush has "
            "to wait for the flash: about 1 to 2 ms in the 2018 survey, instead of 20 to 30 µs. A drive that is "
            "fast with flushes and has no protection may be confirming what it hasn’t stored. Used data-center "
            "drives with capacitors and small Optanes are both fast and protected. The chart on our front page "
            "shows the gap."
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
            "asynchronous writes bypass it. “zfs get sync,logbias,direct” shows the settings that matter: with "
            "sync=disabled nothing goes there, with logbias=throughput only log records without data, and with "
            "O_DIRECT the data of image files goes straight to the pool. Large sync writes do go there, up to 64 "
            f"MiB of a commit at full priority from {_since('slog_bulk')} on. “zpool iostat -v 5” shows what the "
            "log device gets."
        ),
        sources=(UNUSED, _fact("logbias"), _fact("direct"), _fact("slog_bulk")),
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
            "Both, depending on how many datasets are written to. In a paper of 2010, 1 % of a log device’s "
            "writes were random with one file system, and 36 % with five. Each file system has its own ZIL, and "
            "all of them share the log device. With capacitors or Optane that hardly matters: the flush doesn’t "
            "wait for where the data ends up. So choose by flush latency and endurance first, and watch yours with "
            "“zpool iostat -r”."
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
            f"OpenZFS’s documentation still calls it the best SLOG (as of {facts()['optane'].read_in}). Check a "
            "used one first: the used-drive page compares its wear and its price with what we know. Otherwise "
            "look at data-center NVMe drives with capacitors: they confirmed small writes in 20 to 30 µs in the "
            "2018 survey. Solidigm’s D7-P5810 of 2023 has SLC flash for this purpose; its maker claims latencies "
            "of 13 and 15 µs. The shortlist shows what fits your link and budget."
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


def first_sentences(answer: str) -> str:
    """How an answer begins: its first sentence, with the next after one as short as "No."."""
    first, _, further = answer.partition(". ")
    if not further:
        return answer
    return f"{first}. {first_sentences(further)}" if len(first) < SHORT_SENTENCE else f"{first}."


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
