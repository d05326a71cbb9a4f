"""Every format that a paste can hold, in the order in which they are asked.

A new format is one module with a `FORMATS` tuple and one line in each of the two lists below.
"""

from parsers import diskinfo, fio, smartctl_json, smartctl_text, unread_tools
from parsers.kinds import Format

FORMATS: tuple[Format, ...] = (
    *diskinfo.FORMATS,
    *smartctl_text.FORMATS,
    *smartctl_json.FORMATS,
    *fio.FORMATS,
    *unread_tools.FORMATS,
)
