"""What a command line of smartctl says: the device that it is about and the type given with `-d`."""

from dataclasses import dataclass

# Options of smartctl(8) that take an argument
_SHORT_WITH_ARGUMENT = frozenset("dTbqrnlvPBFfsoStg")
_LONG_WITH_ARGUMENT = frozenset(
    {
        "--device", "--tolerance", "--badsum", "--quietmode", "--report", "--nocheck", "--log", "--vendorattribute",
        "--presets", "--drivedb", "--firmwarebug", "--format", "--smart", "--offlineauto", "--saveauto", "--test",
        "--get", "--set",
    }
)  # fmt: skip
_ENDS = frozenset({"|", ">", ">>", ";", "&&", "2>&1", "<"})
_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Command:
    """The device named last and the value of `-d`."""

    path: str | None = None
    device_type: str | None = None


def read_command(command: str | None) -> Command:
    """Take a command line apart as smartctl's getopt would; nothing is guessed of other tools' lines."""
    words = (command or "")[:_LONGEST].replace("|", " | ").replace(";", " ; ").split()
    start = next((at for at, word in enumerate(words) if word.endswith(("smartctl", "smartctl.exe"))), None)
    if start is None:
        return Command()
    path = device_type = None
    rest = iter(words[start + 1 :])
    for word in rest:
        if word in _ENDS:
            break
        if not word.startswith("-"):
            path = None if "$" in word else word.strip("\"'`*,;")  # a variable of the shell is no name
            continue
        name, argument = _split_option(word)
        if argument == "":
            argument = next(rest, None)
        if name in ("d", "--device"):
            device_type = argument
    return Command(path or None, device_type)


def _split_option(word: str) -> tuple[str, str | None]:
    """The option that may have an argument, and that: "" where it is the next word, None where it takes none."""
    if word.startswith("--"):
        name, equals, argument = word.partition("=")
        return name, argument if equals else "" if name in _LONG_WITH_ARGUMENT else None
    for at, letter in enumerate(word[1:], start=2):
        if letter in _SHORT_WITH_ARGUMENT:
            return letter, word[at:]
    return word[-1:], None


def is_usb_type(device_type: str | None) -> bool:
    """Whether a type of `-d` is one of those for USB bridges: usbjmicron, sntasmedia, ..."""
    return device_type is not None and device_type.startswith(("usb", "snt"))
