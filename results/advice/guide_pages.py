"""The pages of the guide: what each is about, and which of them answer what somebody types."""

from dataclasses import dataclass

from results.advice.openzfs import facts
from results.advice.questions import match_words


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page: its slug, heading, description in one sentence, and further words that people use for it."""

    slug: str
    title: str
    description: str
    words: str


PAGES = (
    GuidePage(
        "what-is-a-slog",
        "What is a SLOG?",
        "What the ZFS intent log and a separate log device do, step by step, with diagrams of both kinds of write.",
        "zil intent log separate device cache sync synchronous async asynchronous difference where",
    ),
    GuidePage(
        "who-sends-sync-writes",
        "Who sends sync writes?",
        "NFS, SMB, iSCSI, databases and VMs: which of them wait for a SLOG, and the settings that decide.",
        "truenas proxmox esxi vmware fibre channel samba postgres mysql settings logbias "
        "sync async standard always sync=always sync=standard",
    ),
    GuidePage(
        "access-patterns",
        "What does a log have to do?",
        "How random and how large a log’s writes are: one file system against five, and how to watch yours.",
        "iostat random sequential size",
    ),
    GuidePage(
        "do-i-need-one",
        "Do I need a SLOG?",
        "Five questions to find out whether a separate log device would make a ZFS pool faster.",
        "worth help faster benefit homelab home truenas",
    ),
    GuidePage(
        "what-makes-a-good-one",
        "What makes a good SLOG?",
        "Fast flushes, throughput, and life under writes: the three needs of a SLOG, and how each is measured.",
        "best fast latency endurance optane nvme sata alignment",
    ),
    GuidePage(
        "safety",
        "Is a fast SLOG a safe one?",
        "Power-loss protection of SSDs: what it must protect in a SLOG, and what counts as evidence.",
        "plp capacitors protected supercap battery cut lose data evidence",
    ),
    GuidePage(
        "how-big",
        "How big must a SLOG be?",
        "A calculator: what your link brings in three transaction groups, and what ZFS lets the log hold.",
        "size capacity gb many large small space",
    ),
    GuidePage(
        "how-long-does-it-last",
        "How long does a SLOG last?",
        "A calculator: years of life from your synchronous writes a day and the device’s rating in TBW or DWPD.",
        "endurance wear lifetime tbw dwpd",
    ),
    GuidePage(
        "how-the-test-works",
        "How does the test work?",
        "What diskinfo -wS and the same test with fio measure, and what they don’t.",
        "benchmark measure measured latency",
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
