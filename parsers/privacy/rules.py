"""Masking rules: their definition, the search with a table of rules, and shared patterns."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from typing import NamedTuple

from parsers.privacy.words import NO_NAME

KINDS = ("serial", "wwn", "host", "user", "address", "key", "pool")
MASK = re.compile(rf"\[({'|'.join(KINDS)})-([0-9]{{1,6}})\]")
ANY_SERIAL = "[serial-0]"  # a partial serial number that matches several in its text
# Replaces each character of a mask during the search; no text contains it
FILLER = "\0"
# The cores of all words that rules begin with: a word is searched for only if the text's words include its core
CORES: set[str] = {""}
MANY_WORDS = 1000  # of a text: from here on, its words are searched together
# Those of phrases, which are whole words wherever the phrase fits
WHOLE_CORES: set[str] = set()
# For a cheap test of the shapes in a text: a hexadecimal digit becomes "h", another letter "x"
SHAPE = bytes.maketrans(b"0123456789abcdefghijklmnopqrstuvwxyz", b"h" * 16 + b"x" * 20)
NOT_LETTERS = bytes(byte if chr(byte).isascii() and chr(byte).isalpha() else 32 for byte in range(256))
LETTERS = re.compile(r"[^\W\d_]+")
# Letters and signs as wide as Chinese ones, and the sign for "@" in the prompt of Kali
FULL_WIDTH: dict[int, int | str] = {**{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}, ord("㉿"): "@"}
WIDE = re.compile(f"[{''.join(map(chr, FULL_WIDTH))}]")

# Quotes, brackets, colons of all widths, arrows, dashes: anything but letters, digits and the ends of sentences
MARK = r"(?:[^\w\n\0.,;?!%@&]|_)"
_LEADERS = rf"\.{{2,60}}+{MARK}{{0,20}}+"
_TAGS = r"(?:(?:</?[\w:]{1,20}>|\[/?\w{1,12}\])[ \t\n]{0,20}){1,3}"
_PAIR = r"[\"'][ ]?,[ ]?[\"']"
_ESCAPED = r"(?:%[0-9a-f]{2}){1,4}"
# What programs print around dumped values: some("x"), str('x'), u'x'
_WRAPPER = r"[\"']?[ ]?[:=]{1,2}[ ]?(?:[a-z]{1,12}\(|[bu])[\"']"
BETWEEN = rf"(?:{_TAGS}|{_ESCAPED}|{_WRAPPER}|{_PAIR}|{MARK}{{0,60}}+(?:{_LEADERS}|\n{MARK}{{0,40}}+)?)"
VERB = (
    r"(?:[ ](?:of|for|on|from)(?:[ ][\w/-]{1,20}){1,3}?)?"
    r"(?:[ ](?:is|was|ist|lautet|est|es|è|end(?:ing|s)(?: in| with)?|(?:starts|begins|starting) with)(?=[ ]))?"
)
VALUE = r"(?P<v1>(?=[\w-]{0,63}[0-9])[^\W_](?:[\w-]{2,62}[^\W_]))"
ASCII_LETTER = re.compile("[A-Za-z]")
ASCII_DIGIT = re.compile("[0-9]")
# Without one of these, a label and its value are just two words of a sentence
SIGN = re.compile(
    r"[:=\uff1a\ufe55\u2192\u21d2\u2794\u279c\u00bb\u00ab|#>~\u2026\u2014\u2013]|[.-]{2}|%3[ad]|__"
)
NOT_A_SERIAL = re.compile(
    r"(?:s?ata|scsi|sas|port|console|attached|usb|rs232)(?![a-z])|(?:scsi|vt|tty)s?\d|0x0*\Z|(?:19|20)\d\d-[01]\d-[0-3]\d\Z",
    re.IGNORECASE,
)
FIGURE = re.compile(r"[0-9]{1,3}(?:[kmgt]i?b?)?|[0-9]{1,6}(?:hz|rpm|ms|us|kb|mb|gb|tb)", re.IGNORECASE)
SHORTEST_BARE = 6
SHORTEST_NUMBER = 8
STRONG = re.compile(r"(?=(?:[^0-9]*[0-9]){3})(?=[^A-Z]*[A-Z])[0-9A-Z]{2}[0-9A-Z_-]{5,40}[0-9A-Z]")
HEX = (
    r"(?P<v1>(?:0x|naa\.|eui\.|uuid\.|t10\.)?"
    r"(?:[0-9a-f][ ][0-9a-f]{6}[ ][0-9a-f]{9}|[0-9a-f]{6}[ ][0-9a-f]{10}"
    r"|[356][0-9a-f]{7}[ ][0-9a-f]{8}|[0-9a-f]{2,40}(?:[:.-][0-9a-f]{1,40}){0,20})"
    r"(?![0-9a-z]|-[0-9a-z]|\\x2d[0-9a-f]|_[0-9a-f]{4}|[ ][0-9a-f]{4}[ ][0-9a-f]{4}[ ]))"
)
HOST = r"[a-z][\w-]{0,62}(?:\.[\w-]{1,63}){0,6}"
USER = r"[a-z_][\w.-]{1,31}"
# Of a person: words with capitals, and particles in between
_CAPITALIZED = r"(?-i:[A-Z\u00c0-\u00de\u0100-\u017e\u0410-\u042f][\w.'\u2019-]*)"
_PARTICLE = r"(?-i:v[ao]n|de[rnl]?|d[aiou]|la|le|ter|zu|bin|al)"
FULL_NAME = rf"{_CAPITALIZED}(?:[ ]{_PARTICLE}){{0,2}}(?:[ ]{_CAPITALIZED}){{1,3}}"
USER_CUT = rf"{USER}\+?"  # ps ends a long name with a plus sign
DOMAIN = r"[a-z][\w.-]{0,30}\\{1,2}"  # of a Windows account
SEPARATOR = r"[ \t]*[:=][ \t]*"
GUID = r"(?P<v1>0x[0-9a-f]{6,16}|[0-9]{8,20})(?![0-9a-z])"
DAY = re.compile(r"(?:19|20)[0-9]{2}([.-])[01][0-9]\1[0-3][0-9]")
COMMENT = re.compile(r"# (?:disk )?\Z", re.IGNORECASE)
PARTS_BEFORE, RUN = re.compile(r"[\w+-]{1,60}\Z"), re.compile(r"[0-9a-z]+")
LONGEST_BEFORE = 60  # characters
LONG_NAME = 15  # characters


class Site(NamedTuple):
    """A stretch of the text that states an identifier."""

    start: int
    end: int
    kind: str
    value: str
    is_number: bool = False  # a bare number in JSON
    line_ends: int = 0  # that a terminal broke it with


class Haystack(NamedTuple):
    """A text to search, without its masks: as it is, in lower case, by its shape.

    All three are of the same length. `cores` are those that its words hold, as far as they are letters.
    """

    text: str
    lower: str
    shape: bytes
    cores: Set[str]


def without_masks(text: str) -> str:
    """The text with its masks replaced by as many fillers, and with letters of one width."""
    if "[" in text:
        text = MASK.sub(lambda match: FILLER * len(match[0]), text)
    if not text.isascii() and WIDE.search(text):
        text = text.translate(FULL_WIDTH)
    return text


def haystack(text: str) -> Haystack:
    """Prepare a text for the search."""
    text = without_masks(text)
    lower = text.lower()
    if len(lower) != len(text):  # a few letters have a longer small form
        lower = "".join(small if len(small := one.lower()) == 1 else one for one in text)
    encoded = lower.encode("ascii", "replace")
    words = set(encoded.translate(NOT_LETTERS).decode().split())
    if not text.isascii():
        words.update(LETTERS.findall(" ".join(word for word in lower.split() if not word.isascii())))
    return Haystack(text, lower, encoded.translate(SHAPE), _cores_in(words) | (WHOLE_CORES & words))


def _cores_in(words: Set[str]) -> Set[str]:
    if len(words) > MANY_WORDS:
        vocabulary = " ".join(words)
        return {core for core in CORES if core in vocabulary}
    return {""}.union(*map(_cores_of, words))


@lru_cache(maxsize=4096)  # tools print the same words again and again
def _cores_of(word: str) -> frozenset[str]:
    return frozenset(core for core in CORES if core in word)


Accepts = Callable[[re.Match[str], str], bool]


Matches = Callable[["Haystack", "Rule"], Iterator[re.Match[str]]]


class Rule(NamedTuple):
    """A way in which identifiers of a kind are stated.

    The groups of the pattern that are named v… are the values. An empty group, `REST` or `WRAPPED`, is where a value
    begins that goes up to the end of its line. The pattern, compiled when it is first needed since most texts need
    few, is tried in small letters where `matches` yields, for each of `words`; every match contains one of them, one
    of `shapes` in its shape, and something that `hint` matches.
    `accepts` looks at the match and the value. Of a list or a path, each match of `parts` in it is a value.
    """

    kind: str
    matches: Matches
    words: tuple[tuple[str, str], ...]  # each with its core, the longest part of it that is letters
    cores: frozenset[str]
    fits: str
    accepts: Accepts | None = None
    shapes: tuple[bytes, ...] = ()
    hint: re.Pattern[str] | None = None
    parts: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compile_lines(self.fits)


@cache
def _compile_lines(fits: str) -> re.Pattern[str]:
    return re.compile(fits, re.MULTILINE)


def at_word(
    kind: str, *words: str, fits: str, accepts: Accepts | None = None, parts: str | None = None
) -> Rule:
    """Make a rule whose pattern begins with one of the words.

    What is in front of the word is matched by looking back.
    """
    return _by_words(_at_words, kind, words, fits, accepts, parts)


def at_line(
    kind: str, *words: str, fits: str, accepts: Accepts | None = None, parts: str | None = None
) -> Rule:
    """Make a rule whose pattern begins with the line of one of the words."""
    return _by_words(_at_lines, kind, words, fits, accepts, parts)


def in_lines(
    kind: str, *words: str, fits: str, accepts: Accepts | None = None, parts: str | None = None
) -> Rule:
    """Make a rule whose pattern fits anywhere in a line that contains one of the words."""
    return _by_words(_in_lines, kind, words, fits, accepts, parts)


def at_phrase(
    kind: str, *words: str, fits: str, accepts: Accepts | None = None, parts: str | None = None
) -> Rule:
    """Make a rule like that of `in_lines` for words that no letter precedes or follows."""
    return _by_words(_in_lines, kind, words, fits, accepts, parts, known=WHOLE_CORES)


def _by_words(
    matches: Matches,
    kind: str,
    words: tuple[str, ...],
    fits: str,
    accepts: Accepts | None,
    parts: str | None,
    known: set[str] = CORES,
) -> Rule:
    cores = tuple(map(_core, words))
    known.update(cores)
    _cores_of.cache_clear()
    paired = tuple(zip(words, cores, strict=True))
    return Rule(kind, matches, paired, frozenset(cores), fits, accepts, parts=_compiled(parts))


def _compiled(parts: str | None) -> re.Pattern[str] | None:
    return re.compile(parts, re.IGNORECASE) if parts else None


def by_shape(
    kind: str,
    *shapes: str,
    fits: str,
    accepts: Accepts | None = None,
    hint: str | None = None,
    parts: str | None = None,
) -> Rule:
    """Make a rule whose pattern may fit anywhere.

    The text has one of the shapes, and the hint fits it.
    """
    hinted = re.compile(hint) if hint else None
    encoded = tuple(one.encode() for one in shapes)
    return Rule(kind, _anywhere, (), frozenset({""}), fits, accepts, encoded, hinted, _compiled(parts))


def by_run(kind: str, length: int, *, fits: str, accepts: Accepts | None = None) -> Rule:
    """Make a rule whose pattern begins with a word that has so many letters and digits in a row.

    Dashes, underscores and plus signs are parts of the word.
    """
    return Rule(kind, _at_runs, (), frozenset({""}), fits, accepts, (b"h" * length,))


def at_hint(
    kind: str,
    *shapes: str,
    fits: str,
    hint: str,
    accepts: Accepts | None = None,
    parts: str | None = None,
) -> Rule:
    """Make a rule whose pattern begins with a line that the hint fits on.

    The text has one of the shapes.
    """
    encoded = tuple(one.encode() for one in shapes)
    hinted = re.compile(hint)
    return Rule(kind, _at_hints, (), frozenset({""}), fits, accepts, encoded, hinted, _compiled(parts))


def _core(word: str) -> str:
    return max(LETTERS.findall(word), key=len, default="")


# Up to the end of the line, or to the next label where line ends were lost; a terminal may have wrapped a long one,
# and then a piece of it is alone on the line below.
REST = r"(?P<rest>(?=[^\s\"']))"
WRAPPED = r"(?P<wrapped>(?=[^\s\"']))"
LONGEST_REST = 200
REST_END = re.compile(r"(?<![ \t])[ \t]*+(?:[\n\"]|\Z|(?<=[ \t])[A-Z][\w /.-]{2,30}+:[ \t])")
PIECE = re.compile(r"\n[0-9A-Za-z-]{1,60}(?=\n|\Z)")

# Names that identify nobody: the administrator, and names that are the same on every machine.
COMMON_USERS = frozenset({"root", "admin", "administrator", "user", "truenas_admin", "public"})
# Placeholders, by tools without a value or by people who hid it.
NO_VALUE = re.compile(
    r"[\W_]*|[0\W_]+|(.)\1*|[Xx*#.?_ -]+"
    r"|\W*(?:redacted|removed|hidden|masked|censored|deleted|omitted|private|none|null|n/?a|unknown|s/?n|id|serial"
    r"|serial ?n(?:umber|o)|snip(?:ped)?|not available|no information found|my ?serial)\W*",
    re.IGNORECASE | re.DOTALL,
)
# A text with a digit other than 0 that isn't one repeated character never matches NO_VALUE.
NAMING_FIGURE = re.compile(r"[^1-9]*+[1-9]")
# Only the maker is left of "5 0014ee ...": six hexadecimal digits identify no device.
MIN_NAME_DIGITS = 8
NO_HEX_DIGITS = re.compile(r"[^0-9a-fA-F]+")


# What a name in a sentence has behind it
AT_END = {"user": " \t\n.", "pool": " \t\n."}


def find_by_rules(hay: Haystack, rules: Sequence[Rule]) -> Iterator[Site]:
    """Find where one of the rules matches and the value identifies somebody or something."""
    text, cores = hay.text, hay.cores
    for one in rules:
        if one.cores.isdisjoint(cores):
            continue
        kind, accepts = one.kind, one.accepts
        for match in one.matches(hay, one):
            start, end = match.span(match.lastgroup or "v1")
            if start == end:
                end = _end_of_rest(text, start, is_wrapped=match.lastgroup == "wrapped")
            value = text[start:end].rstrip(AT_END.get(kind))
            if not value:
                continue
            if one.parts is not None:
                yield from _parts(one, match, value)
            elif is_value(value, kind) and (accepts is None or accepts(match, value)):
                yield Site(start, start + len(value), kind, value, line_ends=value.count("\n"))


def _parts(one: Rule, match: re.Match[str], value: str) -> Iterator[Site]:
    """The identifiers in a list or a path."""
    if one.parts is None:
        return
    place = match.start(match.lastgroup or "v1")
    for part in one.parts.finditer(value):
        name = part[0].rstrip(AT_END.get(one.kind))
        if is_value(name, one.kind) and (one.accepts is None or one.accepts(match, name)):
            yield Site(place + part.start(), place + part.start() + len(name), one.kind, name)


def by_core(rules: Sequence[Rule]) -> dict[str, list[Rule]]:
    """The rules by the cores of their words, for `rules_in`."""
    table: dict[str, list[Rule]] = {}
    for rule in rules:
        for core in sorted(rule.cores):
            table.setdefault(core, []).append(rule)
    return table


def rules_in(hay: Haystack, table: Mapping[str, Sequence[Rule]]) -> list[Rule]:
    """The rules of a large table that the text may need."""
    return [rule for core in sorted(table.keys() & hay.cores) for rule in table[core]]


def _present(hay: Haystack, one: Rule) -> list[str]:
    """The words that the text may contain."""
    return [word for word, core in one.words if core in hay.cores]


def _at_words(hay: Haystack, one: Rule) -> Iterator[re.Match[str]]:
    lower, fits = hay.lower, one.pattern.match
    for word in _present(hay, one):
        place = lower.find(word)
        while place >= 0:
            match = fits(lower, place)
            if match is not None:
                yield match
            place = lower.find(word, place + 1)


def _at_lines(hay: Haystack, one: Rule) -> Iterator[re.Match[str]]:
    lower, fits = hay.lower, one.pattern.match
    for word in _present(hay, one):
        place = lower.find(word)
        while place >= 0:
            match = fits(lower, lower.rfind("\n", 0, place) + 1)
            if match is not None:
                yield match
            end = lower.find("\n", place)
            place = lower.find(word, end) if end >= 0 else -1


def _in_lines(hay: Haystack, one: Rule) -> Iterator[re.Match[str]]:
    lower, fits = hay.lower, one.pattern.finditer
    for word in _present(hay, one):
        place = lower.find(word)
        while place >= 0:
            end = lower.find("\n", place)
            end = end if end >= 0 else len(lower)
            yield from fits(lower, lower.rfind("\n", 0, place) + 1, end)
            place = lower.find(word, end)


def _at_hints(hay: Haystack, one: Rule) -> Iterator[re.Match[str]]:
    if one.hint is None or (one.shapes and not any(shape in hay.shape for shape in one.shapes)):
        return
    lower, done = hay.lower, -1
    for hint in one.hint.finditer(lower):
        line = lower.rfind("\n", 0, hint.start()) + 1
        if line > done:
            done = line
            match = one.pattern.match(lower, line)
            if match is not None:
                yield match


def _anywhere(hay: Haystack, one: Rule) -> Iterator[re.Match[str]]:
    for shape in one.shapes:
        if shape in hay.shape:
            break
    else:
        if one.shapes:
            return
    if one.hint is None or one.hint.search(hay.lower):
        yield from one.pattern.finditer(hay.lower)


def _at_runs(hay: Haystack, one: Rule) -> Iterator[re.Match[str]]:
    run, shape, lower = one.shapes[0], hay.shape.replace(b"x", b"h"), hay.lower
    place = shape.find(run)
    while place >= 0:
        begin = PARTS_BEFORE.search(lower, max(place - LONGEST_BEFORE, 0), place)
        match = one.pattern.match(lower, begin.start() if begin else place)
        if match is not None:
            yield match
        end = RUN.match(lower, place)
        place = shape.find(run, end.end() if end else place + 1)


def _end_of_rest(text: str, start: int, *, is_wrapped: bool) -> int:
    """Return where a value ends that extends to the end of its line; 0 if too far."""
    limit = start + LONGEST_REST + 1
    ending = REST_END.search(text, start + 1, limit)
    if ending is None or (ending.start() == limit and limit < len(text)):
        return 0
    piece = PIECE.match(text, ending.start()) if is_wrapped else None
    return piece.end() if piece else ending.start()


def is_value(value: str, kind: str) -> bool:
    """Whether a value is not a placeholder."""
    if not value or FILLER in value:
        return False
    is_name = NAMING_FIGURE.match(value) is not None and value.count(value[0]) < len(value)
    if not is_name and NO_VALUE.fullmatch(value):
        return False
    if kind == "user":
        return value.lower() not in COMMON_USERS
    return kind != "wwn" or len(NO_HEX_DIGITS.sub("", value)) >= MIN_NAME_DIGITS


def labelled(label: str) -> str:
    """A pattern for the label, a value with a digit, and the text between them."""
    return rf"(?P<label>{label})(?P<verb>{VERB}){BETWEEN}{VALUE}"


def is_labelled(match: re.Match[str], value: str) -> bool:
    """Whether the text after the label is its value.

    After mere blanks it has to look like one.
    """
    if COMMENT.search(match.string, max(match.start("label") - len("# disk "), 0), match.start("label")):
        return False  # of diskinfo: the value is in front of it
    if has_sign(match, value):
        return True
    if NOT_A_SERIAL.match(value) or FIGURE.fullmatch(value):
        return False
    is_below = "\n" in match.string[match.end("label") : match.start("v1")]
    looks_right = is_mixed(value) or (value.isdigit() and len(value) >= SHORTEST_NUMBER)
    return looks_right and not is_below and len(value) >= SHORTEST_BARE


def has_sign(match: re.Match[str], value: str) -> bool:
    """Whether a colon, arrow or verb separates the label from a value."""
    if NOT_A_SERIAL.match(value) or FIGURE.fullmatch(value):
        return False
    end_of_line = match.string.find("\n", match.end("label"), match.start("v1"))  # quote marks may be below
    sign = SIGN.search(
        match.string, match.end("label"), match.start("v1") if end_of_line < 0 else end_of_line
    )
    return sign is not None or match["verb"] != ""


def is_plain(match: re.Match[str], value: str) -> bool:
    """Whether it is a value after a separator, or written the way makers do."""
    return is_strong(match, value) or has_sign(match, value)


def is_in_capitals(_match: re.Match[str], value: str) -> bool:
    """Whether it has capitals and no lower-case letters."""
    return value.isupper()


def is_mixed(value: str) -> bool:
    """Whether it has both letters and digits, as hardly any word in a sentence does."""
    return ASCII_LETTER.search(value) is not None and ASCII_DIGIT.search(value) is not None


def is_strong(_match: re.Match[str], value: str) -> bool:
    """Whether it looks like a maker's serial number: capitals and three digits."""
    return STRONG.fullmatch(value) is not None


def is_long_hex(_match: re.Match[str], value: str) -> bool:
    """Whether it is longer than a number would be, or not a number."""
    if DAY.fullmatch(value):
        return False
    digits = sum(map(str.isdigit, value))
    return len(value) >= LONG_NAME or (digits >= 4 and not value.isdigit())


def is_name(_match: re.Match[str], value: str) -> bool:
    """Whether it is a name, and not a word in the place of one."""
    return value.lower() not in NO_NAME
