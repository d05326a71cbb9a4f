"""dd's result, as each version and each locale prints it.

Sources: src/dd.c (`print_stats`, since 8.24 `print_xfer_stats`) and lib/human.c of GNU coreutils 5.1 to 9.9 with its
translations, bin/dd/misc.c of FreeBSD (which macOS, NetBSD and OpenBSD share), usr/src/cmd/dd of illumos, and
coreutils/dd.c of BusyBox.
"""

from collections.abc import Iterator
from decimal import Decimal

from tests.parsers.formats.cases import Case, localized

RUNS = {  # bytes and seconds
    "tiny": (512, "3.1e-05"),
    "kilo": (4096, "0.000123456"),
    "below-1-kB": (999, "0.001"),
    "mega": (1048576, "0.0123"),
    "two-units": (104857600, "1.06754"),
    "giga": (1073741824, "7.0012"),
    "round-up": (999999999, "10"),
    "ten-giga": (10737418240, "101.5"),
    "tera": (4398046511104, "86400.1"),
    "six-figures": (20971520000, "123456"),
    "fast": (4294967296, "0.25"),
}


def si(value: Decimal, *, base: int = 1000, suffix: str = "B") -> str:
    """human_readable() with autoscale, its unit and the blank in front of it: one decimal below 10, rounded up."""
    power = 0
    while value >= base ** (power + 1):
        power += 1
    shown = value / base**power
    text = f"{shown:.1f}" if power and shown < Decimal("9.95") else f"{shown:.0f}"
    unit = ("", "k", "M", "G", "T", "P")[power]
    return f"{text} {unit.upper() if base == 1024 else unit}{'i' if power and base == 1024 else ''}{suffix}"


def records(count: int) -> str:
    return f"{max(count // 512, 1)}+0 records in\n{max(count // 512, 1)}+0 records out\n"


def case(name: str, text: str, count: int, seconds: str, bytes_s: int | None = None) -> Case:
    rate = round(count / Decimal(seconds)) if bytes_s is None else bytes_s
    return Case(name, text, ({"bytes": count, "seconds": Decimal(seconds), "throughput_bytes_s": rate},))


# By language of 9.1 what it prints in place of "160+0 records in", "160+0 records out" and "… bytes (…, …) copied,
# … s, …/s"; behind a hyphen that of older versions. The mark of decimals is that of LC_NUMERIC.
LOCALES = {
    "C": ("{n} records in", "{n} records out", "{bytes} bytes ({sizes}) copied, {s}, {rate}/s"),
    "de": ("{n} Datensätze ein", "{n} Datensätze aus", "{bytes} Bytes ({sizes}) kopiert, {s}, {rate}/s"),
    "de-old": ("{n} Datensätze ein", "{n} Datensätze aus", "{bytes} Bytes ({sizes}) kopiert, {s}, {rate}/s"),
    "fr": (
        "{n} enregistrements lus", "{n} enregistrements écrits", "{bytes} octets ({sizes}) copiés, {s}, {rate}/s",
    ),
    "uk": (
        "{n} записів прочитано", "{n} записів записано", "скопійовано {bytes} байтів ({sizes}), {s}, {rate}/s",
    ),
    "ko": ("{n} 레코드 입력함", "{n} 레코드 출력함", "{bytes} 바이트 ({sizes}) 복사함, {s}, {rate}/s"),
    "zh": ("输入了 {n} 块记录", "输出了 {n} 块记录", "{bytes} 字节 ({sizes}) 已复制，{s}，{rate}/s"),
    "zh-old": ("记录了{n} 的读入", "记录了{n} 的写出", "{bytes}字节({sizes})已复制，{s}，{rate}/秒"),
    "nl": (
        "{n} records gelezen", "{n} records geschreven", "{bytes} bytes ({sizes}) gekopieerd, {s}, {rate}/s",
    ),
    "tr": ("{n} kayıt girdi", "{n} kayıt çıktı", "{bytes} bayt ({sizes}) kopyalandı, {s}, {rate}/s"),
    "et": ("{n} kirjet sisse", "{n} kirjet välja", "{bytes} baiti ({sizes}) kopeeritud, {s}, {rate}/s"),
    "hr": (
        "{n} zapisa primljeno", "{n} zapisa odaslano", "{bytes} bajtova ({sizes}) je kopirano, {s}, {rate}/s",
    ),
}  # fmt: skip


def english_cases() -> Iterator[Case]:
    for name, (count, took) in RUNS.items():
        si_size, iec_size = si(Decimal(count)), si(Decimal(count), base=1024)
        since_8_24 = (
            f" ({si_size}, {iec_size})" if count >= 1024 else f" ({si_size})" if count >= 1000 else ""
        )
        for version, sizes, shown, unit in (
            ("5.1", f" ({si_size})", f"{float(took):f}", "seconds"),
            ("6.12", f" ({si_size})", f"{float(took):g}", "s"),
            ("8.24", since_8_24, f"{float(took):g}", "s"),
            ("9.9", since_8_24, f"{float(took):g}", "s"),
        ):
            rate = si(count / Decimal(took))
            text = f"{records(count)}{count} bytes{sizes} copied, {shown} {unit}, {rate}/s\n"
            yield case(f"dd-gnu-{version}-{name}", text, count, shown)


def translated_cases() -> Iterator[Case]:
    for locale, shapes in LOCALES.items():
        for name in ("two-units", "giga", "ten-giga"):
            count, took = RUNS[name]
            for mark in (".", ","):
                sizes = f"{si(Decimal(count))}, {si(Decimal(count), base=1024)}"
                parts = {
                    "n": f"{count // 512}+0",
                    "bytes": count,
                    "sizes": localized(si(Decimal(count)) if locale.endswith("-old") else sizes, mark),
                    "s": localized(f"{float(took):g} s", mark),
                    "rate": localized(si(count / Decimal(took)), mark),
                }
                text = "".join(f"{shape.format(**parts)}\n" for shape in shapes)
                locale_name = f"{locale}{'-comma' if mark == ',' else ''}"
                yield case(f"dd-gnu-{locale_name}-{name}", text, count, f"{float(took):g}")


def bsd_cases() -> Iterator[Case]:
    for name, (count, took) in RUNS.items():
        shown = f"{float(took):.6f}"
        rate = round(count / Decimal(took))
        for system, line in (
            ("freebsd", f"{count} bytes transferred in {shown} secs ({rate} bytes/sec)"),
            ("openbsd-3", f"{count} bytes transferred in {int(float(took))} secs ({rate} bytes/sec)"),
            ("netbsd", f"{count} bytes transferred in {float(took):.3f} secs ({rate} bytes/sec)"),
        ):
            seconds = line.split(" in ")[1].split(" ", maxsplit=1)[0]
            if not float(seconds):
                continue
            yield case(f"dd-{system}-{name}", f"{records(count)}{line}\n", count, seconds, rate)


def busybox_cases() -> Iterator[Case]:
    """`%llu bytes (%sB) copied, %f seconds, %sB/s`, the sizes in powers of 1024 with one decimal."""
    for name, (count, took) in RUNS.items():
        shown = f"{float(took):.6f}"
        if not float(shown):
            continue

        def size(value: float) -> str:
            power = 0
            while value >= 1024 and power < 5:
                value /= 1024
                power += 1
            return f"{value:.1f}{' KMGTP'[power].strip()}B"

        rate = size(float(count / Decimal(took)))
        for word, unit in (("seconds", "1.00"), ("seconds", "1.36")):
            yield case(
                f"dd-busybox-{unit}-{name}",
                f"{records(count)}{count} bytes ({size(count)}) copied, {shown} {word}, {rate}/s\n",
                count,
                shown,
            )


def other_cases() -> Iterator[Case]:
    """Toybox (Android), GNU with a rate of its own locale, and what can't be: no time at all."""
    for name in ("mega", "two-units", "giga"):
        count, took = RUNS[name]
        size, rate = (
            "".join(si(value, base=1024, suffix="").split())
            for value in (Decimal(count), count / Decimal(took))
        )
        shown = f"{float(took):.6f}"
        for version, unit in (("0.7", ""), ("0.8", " ")):
            sizes, rates = (
                text.replace("i", "").replace("M", f"{unit}M").replace("G", f"{unit}G")
                for text in (size, rate)
            )
            text = f"{records(count)}{count} bytes ({sizes}) copied, {shown} s, {rates}/s\n"
            yield case(f"dd-toybox-{version}-{name}", text, count, shown)
    for word in ("Infinity", "Unendlich", "Infinité", "Nieskończoność", "Бесконечность"):
        text = f"{records(1048576)}1048576 bytes (1.0 MB, 1.0 MiB) copied, 0 s, {word} B/s\n"
        yield Case(f"dd-gnu-{word}", text, (), ("impossible_figure",))


CASES = [*english_cases(), *translated_cases(), *bsd_cases(), *busybox_cases(), *other_cases()]
