"""Templates of the site, with the addresses in them that never change written out when they are read.

A page has some thirty tags for style sheets, scripts and other pages, and working them out again for each page takes
longer than many a query.
"""

import re
from collections.abc import Callable

from django.template import Origin
from django.template.loaders import filesystem
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import escape

_ADDRESS = re.compile(r"""\{% (url|static) (['"])([^'"]+)\2 %\}""")
_WORKED_OUT: dict[str, Callable[[str], str]] = {"url": reverse, "static": static}


class Loader(filesystem.Loader):
    """Django's loader of the folders in DIRS; tags with more than a name are left as they are."""

    def get_contents(self, origin: Origin) -> str:
        return _ADDRESS.sub(_write_out, super().get_contents(origin))


def _write_out(tag: re.Match[str]) -> str:
    kind, _, name = tag.groups()
    return escape(_WORKED_OUT[kind](name))
