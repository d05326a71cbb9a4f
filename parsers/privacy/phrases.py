"""Masking rules written as phrases: the lines of phrases.txt.

A line is what a tool prints, with a placeholder for each identifier: "Connection to {host} closed". Small letters
and capitals match each other, and a blank matches any number of blanks and tabs.

    {host} {user} {name} {pool} {serial} {wwn} {address} {key}   masked; {name} is a person's, of several words
    {users} {hosts}                                              several, with commas or blanks in between
    {secret}                                                     masked as a key if it has letters and digits
    {host?}                                                      masked unless it is a common word; {name?} if it
                                                                 has a capital, too
    {}                                                           one word that stays
    {n}                                                          a number
    ' '?                                                         any quotation mark; the same, or none
    …                                                            any text or none, up to 160 characters
    <a|b>                                                        one of these, of which one may be empty
    ^ at the beginning, $ at the end                             the beginning and the end of a line

A line that begins with "#" is a comment.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from parsers.privacy.names import DATA_SET, EACH_PART, is_chosen_name
from parsers.privacy.rules import (
    DOMAIN,
    FIGURE,
    FILLER,
    FULL_NAME,
    HEX,
    NOT_A_SERIAL,
    Accepts,
    Rule,
    at_phrase,
    by_core,
    in_lines,
    is_mixed,
    is_name,
)
from parsers.privacy.words import COMMANDS, COMMON_WORDS

FILE = Path(__file__).with_name("phrases.txt")
COMMENT = "#"
SHORT = 3  # letters of a word that is looked for with the blank behind it
_TOKEN = re.compile(
    r"(?P<mark>\{[a-z]*\??\})|(?P<choice><[^<>|]*\|[^<>]*>)|(?P<gap>[ \t]+…[ \t]+)|(?P<any>…)|(?P<blank>[ \t]+)"
    r"|(?P<quote>'\??)"
)
_QUOTE = "[\"'`*\u2018\u2019\u201c\u201d\u00ab\u00bb\u201e]"
_ANY_TEXT = r"[^\n]{0,160}?"
_BEFORE_WORD = r"(?<![\w.-])"
_NAME_END = r"(?![\w-])"
_QUANTITY = re.compile(
    r"[\d.,]{1,20}[a-z%/]{1,8}|v?\d{1,4}(?:\.\d{1,4}){1,4}[a-z-]{0,8}\d{0,3}", re.IGNORECASE
)
# A placeholder beside letters: the word in front of it may be the beginning of a longer one
_WITHIN_WORD = re.compile(r"[^\W\d_][{<…]|[}>…][^\W\d_]")
_STAYS = {"": r"\S{1,120}?", "n": r"\d[\d.,]{0,20}"}


class Form(NamedTuple):
    """What a placeholder masks: its kind, a pattern, and a test of the value."""

    kind: str
    pattern: str
    accepts: Accepts
    parts: str | None = None  # what to mask in it, if not all of it
    before: str = ""
    behind: str = ""


def _is_number(_match: re.Match[str], value: str) -> bool:
    return not (NOT_A_SERIAL.match(value) or FIGURE.fullmatch(value))


def _is_any(_match: re.Match[str], _value: str) -> bool:
    return True


def _is_mixed(_match: re.Match[str], value: str) -> bool:
    return is_mixed(value) and not _QUANTITY.fullmatch(value)


def _is_uncommon(accepts: Accepts) -> Accepts:
    return lambda match, value: value.lower() not in COMMON_WORDS and accepts(match, value)


_HOST = rf"(?=[\w.-]{{0,62}}[a-z])[a-z0-9][\w-]{{0,62}}(?:\.[\w-]{{1,63}}){{0,6}}{_NAME_END}"
_USER = r"[a-z_](?:[\w.-]{0,30}[\w$+])?(?![\w-])"


def _is_capitalized(match: re.Match[str], value: str) -> bool:
    return (
        value[0].isupper()
        and value.lower().split()[0] not in COMMON_WORDS | COMMANDS
        and is_name(match, value)
    )


_NAME_WORD = r"[^\W\d_][\w.'-]{1,30}"
FORMS = {
    "host": Form("host", _HOST, is_name),
    "hosts": Form(
        "host",
        rf"(?:{FILLER}+|{_HOST})(?:(?::\d{{1,5}})?[,; \t\"'+]{{1,5}}(?:{FILLER}+|{_HOST})){{0,12}}",
        is_name,
        parts=rf"(?<![\w.:-]){_HOST}",
    ),
    "user": Form("user", _USER, is_name, before=f"(?:{DOMAIN})?"),
    "users": Form(
        "user",
        rf"@?{_USER}(?:(?:[ ]?,[ ]?|[ ])[@+]{{0,2}}(?:{_USER}|{FILLER}+)){{0,12}}",
        is_name,
        parts=rf"(?<![\w.-]){_USER}",
    ),
    "name": Form(
        "user",
        rf"{_NAME_WORD}(?:[ ]{_NAME_WORD}){{0,3}}",
        is_name,
        parts=rf"\A(?:{FULL_NAME}(?=[ ]|\Z)|\S+(?=[ ]|\Z))",
    ),
    "pool": Form(
        "pool", DATA_SET, is_chosen_name, parts=EACH_PART, before="/?", behind=r"(?:[@#][\w.:%-]{1,120})?"
    ),
    "serial": Form("serial", r"(?=[\w-]{0,62}\d)[a-z0-9][\w-]{2,62}[a-z0-9](?![\w-])", _is_number),
    "wwn": Form("wwn", HEX.replace("(?P<v1>", "(?:", 1), _is_any),
    "address": Form("address", r"[0-9a-f]{1,12}(?:[:.-][0-9a-f]{1,12}){1,7}(?![\w-])", _is_any),
    "key": Form("key", r"[^\s\"',;<>][^\s\"',;<]{3,199}", _is_any),
    "secret": Form("key", r"(?=[^\s\d]{0,60}\d)[^\s\"',;<>]{5,200}[^\s\"',;<>.)]", _is_mixed),
}


def phrases() -> list[str]:
    """The phrases of the file."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith(COMMENT)]


def rules_of(phrase: str) -> Iterator[Rule]:
    """A rule for each placeholder of a phrase; ValueError if it has none, or no word to look for."""
    marks = [match["mark"].strip("{}") for match in _TOKEN.finditer(phrase) if match["mark"]]
    masked = [number for number, mark in enumerate(marks) if mark.rstrip("?") in FORMS]
    if not masked:
        raise ValueError(f"no placeholder in the phrase {phrase!r}")
    for number in masked:
        name = marks[number]
        form = FORMS[name.rstrip("?")]
        accepts = form.accepts
        if name.endswith("?"):
            accepts = _is_uncommon(_is_capitalized if name == "name?" else accepts)
        make = in_lines if _WITHIN_WORD.search(phrase) else at_phrase
        fits = _pattern(phrase, number)
        yield make(form.kind, *_hints(phrase), fits=fits, accepts=accepts, parts=form.parts)


def _pattern(phrase: str, target: int) -> str:
    """The phrase as a pattern whose group is the placeholder number `target`."""
    begins, ends = phrase.startswith("^"), phrase.endswith("$")
    body = phrase[begins : len(phrase) - ends]
    parts, place, number = [], 0, 0
    for token in _TOKEN.finditer(body):
        parts.append(re.escape(body[place : token.start()].lower()))
        if token["mark"]:
            part = _placeholder(token["mark"].strip("{}?"), is_masked=number == target)
            if body[token.end() : token.end() + 1] in ("-", "_"):  # of a longer name: "debug-{host}-{n}.tgz"
                part = part.replace(_NAME_END, "")
            parts.append(part)
            number += 1
        elif token["choice"]:
            parts.append(f"(?:{'|'.join(map(_literal, token['choice'][1:-1].split('|')))})")
        elif token["gap"]:
            parts.append(rf"[ \t]++(?:{_ANY_TEXT}(?<=[ \t]))?")
        elif token["any"]:
            parts.append(_ANY_TEXT + _BEFORE_WORD)
        else:
            parts.append(_quote(token["quote"]) if token["quote"] else "[ \t]+")
        place = token.end()
    parts.append(re.escape(body[place:].lower()))
    before = r"^[ \t>]{0,12}" if begins else _before(body[0])
    behind = r"[ \t]*$" if ends else r"(?!\w)" if _is_word(body[-1]) else ""
    return f"{before}{''.join(parts)}{behind}"


def _before(first: str) -> str:
    """What is in front of a phrase: else a name at its beginning would be tried at each of its letters."""
    return r"(?<![\w-])" if _is_word(first) else r"(?<!\w)" if first == "{" else ""


def _quote(sign: str) -> str:
    return f"{_QUOTE}{{0,2}}" if sign.endswith("?") else f"{_QUOTE}{{1,2}}"


def _is_word(letter: str) -> bool:
    return letter.isalnum()


def _literal(text: str) -> str:
    return "[ \t]+".join(map(re.escape, re.split(r"[ \t]+", text.lower())))


def _placeholder(name: str, *, is_masked: bool) -> str:
    """The pattern of a placeholder, a group if it is the one that is masked."""
    if name in _STAYS:
        return _STAYS[name]
    form = FORMS[name]
    value = f"(?P<v1>{form.pattern})" if is_masked else f"(?:{FILLER}+|{form.pattern})"
    return f"{form.before}{value}{form.behind}"


def _hints(phrase: str) -> list[str]:
    """The words of which a text has to contain one to be searched for the phrase.

    That is the word with the most letters, or a word of each alternative of a choice if the shortest has more.
    """
    choices = [match["choice"][1:-1].split("|") for match in _TOKEN.finditer(phrase) if match["choice"]]
    hints = [
        [max(text.lower().split(), key=_count_letters, default="") for text in alternatives]
        for alternatives in [[_TOKEN.sub(" ", phrase.strip("^$"))], *choices]
    ]
    best = max(hints, key=lambda words: min(map(_count_letters, words)))
    if not all(map(_count_letters, best)):
        raise ValueError(f"no word to look for in the phrase {phrase!r}")
    if len(best) == 1 and len(best[0]) <= SHORT and f"{best[0]} " in phrase.lower():
        return [f"{best[0]} ", f"{best[0]}\t"]  # "by" is in "kbytes"
    return best


def _count_letters(word: str) -> int:
    return sum(map(str.isalpha, word))


PHRASE_RULES = tuple(rule for phrase in phrases() for rule in rules_of(phrase))
PHRASES = by_core(PHRASE_RULES)
