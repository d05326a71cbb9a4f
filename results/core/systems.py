"""Which operating system a platform's text names."""

from results.core.formats import split_platform

# By what is in the platform that smartctl prints ("x86_64-linux-6.1.0", "FreeBSD 13.1-RELEASE amd64").
_SYSTEMS = (
    ("linux", "Linux"),
    ("freebsd", "FreeBSD"),
    ("mingw", "Windows"),
    ("cygwin", "Windows"),
    ("darwin", "macOS"),
    ("solaris", "Solaris"),
    ("openbsd", "OpenBSD"),
    ("netbsd", "NetBSD"),
    ("truenas scale", "Linux"),
    ("truenas core", "FreeBSD"),
    ("freenas", "FreeBSD"),
)


def system_of(platform: str) -> str:
    """The operating system in a platform's text; the text itself where it is none that is known."""
    system, _tool = split_platform(platform)
    lowered = system.lower()
    return next((name for sign, name in _SYSTEMS if sign in lowered), system)
