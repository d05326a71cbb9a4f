"""What zpool, zfs and the shell say instead of a table, and advice on it."""

import re

from parsers.text.messages import Messages

_ADVICE = (
    ("no such pool", "check the pool's name with zpool list"),
    ("dataset does not exist", "check the dataset's name with zfs list"),
    ("no pools available", "import the pool first"),
    ("modules are not loaded", "load them with modprobe zfs, as root"),
    ("Permission denied", "run it as root"),
    ("permission denied", "run it as root"),
    ("invalid option", "this version doesn't know the option: leave it out"),
    ("bad property", "check the property's name with zfs get all"),
    ("not found", "install OpenZFS, or run it with its full path, as root"),
)
_WORDS = (
    "cannot ", "no pools", "zpool: ", "modules", "not found", "/dev/zfs", "denied", "invalid option", "bad property",
)  # fmt: skip
MESSAGES = Messages(
    "zpool",
    re.compile(
        rf"zpool: (?:error|{'|'.join(part for part, _advice in _ADVICE)})"
        r"|cannot (?:open|iostat) '[^'\n]{1,255}': (?:no such pool|dataset does not exist)[^\n]{0,40}"
        r"|no pools available|The ZFS modules are not loaded\.?"
        r"|(?:[^\n]{0,60}[ /:])?(?:zpool|zfs): (?:command )?not found"
        r"|(?:[^\n]{0,60}: )?command not found: (?:zpool|zfs)"
        r"|Unable to open /dev/zfs: [Pp]ermission denied\.?"
        r"|(?:cannot [a-z ]{3,30}|internal error): permission denied"
        r"|invalid option '.'|bad property list: [^\n]{1,100}"
    ),
    _WORDS,
    _ADVICE,
)
