"""Four times the text takes about four times the work, whatever it holds."""

from parsers.paste import parse_paste
from tests.growth import SIZE, is_linear, repeated, seconds
from tests.hostile import PIECES, texts
from tests.parsers.found import before_repeats, patterns
from tests.parsers.test_patterns import RUNS

TEXTS = texts()
RUN = 100  # characters behind each of many beginnings, and four times as many
MAX_BEGINNINGS = 1500  # of all that are found, evenly taken
BATCH = 100  # beginnings in one text: few enough that one quadratic line outweighs the others
DISKINFO = "Synchronous random writes:\n\t 0.5 kbytes:    129.3 usec/IO =      3.8 Mbytes/s\n"
MARKDOWN = "| kbytes | usec/IO | Mbytes/s |\n"
# (in front of a run of blanks, behind it) where a pattern was quadratic once, each in what it is read with
ONCE_QUADRATIC = (
    ("curl", "x"), ("Drive 7", "x"), ("password", "x"), ("serial no.", "x"), ("thanks ann, bob", "x"), ("a has", "x"),
    (f"{DISKINFO}7 kbytes:", "x"), (f"{MARKDOWN}| 4 | 129.3 | 30.2", "x|"), (MARKDOWN, "x|"), ("sysbench 7.", "x"),
)  # fmt: skip


def read(text):
    return parse_paste(text, unit_key=b"key")


def test_parsing_a_repeated_piece_is_linear(subtests):
    for piece in PIECES:
        with subtests.test(piece=piece):
            assert is_linear(read, repeated(piece, SIZE // 4), repeated(piece, SIZE))


def test_parsing_many_identifiers_is_linear(subtests):
    for name in TEXTS:
        with subtests.test(name=name):
            assert is_linear(read, TEXTS[name](SIZE // 4), TEXTS[name](SIZE))


def test_parsing_a_long_run_where_it_was_quadratic_once_is_linear():
    for front, behind in ONCE_QUADRATIC:
        small, large = (f"{front}{' ' * size}{behind}\n" for size in (1024, 4096))
        assert is_linear(read, small, large), front


def test_parsing_runs_behind_everything_that_is_looked_for_is_linear():
    """Blanks behind each, and one of the other runs; tests/parsers/test_patterns.py tries each run behind all."""
    others = [unit for kind, unit in RUNS.items() if kind != "blanks"]
    begun = [(each, unit) for at, each in enumerate(beginnings()) for unit in (" ", others[at % len(others)])]
    assert len(begun) > 1000
    for first in range(0, len(begun), BATCH):
        batch = begun[first : first + BATCH]
        assert read(text_of(batch, RUN)).text  # it is read: its first lines are a run
        assert is_linear(read, text_of(batch, RUN), text_of(batch, 4 * RUN)), offender_of(batch)


def beginnings():
    """Texts in front of repeats of patterns, without those that no text may contain."""
    found = {each for pattern in patterns() for each in before_repeats(pattern)}
    possible = sorted(each for each in found if each.replace("\t", "").replace("\n", "").isprintable())
    return possible[:: -(-len(possible) // MAX_BEGINNINGS)]


def text_of(batch, length):
    return DISKINFO + "".join(f"{beginning}{repeated(unit, length)}\n" for beginning, unit in batch)


def offender_of(batch):
    """The beginning and the run that take longest."""
    return max(batch, key=lambda case: seconds(read, text_of([case], 8 * RUN)))
