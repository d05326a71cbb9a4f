"""The text between an identifier's label and its value, and what such a value looks like."""

import re

# Quotes, brackets, colons of all widths, arrows, dashes: anything but letters, digits and the ends of sentences
MARK = r"(?:[^\w\n\0.,;?!%@&]|_)"
_LEADERS = rf"\.{{2,60}}+{MARK}{{0,20}}+"
_TAGS = r"(?:(?:</?[\w:]{1,20}>|\[/?\w{1,12}\])[ \t\n]{0,20}){1,3}"
_PAIR = r"[\"'][ ]?,[ ]?[\"']"
_ESCAPED = r"(?:%[0-9a-f]{2}){1,4}"
# What a program puts around a value that it dumps: some("x"), str('x'), u'x'
_WRAPPER = r"[\"']?[ ]?[:=]{1,2}[ ]?(?:[a-z]{1,12}\(|[bu])[\"']"
BETWEEN = rf"(?:{_TAGS}|{_ESCAPED}|{_WRAPPER}|{_PAIR}|{MARK}{{0,60}}+(?:{_LEADERS}|\n{MARK}{{0,40}}+)?)"
VERB = (
    r"(?:[ ](?:of|for|on|from)(?:[ ][\w/-]{1,20}){1,3}?)?"
    r"(?:[ ](?:is|was|ist|lautet|est|es|è|end(?:ing|s)(?: in| with)?|(?:starts|begins|starting) with)(?=[ ]))?"
)
VALUE = r"(?P<v1>(?=[\w-]{0,63}[0-9])[^\W_](?:[\w-]{2,62}[^\W_]))"
LETTERS = re.compile("[A-Za-z]")
DIGITS = re.compile("[0-9]")
# Without one of these, a label and its value are just two words of a sentence
SIGN = re.compile(
    r"[:=\uff1a\ufe55\u2192\u21d2\u2794\u279c\u00bb\u00ab|#>~\u2026\u2014\u2013]|[.-]{2}|%3[ad]|__"
)
NOT_A_SERIAL = re.compile(
    r"(?:s?ata|scsi|sas|port|console|attached|usb|rs232)(?![a-z])|(?:scsi|vt|tty)s?\d|0x0*\Z", re.IGNORECASE
)
FIGURE = re.compile(r"[0-9]{1,3}(?:[kmgt]i?b?)?|[0-9]{1,6}(?:hz|rpm|ms|us|kb|mb|gb|tb)", re.IGNORECASE)
SHORTEST_BARE = 6
SHORTEST_NUMBER = 8
STRONG = re.compile(r"(?=(?:[^0-9]*[0-9]){3})(?=[^A-Z]*[A-Z])[0-9A-Z]{2}[0-9A-Z_-]{5,40}[0-9A-Z]")
HEX = (
    r"(?P<v1>(?:0x|naa\.|eui\.|uuid\.|t10\.)?"
    r"(?:[0-9a-f][ ][0-9a-f]{6}[ ][0-9a-f]{9}|[0-9a-f]{6}[ ][0-9a-f]{10}|[0-9a-f]{2,40}(?:[:.-][0-9a-f]{1,40}){0,20})"
    r"(?![0-9a-z]|-[0-9a-z]))"
)
GUID = r"(?P<v1>0x[0-9a-f]{6,16}|[0-9]{8,20})(?![0-9a-z])"
LONG_NAME = 15  # characters


def labelled(label: str) -> str:
    """A pattern for the label, a value with a digit, and the text between them."""
    return rf"(?P<label>{label})(?P<verb>{VERB}){BETWEEN}{VALUE}"


def is_labelled(match: re.Match[str], value: str) -> bool:
    """Whether the text after the label is its value; after mere blanks it has to look like one."""
    if has_sign(match, value):
        return True
    if NOT_A_SERIAL.match(value) or FIGURE.fullmatch(value):
        return False
    is_below = "\n" in match.string[match.end("label") : match.start("v1")]
    looks_right = is_mixed(value) or (value.isdigit() and len(value) >= SHORTEST_NUMBER)
    return looks_right and not is_below and len(value) >= SHORTEST_BARE


def has_sign(match: re.Match[str], value: str) -> bool:
    """Whether a colon, an arrow or a verb separates the label from a value that isn't a figure."""
    if NOT_A_SERIAL.match(value) or FIGURE.fullmatch(value):
        return False
    sign = SIGN.search(match.string, match.end("label"), match.start("v1"))
    return sign is not None or match["verb"] != ""


def is_plain(match: re.Match[str], value: str) -> bool:
    """Whether it is a value after a separator, or written the way makers do."""
    return is_strong(match, value) or has_sign(match, value)


def is_in_capitals(_match: re.Match[str], value: str) -> bool:
    """Whether it has capitals and no lower-case letters."""
    return value.isupper()


def is_mixed(value: str) -> bool:
    """Whether it has both letters and digits, as hardly any word in a sentence does."""
    return LETTERS.search(value) is not None and DIGITS.search(value) is not None


def is_strong(_match: re.Match[str], value: str) -> bool:
    """Whether it looks like a maker's serial number: capitals and at least three digits."""
    return STRONG.fullmatch(value) is not None


def is_long_hex(_match: re.Match[str], value: str) -> bool:
    """Whether it is longer than a number would be, or not a number."""
    digits = sum(map(str.isdigit, value))
    return len(value) >= LONG_NAME or (digits >= 4 and not value.isdigit())
