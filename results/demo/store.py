"""Store made-up runs by COPY, in batches, and rank them all at the end. Constraints and defaults apply."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from typing import Any

import orjson
from django.contrib.postgres.fields import ArrayField
from django.db import connection, transaction
from django.db.models import Field, JSONField, Model
from django.db.models.expressions import DatabaseDefault
from django.utils import timezone
from django.utils.text import slugify

from parsers.paste import PARSER_VERSION, parse_paste
from results.catalogue.matching.devices import Identity, match_firmwares
from results.catalogue.matching.match import current_matcher, names_to_try
from results.catalogue.matching.pages import assign_pages
from results.catalogue.matching.patterns import KnownModel, Matcher
from results.core.formats import format_capacity
from results.core.security.digests import digest_text
from results.demo.draw import DemoDevice, DemoRun
from results.demo.products import store_products
from results.demo.text import SERIAL_MASK, last_line, path_of, run_text
from results.kinds.curve.run import CurveRun
from results.models import Device, Submission
from results.models.choices import Method, State
from results.models.fields import UnitField, bytes_of_unit
from results.ranking.medians import rank_everything
from results.submissions.intake.store import build_result, read_submission

BATCH = 5000


@transaction.atomic
def store_text(
    text: str, *, sender_digest: str, unit_digests: Mapping[str, str], told: Mapping[str, Any] | None = None
) -> None:
    """Store a made-up paste with its sender's stored answers, and read it like one that was sent."""
    submission = Submission.objects.create(
        text=text,
        text_digest=digest_text(text),
        unit_digests=unit_digests,
        sender_digest=sender_digest,
        state=State.PUBLISHED,
        is_approved=True,
        told=told or {},
    )
    read_submission(submission, parse_paste(text, unit_key=b"", unit_digests=unit_digests))


def store_runs(drawn: Iterable[DemoRun]) -> Iterator[int]:
    """Store the runs, one transaction per batch; yield the number stored so far after each."""
    store_products()
    runs, stored = iter(drawn), 0
    device_ids: dict[Identity, int] = {}
    while batch := list(islice(runs, BATCH)):
        with transaction.atomic():
            device_ids |= _match_devices({_identity(made.device): made.device for made in batch}, device_ids)
            _store_batch(batch, device_ids)
        stored += len(batch)
        yield stored
    for _ in rank_everything():
        pass
    Device.recount(device_ids.values())
    with connection.cursor() as cursor:
        cursor.execute(
            "ANALYZE"
        )  # autovacuum would, but only a minute later; until then queries are planned for an empty site


def _store_batch(batch: Sequence[DemoRun], device_ids: dict[Identity, int]) -> None:
    run_devices = [device_ids[_identity(made.device)] for made in batch]
    versions = [
        (device_id, made.firmware_version) for device_id, made in zip(run_devices, batch, strict=True)
    ]
    firmwares = match_firmwares(versions)
    numbers = draw_ids(Submission, len(batch))
    sent = [_submission(made, number) for made, number in zip(batch, numbers, strict=True)]
    copy_unsaved(sent)
    copy_unsaved(
        [
            build_result(_run(made), submission, 1, device_id=version[0], firmware_id=firmwares[version])
            for made, submission, version in zip(batch, sent, versions, strict=True)
        ]
    )


def _identity(device: DemoDevice) -> Identity:
    return device.model_name, device.capacity_bytes


def _match_devices(drawn: dict[Identity, DemoDevice], known: dict[Identity, int]) -> dict[Identity, int]:
    """The ids of devices not in `known`, created if new. They have no aliases, and nobody else creates them."""
    unknown = {identity: device for identity, device in drawn.items() if identity not in known}
    names = [model_name for model_name, _ in unknown]
    stored = {
        (device.model_name, device.capacity_bytes): device
        for device in Device.objects.filter(model_name__in=names)
    }
    matcher = current_matcher()
    devices = [_device(device, matcher) for identity, device in unknown.items() if identity not in stored]
    assign_pages(devices)
    created = Device.objects.bulk_create(devices)
    return {(device.model_name, device.capacity_bytes): device.pk for device in (*stored.values(), *created)}


def _device(made: DemoDevice, matcher: Matcher[KnownModel]) -> Device:
    known = matcher.find(names_to_try(made.model_name, made.vendor))
    return Device(
        slug=slugify(f"{made.model_name} {format_capacity(made.capacity_bytes)}"),
        vendor=made.vendor,
        model_name=made.model_name,
        capacity_bytes=made.capacity_bytes,
        read_class=made.range.device_class.value,
        known_class=made.range.device_class.value if known else "",
        product_id=known.product_id if known else None,
    )


def _submission(made: DemoRun, number: int) -> Submission:
    """A made-up submission, not stored yet; each unit has a sender of its own."""
    unit = unit_digest(made)
    return Submission(
        id=number,
        sender_digest=unit,
        text=run_text(made),
        text_digest=digest_text(f"made up: {unit} {made.measured_on} {made.host_bytes_written} {made.curve}"),
        unit_digests={SERIAL_MASK: unit},
        is_approved=True,
        parser_version=PARSER_VERSION,
        created_at=timezone.now(),
    )


def unit_digest(made: DemoRun) -> str:
    return _unit(made.device.model_name, made.unit)


@lru_cache(maxsize=2**17)
def _unit(model_name: str, unit: int) -> str:
    return digest_text(f"made up unit {unit} of {model_name}")[:32]


def _run(made: DemoRun) -> CurveRun:
    device = made.device
    return CurveRun(
        model_name=device.model_name,
        vendor=device.vendor,
        capacity_bytes=device.capacity_bytes,
        device_class=device.range.device_class,
        firmware_version=made.firmware_version,
        unit=unit_digest(made),
        method=Method.DISKINFO,
        curve=tuple(None if latency is None else Decimal(str(latency)) for latency in made.curve),
        is_complete=True,
        path=path_of(device),
        platform=made.system,
        sector_size=device.sector_size,
        power_on_hours=made.power_on_hours,
        wear_percent=made.percentage_used,
        host_bytes_written=made.host_bytes_written,
        first_line=1,
        last_line=last_line(made),
        measured_on=made.measured_on,
    )


def draw_ids(model: type[Model], count: int) -> list[int]:
    """Ids for that many new rows of a table."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)", [table, count]
        )
        return [number for (number,) in cursor.fetchall()]


def copy_unsaved(objects: Sequence[Model]) -> None:
    """Add objects of one model, all with an id or all without. Raises IntegrityError."""
    if not objects:
        return
    first = objects[0]
    fields = [
        field
        for field in first._meta.concrete_fields
        if not isinstance(getattr(first, field.attname), DatabaseDefault) and (field.name != "id" or first.pk)
    ]
    columns = [connection.ops.quote_name(str(field.column)) for field in fields]
    write = [(field.attname, _writer(field)) for field in fields]
    lines = ("\t".join([text(getattr(row, name)) for name, text in write]) + "\n" for row in objects)
    statement = f"COPY {first._meta.db_table} ({', '.join(columns)}) FROM STDIN"
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as copied:
        copied.write("".join(lines))


def _writer(field: "Field[Any, Any]") -> Callable[[Any], str]:
    """The function that formats a value of that column for COPY's text format."""
    if isinstance(field, JSONField):
        return lambda value: _plain(None if value is None else orjson.dumps(value).decode())
    if isinstance(field, UnitField):
        return lambda unit: _escaped(rf"\x{bytes_of_unit(unit).hex()}")
    if isinstance(field, ArrayField):
        return lambda values: f"{{{','.join('NULL' if value is None else repr(value) for value in values)}}}"
    return _plain


def _plain(value: object) -> str:
    if value is None:
        return r"\N"
    return _escaped(value) if isinstance(value, str) else str(value)


def _escaped(text: str) -> str:
    escaped = text.replace("\\", r"\\").replace("\n", r"\n")
    return escaped.replace("\r", r"\r").replace("\t", r"\t")
