"""The pages of the guide: what each is about, and which of them answer what somebody types."""

from dataclasses import dataclass
from decimal import Decimal

from results.advice.log_size import log_size
from results.advice.openzfs import facts
from results.advice.questions import match_words
from results.core.formats import format_capacity


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page: its slug, heading, description in one sentence, and further words that people use for it.

    `answer` is what it begins with, and answers the heading; "" if that takes more than the page's first sentences.
    """

    slug: str
    title: str
    description: str
    words: str
    answer: str = ""


PAGES = (
    GuidePage(
        "what-is-a-slog",
        "What is a SLOG?",
        "What the ZFS intent log and a separate log device do, step by step, with diagrams of both kinds of write.",
        "zil intent log separate device cache sync synchronous async asynchronous difference where",
        "A SLOG is a separate device for the ZIL, ZFS’s log of synchronous writes. It isn’t a cache: it is "
        "written all the time and only read after a crash.",
    ),
    GuidePage(
        "who-sends-sync-writes",
        "Who sends sync writes?",
        "NFS, SMB, iSCSI, databases and VMs: which of them wait for a SLOG, and the settings that decide.",
        "truenas proxmox esxi vmware fibre channel samba postgres mysql settings logbias "
        "sync async standard always sync=always sync=standard",
        "NFS from a hypervisor and databases nearly always; iSCSI and SMB only when a client asks. What doesn’t "
        "ask never touches the SLOG.",
    ),
    GuidePage(
        "access-patterns",
        "What does a log have to do?",
        "How random and how large a log’s writes are: one file system against five, and how to watch yours.",
        "iostat random sequential size",
        "With one file system, a log device writes almost sequentially: 1 % of its writes are random. With five, "
        "36 % are. With capacitors or Optane that hardly matters to a flush, so choose by flush latency and "
        "endurance first.",
    ),
    GuidePage(
        "do-i-need-one",
        "Do I need a SLOG?",
        "Five questions to find out whether a separate log device would make a ZFS pool faster.",
        "worth help faster benefit homelab home truenas",
        "Often not. A SLOG makes synchronous writes faster, and only those.",
    ),
    GuidePage(
        "what-makes-a-good-one",
        "What makes a good SLOG?",
        "Fast flushes, throughput, and life under writes: the three needs of a SLOG, and how each is measured.",
        "best fast latency endurance optane nvme sata alignment",
        "Fast flushes, throughput and long life under constant writes. And, more important than any speed, a "
        "cache that survives a power cut.",
    ),
    GuidePage(
        "safety",
        "Is a fast SLOG a safe one?",
        "Power-loss protection of SSDs: what it must protect in a SLOG, and what counts as evidence.",
        "plp capacitors protected supercap battery cut lose data evidence",
        "Not by itself. A drive can confirm a flush from a cache that loses its data without power, and be the "
        "fastest of all. That’s why speed and safety are separate here, in two columns that are never combined.",
    ),
    GuidePage(
        "how-big",
        "How big must a SLOG be?",
        "A calculator: what your link brings in three transaction groups, and what ZFS lets the log hold.",
        "size capacity gb many large small space",
        f"Small: {format_capacity(log_size(Decimal(0)).space_limit)} at most, however fast your network is, unless "
        "you raised ZFS’s limits. Nearly every device you can buy is big enough.",
    ),
    GuidePage(
        "how-long-does-it-last",
        "How long does a SLOG last?",
        "A calculator: years of life from your synchronous writes a day and the device’s rating in TBW or DWPD.",
        "endurance wear lifetime tbw dwpd",
        "Its rated writes divided by your synchronous writes per day.",
    ),
    GuidePage(
        "how-the-test-works",
        "How does the test work?",
        "What diskinfo -wS and the same test with fio measure, and what they don’t.",
        "benchmark measure measured latency",
        "One write, one flush, repeat: the step that a synchronous write waits for, timed for a second at each of "
        "fifteen sizes.",
    ),
    GuidePage(
        "what-changed-by-2026",
        "What changed by 2026",
        "Special vdevs as a log, O_DIRECT past the log, failing log devices, the end of Optane: what has changed.",
        "scale core new news flush fails failing hang",
    ),
    GuidePage(
        "questions",
        "Questions people ask",
        "A UPS, a mirror, a failed SLOG, partitions, special vdevs, SMB: short answers with their sources.",
        "faq help",
    ),
)


def find_pages(text: str) -> list[GuidePage]:
    """The pages that have most of a text's words, best first; none for a text of fillers only."""
    return match_words(text, PAGES, lambda page: (page.title, _words_of(page)), is_subject_enough=True)


def _words_of(page: GuidePage) -> str:
    """Its own words, and those of the facts about OpenZFS that it is about."""
    of_facts = " ".join(one.words for one in facts().values() if one.page == page.slug)
    return f"{page.description} {page.words} {of_facts}"
