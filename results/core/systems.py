"""Which operating system a platform's text names."""

from results.core.formats import split_platform

# By what a platform contains, as smartctl prints it ("x86_64-linux-6.1.0") or a source states it.
SYSTEMS = (
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
    ("debian", "Linux"),
    ("ubuntu", "Linux"),
    ("proxmox", "Linux"),
)


def system_of(platform: str) -> str:
    """The operating system in a platform's text; the text itself if that is unknown."""
    system, _tool = split_platform(platform)
    lowered = system.lower()
    return next((name for sign, name in SYSTEMS if sign in lowered), system)
