"""smartctl's error messages with advice on them, and its command lines."""

import re
from dataclasses import dataclass

from parsers.base.readings import Notice
from parsers.base.shell import words_after

# Words of a message, in lower case -> code; the first that fits counts, so causes precede what they cause.
CODES: tuple[tuple[str, str], ...] = (
    ("permission denied", "permission_denied"),
    ("operation not permitted", "permission_denied"),
    ("access is denied", "permission_denied"),
    ("error=5", "permission_denied"),  # Windows: ERROR_ACCESS_DENIED
    ("no such device", "no_such_device"),
    ("no such file", "no_such_device"),
    ("device not configured", "no_such_device"),
    ("resource busy", "device_busy"),
    ("unknown usb bridge", "unknown_usb_bridge"),
    ("unable to detect device type", "unknown_device_type"),
    ("please specify device type", "unknown_device_type"),
    ("probable ata device behind a sat layer", "hidden_behind_sat"),
    ("requires a device name", "no_device_named"),
    ("takes one device name", "no_device_named"),
    ("invalid argument to", "invalid_option"),
    ("unrecognized option", "invalid_option"),
    ("no medium present", "no_medium"),
    ("not ready", "not_ready"),
    ("standby mode", "standby"),
    ("sleep mode", "standby"),
    ("does not support smart", "smart_unavailable"),
    ("lacks smart capability", "smart_unavailable"),
    ("smart support is unavailable", "smart_unavailable"),
    ("smart support is disabled", "smart_disabled"),
    ("smart disabled", "smart_disabled"),
    ("smart/health information failed", "health_unreadable"),
    ("read smart data failed", "health_unreadable"),
    ("identity failed", "identity_unreadable"),
    ("identify controller failed", "identity_unreadable"),
    ("inquiry", "identity_unreadable"),
    ("mandatory smart command failed", "command_refused"),
    ("open device", "open_failed"),
    ("not found", "not_installed"),
    ("not recognized", "not_installed"),
)

ADVICE = {
    "permission_denied": "smartctl was not allowed to read the device: run it as root, for instance with sudo, "
    "and not inside a container or jail",
    "no_such_device": "there is no device with this name: look it up with smartctl --scan",
    "device_busy": "the device is in use by something that locks it: stop that first",
    "unknown_usb_bridge": "smartctl does not know this USB bridge: try -d sat for a SATA drive, -d sntasmedia, "
    "-d sntjmicron or -d sntrealtek for an NVMe drive, or attach the drive directly",
    "unknown_device_type": "smartctl can't detect the type of this device: state it with -d, "
    "for instance -d nvme, -d sat or -d scsi",
    "hidden_behind_sat": "a SATA drive answers through a SCSI layer: try again with -d sat",
    "no_device_named": "the device is missing in the command: smartctl -a /dev/nvme0",
    "invalid_option": "smartctl did not understand the command: try smartctl -a and the device",
    "no_medium": "the drive holds no medium",
    "not_ready": "the device is not ready, perhaps spun down: wake it and run smartctl again",
    "standby": "the drive was in standby and smartctl's -n option kept it there: run it without -n",
    "smart_unavailable": "this device does not report SMART data",
    "smart_disabled": "SMART is switched off on this device: switch it on with smartctl -s on",
    "health_unreadable": "the device did not return its SMART data, so age and wear are missing",
    "identity_unreadable": "the device did not identify itself: run smartctl as root, and behind a USB bridge "
    "or a controller state its type with -d",
    "command_refused": "the device refused a command that smartctl needs: try -T permissive",
    "open_failed": "smartctl could not open the device",
    "not_installed": "smartctl is not installed, or not where the shell looks: install smartmontools",
}

# The beginnings of lines that may be messages
FAILURE_STARTS = (
    "Smartctl",
    "Read ",
    "ERROR",
    "A mandatory SMART command failed",
    "Probable ATA device",
    "Device is in ",
    "Device does not support SMART",
    "SMART Disabled",
    "Unable to ",
    "Please specify device type",
    "Standard Inquiry",
    "Short INQUIRY",
    "NO MEDIUM",
    "device is NOT READY",
    "=======> INVALID ARGUMENT",
    "=======> UNRECOGNIZED OPTION",
    "/dev/",
    "\\\\",
)

# Options of smartctl(8) that take an argument
_SHORT_WITH_ARGUMENT = frozenset("dTbqrnlvPBFfsoStg")
_LONG_WITH_ARGUMENT = frozenset(
    {
        "--device", "--tolerance", "--badsum", "--quietmode", "--report", "--nocheck", "--log", "--vendorattribute",
        "--presets", "--drivedb", "--firmwarebug", "--format", "--smart", "--offlineauto", "--saveauto", "--test",
        "--get", "--set",
    }
)  # fmt: skip


def find_failure(message: str, line: int | None) -> Notice | None:
    """Return the advice on a message of smartctl; None if no known failure."""
    lowered = message[:400].lower()
    code = next((code for words, code in CODES if words in lowered), None)
    return Notice(code, ADVICE[code], line) if code else None


def is_missing_tool(line: str) -> bool:
    """Whether a shell reports that it can't find smartctl."""
    return "smartctl" in line and ("not found" in line or "not recognized" in line)


_SLOT = re.compile(
    r"(?:megaraid|cciss|3ware|areca|aacraid|hpt|sssraid|jmb39x\w{0,8}|jms56x\w{0,8}),[\d,/]{1,20}"
)


@dataclass(frozen=True, slots=True)
class Command:
    """The device named last and the value of `-d`."""

    path: str | None = None
    device_type: str | None = None


def read_command(command: str | None) -> Command:
    """Read device and type from the kept form of a command, with the rules of getopt.

    Lines of other tools give neither.
    """
    path = device_type = None
    rest = iter(words_after(command, "smartctl"))
    for word in rest:
        if not word.startswith("-"):
            path = None if "$" in word else word  # a shell variable isn't a name
            continue
        name, argument = _split_option(word)
        if argument == "":
            argument = next(rest, None)
        if name in ("d", "--device"):
            device_type = argument
    return Command(path or None, device_type)


def slot_of(device_type: str | None) -> str | None:
    """Return the disk that `-d` names behind a controller: `megaraid,8` of `sat+megaraid,8`."""
    match = _SLOT.search(device_type or "")
    return match[0] if match else None


def _split_option(word: str) -> tuple[str, str | None]:
    """Split an option from its argument.

    The argument is "" where it is the next word, None where the option has none.
    """
    if word.startswith("--"):
        name, equals, argument = word.partition("=")
        return name, argument if equals else "" if name in _LONG_WITH_ARGUMENT else None
    for at, letter in enumerate(word[1:], start=2):
        if letter in _SHORT_WITH_ARGUMENT:
            return letter, word[at:]
    return word[-1:], None


def is_argument_next(word: str) -> bool:
    """Whether a word is an option whose argument is the next word."""
    return word.startswith("-") and _split_option(word)[1] == ""


def is_usb_type(device_type: str | None) -> bool:
    """Whether a type of `-d` is for USB bridges: usbjmicron, sntasmedia, ..."""
    return device_type is not None and device_type.startswith(("usb", "snt"))
