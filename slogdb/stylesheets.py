"""Style sheets that import others, as one file each: a page asks once for its styles, and they compress better."""

import re
from collections.abc import Callable

_IMPORT = re.compile(r'@import url\("([^"]+)"\);')
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LINE_END = re.compile(r"\s*\n\s*")


def merge_style(name: str, read: Callable[[str], str]) -> str:
    """The sheet with what it imports in the place of each import, without comments and indentation.

    `read` gives a sheet's text; all sheets that import each other lie in one folder, so that what they name by
    a relative address stays where it is.
    """
    folder = name.rpartition("/")[0]

    def imported(match: re.Match[str]) -> str:
        return merge_style(f"{folder}/{match[1]}" if folder else match[1], read)

    text = _IMPORT.sub(imported, _COMMENT.sub("", read(name)))
    return _LINE_END.sub("\n", text).lstrip()
