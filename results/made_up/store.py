"""Stores made-up runs in batches, and ranks them all at the end."""

from collections.abc import Collection, Iterable, Iterator
from decimal import Decimal
from itertools import islice

from django.db import transaction
from django.utils.text import slugify

from parsers.paste import PARSER_VERSION
from results.catalogue.match import Known, current_matcher
from results.catalogue.patterns import Matcher, names_to_try
from results.ingest.digests import digest_text
from results.ingest.match import Identity
from results.ingest.read import build_result
from results.ingest.rows import upsert_results
from results.ingest.runs import Run
from results.made_up.draw import MadeRun
from results.made_up.products import store_products
from results.made_up.text import SERIAL_MASK, run_text
from results.models import Device, Firmware, Submission
from results.models.choices import Method
from results.presentation import format_capacity
from results.ranking.whole import rank_everything

BATCH = 1000


def store_made_up(drawn: Iterable[MadeRun]) -> Iterator[int]:
    """Store the runs, a batch a transaction; yields how many of them are stored, after each batch."""
    store_products()
    runs, stored = iter(drawn), 0
    while batch := list(islice(runs, BATCH)):
        _store_batch(batch)
        stored += len(batch)
        yield stored
    for _ in rank_everything():
        pass


@transaction.atomic
def _store_batch(batch: list[MadeRun]) -> None:
    runs = [_run(made) for made in batch]
    devices = _match_devices(runs)
    firmwares = _match_firmwares(runs, devices)
    submissions = Submission.objects.bulk_create(_submission(made) for made in batch)
    upsert_results(
        build_result(
            run,
            submission,
            1,
            device=devices[run.identity],
            firmware=firmwares[devices[run.identity].pk, run.firmware_version],
        )
        for run, submission in zip(runs, submissions, strict=True)
    )


def _match_devices(runs: list[Run]) -> dict[Identity, Device]:
    """As results.ingest.match does, but all at once: made-up devices have no aliases or rivals."""
    wanted = {run.identity: run for run in runs}
    held = _find_devices(wanted)
    matcher = current_matcher()
    Device.objects.bulk_create(
        _device(run, matcher) for identity, run in wanted.items() if identity not in held
    )
    return _find_devices(wanted)


def _find_devices(wanted: Collection[Identity]) -> dict[Identity, Device]:
    found = Device.objects.filter(model_name__in={model_name for model_name, _ in wanted})
    return {(device.model_name, device.capacity_bytes): device for device in found}


def _device(run: Run, matcher: Matcher[Known]) -> Device:
    known = matcher.find(names_to_try(run.model_name, run.vendor))
    return Device(
        slug=slugify(f"{run.model_name} {format_capacity(run.capacity_bytes)}"),
        vendor=run.vendor,
        model_name=run.model_name,
        capacity_bytes=run.capacity_bytes,
        read_class=run.device_class.value,
        product_id=known.product_id if known else None,
    )


def _match_firmwares(runs: list[Run], devices: dict[Identity, Device]) -> dict[tuple[int, str], Firmware]:
    wanted = {(devices[run.identity].pk, run.firmware_version) for run in runs}
    Firmware.objects.bulk_create(
        (Firmware(device_id=device_id, version=version) for device_id, version in sorted(wanted)),
        ignore_conflicts=True,
    )
    found = Firmware.objects.filter(device_id__in=[device_id for device_id, _ in wanted])
    return {(firmware.device_id, firmware.version): firmware for firmware in found}


def _submission(made: MadeRun) -> Submission:
    text = run_text(made)
    return Submission(
        text=text,
        text_digest=digest_text(f"made up: {_unit(made)}\n{text}"),
        unit_digests={SERIAL_MASK: _unit(made)},
        parser_version=PARSER_VERSION,
    )


def _unit(made: MadeRun) -> str:
    return digest_text(f"made up unit {made.unit} of {made.device.model_name}")[:32]


def _run(made: MadeRun) -> Run:
    device = made.device
    lines = run_text(made).splitlines()
    return Run(
        model_name=device.model_name,
        vendor=device.vendor,
        capacity_bytes=device.capacity_bytes,
        device_class=device.range.device_class,
        firmware_version=made.firmware_version,
        unit=_unit(made),
        method=Method.DISKINFO,
        curve=tuple(None if latency is None else Decimal(str(latency)) for latency in made.curve),
        is_complete=True,
        path=lines[0],
        platform=made.system,
        sector_size=device.sector_size,
        power_on_hours=made.power_on_hours,
        percentage_used=made.percentage_used,
        host_bytes_written=made.host_bytes_written,
        first_line=1,
        last_line=lines.index("", lines.index("") + 1),
        measured_on=made.measured_on,
    )
