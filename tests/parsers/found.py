"""What the parsers look for, found in the code: every pattern, and examples of what stands in front of its repeats.

Everything is collected that can be reached from the modules of `parsers`: constants, tables, rules, closures,
caches. A string that is the source of a pattern counts as one: some are compiled only when they are needed.
"""

import gc
import importlib
import pkgutil
import re
import types
import warnings
from collections.abc import Iterable, Iterator
from re import _constants as codes  # noqa: PLC2701 - how Python itself reads a pattern
from re import _parser as regex  # noqa: PLC2701 - the same
from typing import Any

import parsers

EXAMPLES = 3  # of what is in front of one repeat
MAX_ALTERNATIVES = 24  # of one pattern that are followed at a time
MANY = 16  # times that something may repeat to be worth a run
_SIGN_OF_A_PATTERN = re.compile(r"\\[sSdDwWbBAZ]|\(\?[:=!<P>]|\[\^|\{\d+,\d*\}|[\])][*+?]")
_ATOMS = (str, int, float, complex, bytes, type(None), types.ModuleType, types.CodeType)


def modules() -> list[types.ModuleType]:
    names = (each.name for each in pkgutil.walk_packages(parsers.__path__, "parsers."))
    return [importlib.import_module(name) for name in names if not name.endswith("__main__")]


def _is_foreign(value: Any) -> bool:
    """Whether it is a class or a function of another package, which leads everywhere."""
    return isinstance(value, type | types.FunctionType) and not str(value.__module__).startswith("parsers")


def reachable() -> Iterator[tuple[str, str | re.Pattern[str]]]:
    """Each string and each pattern, with the module that leads to it."""
    waiting = [(each.__name__, value) for each in modules() for value in vars(each).values()]
    seen = {id(vars(types)), *(id(vars(each)) for each in modules()), id(__builtins__)}
    strings = set()
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, str) and value not in strings:
            strings.add(value)
            yield name, value
        if isinstance(value, types.CodeType):
            waiting += [(name, const) for const in value.co_consts]
        elif isinstance(value, types.FunctionType) and not _is_foreign(value):
            inner = [value.__code__, value.__closure__, value.__defaults__, value.__kwdefaults__, vars(value)]
            waiting += [(name, part) for part in inner]
        elif not isinstance(value, _ATOMS) and not _is_foreign(value) and id(value) not in seen:
            seen.add(id(value))
            if isinstance(value, re.Pattern):
                if isinstance(value.pattern, str):
                    yield name, value
                continue
            waiting += [(name, referent) for referent in gc.get_referents(value)]


def patterns() -> dict[re.Pattern[str], str]:
    """Each pattern, with the name of its module."""
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of strings that only look like patterns
        for name, value in reachable():
            if isinstance(value, re.Pattern):
                found.setdefault(value, name)
            elif _SIGN_OF_A_PATTERN.search(value):
                try:
                    found.setdefault(re.compile(value, re.MULTILINE), name)
                except (re.error, OverflowError):
                    continue
    return found


def before_repeats(pattern: re.Pattern[str]) -> list[str]:
    """Texts that match what is in front of each long repeat of the pattern, and of its end."""
    found: list[str] = []
    ends = _follow(regex.parse(pattern.pattern, pattern.flags & ~re.DEBUG), [""], found)
    return list(dict.fromkeys([*found, *_few(ends)]))


def _few(texts: list[str]) -> list[str]:
    return texts[:: max(1, len(texts) // EXAMPLES)][:EXAMPLES]


def _limited(texts: Iterable[str]) -> list[str]:
    texts = list(dict.fromkeys(texts))
    return texts[:: -(-len(texts) // MAX_ALTERNATIVES) or 1]


def _follow(parsed: Any, texts: list[str], found: list[str]) -> list[str]:
    """The texts, each with an example of what matches behind it; `found` gets those in front of a repeat."""
    for code, given in parsed:
        texts = _limited(_step(code, given, texts, found))
    return texts


def _step(code: Any, given: Any, texts: list[str], found: list[str]) -> list[str]:
    if code is codes.BRANCH:
        return [text for branch in given[1] for text in _follow(branch, texts, found)]
    if code is codes.SUBPATTERN:
        return _follow(given[3], texts, found)
    if code is codes.ATOMIC_GROUP:
        return _follow(given, texts, found)
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return _repeat(*given, texts, found)
    if code in (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN):
        example = _character(code, given)
        return [text + example for text in texts]
    return texts  # assertions, and what refers to a group


def _repeat(least: int, most: int, parsed: Any, texts: list[str], found: list[str]) -> list[str]:
    if most >= MANY:
        found += _few(texts)
    repeated = _follow(parsed, texts, found)
    if most >= MANY:
        found += _few(repeated)
    for _ in range(least - 1):
        repeated = _follow(parsed, repeated, [])
    return repeated if least else [*texts, *repeated]


_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d", codes.CATEGORY_NOT_DIGIT: r"\D", codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S", codes.CATEGORY_WORD: r"\w", codes.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip
_EXAMPLES = "a7 f-:/.=_\t\n\"'([{<>)]},;@#$%*+!?|~^&`\\AZxyz01\u00e9\u2018\uff21"


def _character(code: Any, given: Any) -> str:
    if code is codes.LITERAL:
        return chr(given)
    if code is codes.ANY:
        return "a"
    items = [(codes.NEGATE, None), (codes.LITERAL, given)] if code is codes.NOT_LITERAL else given
    is_negated = items[0][0] is codes.NEGATE
    first = next((_first(*item) for item in items if item[0] in (codes.LITERAL, codes.RANGE)), "a")
    fitting = (example for example in _EXAMPLES if any(_has(*item, example) for item in items) != is_negated)
    return next(fitting, first)


def _first(code: Any, given: Any) -> str:
    return chr(given if code is codes.LITERAL else given[0])


def _has(code: Any, given: Any, character: str) -> bool:
    if code is codes.LITERAL:
        return ord(character) == given
    if code is codes.RANGE:
        return given[0] <= ord(character) <= given[1]
    return code is codes.CATEGORY and re.match(_CATEGORIES[given], character) is not None
