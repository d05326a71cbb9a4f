"""Valid rows: a test spells out only what it is about, as in make_result(90, device__device_class="hdd")."""

from collections.abc import Sequence
from datetime import date
from itertools import count
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Permission
from django.db.models import F

from results.catalogue.matching.pages import assign_pages
from results.catalogue.prices import mark_shown
from results.kinds.file_grid.models import FileGrid
from results.kinds.latency_curve.kind import LATENCY_CURVE
from results.kinds.pool.models import PoolIO
from results.models import (
    Claim,
    Device,
    Firmware,
    Member,
    Pool,
    PriceReport,
    PriceSighting,
    Product,
    Result,
    Submission,
    Vendor,
)
from results.models.choices import State
from results.models.fields import BLOCK_SIZES
from results.models.result import public_id_of
from results.ranking import medians
from results.ranking.boards import dirty_boards, place_board

PASSWORD = "seventeen slow disks"
CURVE = tuple(20 + block_size / 4096 for block_size in BLOCK_SIZES)

drawn_numbers = count(101)  # make_facts makes an aldera-s9


LAYOUT = (("data", "mirror", 2), ("data", "mirror", 2), ("log", "disk", 1))


def flat(latency_us: float) -> list[float]:
    """A curve that takes as long for every block size: its ZIL latency is that, too."""
    return [latency_us] * len(BLOCK_SIZES)


def make_device(**values: Any) -> Device:
    number = next(drawn_numbers)
    defaults = {
        "model_name": f"Sample SSD {number}",
        "slug": f"sample-ssd-{number}",
        "capacity_bytes": 480_000_000_000,
        "device_class": "nvme",
    }
    made = {**defaults, **values}
    device = Device(read_class=made.pop("device_class"), **made)
    assign_pages([device])
    device.save()
    device.refresh_from_db(fields=["device_class"])
    return device


def make_product(**values: Any) -> Product:
    number = next(drawn_numbers)
    vendor, _ = Vendor.objects.get_or_create(name=values.pop("vendor", "Aldera"))
    defaults = {
        "slug": f"aldera-s{number}",
        "name": f"S{number}",
        "patterns": [rf"^ALDERA S{number}-"],
        "device_class": "nvme",
        "segment": "enterprise",
        "plp": "unknown",
    }
    return Product.objects.create(vendor=vendor, **{**defaults, **values})


def make_stated_product(plp: str, /, **values: Any) -> Product:
    """With the data sheet that says whether it is protected against power loss."""
    statement = {"value": plp, "evidence": "data_sheet", "url": "https://maker.example/sheet.pdf"}
    return make_product(**{"plp": plp, "plp_statements": [statement], **values})


def make_protected_product(**values: Any) -> Product:
    """With the source that a recommendation shows."""
    return make_stated_product("yes", **values)


def make_claim(product: Product, value: float, **values: Any) -> Claim:
    """By its maker, of how fast it writes in sequence."""
    defaults = {
        "quantity": "sequential_write_mb_s",
        "unit": "MB/s",
        "stated_by": "maker",
        "source_url": "https://claims.example/",
    }
    return product.claims.create(value=value, **{**defaults, **values})


def make_price(product: Product, **values: Any) -> PriceSighting:
    """A price seen in a shop, with the product's shown ones marked."""
    number = next(drawn_numbers)
    defaults = {
        "capacity_bytes": 480_000_000_000,
        "price": 100,
        "currency": "USD",
        "condition": "new",
        "seller_kind": "shop",
        "seen_on": "2024-05-17",
        "source_url": f"https://prices.example/{number}",
    }
    made = product.prices.create(**{**defaults, **values})
    mark_shown([product.pk])
    return made


def make_price_report(product: Product, reporter: Member, **values: Any) -> PriceReport:
    """A price that waits for a moderator."""
    number = next(drawn_numbers)
    defaults = {
        "capacity_bytes": 480_000_000_000,
        "price": 90,
        "currency": "USD",
        "condition": "used",
        "seller_kind": "marketplace",
        "seen_on": "2026-11-20",
        "source_url": f"https://offers.example/{number}",
    }
    return PriceReport.objects.create(product=product, reporter=reporter, **{**defaults, **values})


def make_facts(product: Product, **successor: Any) -> Product:
    """One claim, price, life cycle and caveat of `product`, each from a page of its own; returns the successor."""
    after = make_product(**{"slug": "aldera-s9", "name": "S9", **successor})
    make_claim(
        product,
        10,
        quantity="write_latency_us",
        is_below=True,
        unit="us",
        source_url="https://claims.example/s1",
        note="typical",
    )
    make_price(
        product,
        price="1299.90",
        currency="EUR",
        condition="used",
        seller_kind="marketplace",
        seen_on="2024-05",
        source_url="https://prices.example/s1",
    )
    product.life_cycle.create(
        launched_on="2018",
        end_of_sale="last orders 2023-05-30",
        successor=after,
        source_url="https://life.example/s1",
        note="announced",
    )
    product.caveats.create(
        kind="firmware_bug",
        summary="Hangs after 5184 hours.",
        fixed_in_firmware="0309",
        source_url="https://caveats.example/s1",
    )
    return after


def make_member(**values: Any) -> Member:
    number = next(drawn_numbers)
    made = {"email": f"member{number}@example.org", "display_name": f"Member {number}", **values}
    return Member.objects.create_user(**made)


def make_known_member(**values: Any) -> Member:
    """Whose results are vouched for: a moderator has approved a submission of theirs."""
    member = make_member(**values)
    make_submission(owner=member, is_approved=True)
    return member


def make_verified_member(**values: Any) -> Member:
    """Who can sign in with PASSWORD, or any other."""
    member = make_member(**{"password": PASSWORD, **values})
    EmailAddress.objects.create(user=member, email=member.email, verified=True, primary=True)
    return member


def make_moderator() -> Member:
    """With a second factor, as moderating needs one."""
    moderator = make_member(is_staff=True)
    moderator.user_permissions.add(Permission.objects.get(codename="change_submission"))
    Authenticator.objects.create(user=moderator, type=Authenticator.Type.TOTP, data={})
    return moderator


def make_submission(**values: Any) -> Submission:
    """An anonymous one, from a network of its own."""
    number = next(drawn_numbers)
    return Submission.objects.create(
        **{"text_digest": f"digest {number}", "sender_digest": f"network {number}", **values}
    )


def curve_metrics(
    curve: Sequence[float | None], tails: Any = None, writers: int | None = None
) -> dict[str, float]:
    return LATENCY_CURVE.compute({"latency_us": curve, "tails": tails, "writers": writers})


def make_result(latency_us: float | Sequence[float | None] = CURVE, **values: Any) -> Result:
    """A ranked run of a unit of its own; `device__…`, `submission__…` and `firmware__version` as in Django."""
    number = next(drawn_numbers)
    for_device, for_submission = _taken(values, "device__"), _taken(values, "submission__")
    device = values.pop("device", None) or make_device(**for_device)
    submission = values.pop("submission", None) or make_submission(**for_submission)
    version = values.pop("firmware__version", None)
    unit = values.pop("unit", "")
    curve = flat(latency_us) if isinstance(latency_us, int | float) else list(latency_us)
    defaults = {
        "public_id": submission.public_id,
        "position": 1,
        "firmware": Firmware.objects.get_or_create(device=device, version=version)[0] if version else None,
        "has_unit": bool(unit),
        "ranking_unit": unit or f"unit {number}",
        "method": "diskinfo",
        "is_complete": None not in curve,
        "is_ranked": not values.get("not_ranked_reason"),
        "measured_on": date(2024, 5, 17),
    }
    made = {"device": device, "submission": submission, "latency_us": curve, **defaults, **values}
    made.setdefault("metrics", curve_metrics(curve))
    result = Result.objects.create(**made)
    if submission.state == State.PUBLISHED:
        elsewhere = int(submission.survey_id is not None)
        Device.objects.filter(pk=device.pk).update(
            result_count=F("result_count") + 1, elsewhere_count=F("elsewhere_count") + elsewhere
        )
    device.refresh_from_db(fields=["result_count", "elsewhere_count"])
    return result


def make_pool(**values: Any) -> Pool:
    """A pool of two mirrors with a log device."""
    submission = values.pop("submission", None) or make_submission(**_taken(values, "submission__"))
    layout = [{"role": role, "type": kind, "members": members} for role, kind, members in LAYOUT]
    defaults = {"public_id": submission.public_id, "position": 1, "layout": layout}
    return Pool.objects.create(submission=submission, **{**defaults, **values})


def make_grid(public_id: str, **values: Any) -> Result:
    """A grid of iozone on a pool of its own: reads and writes of a 6 GiB file at four record sizes."""
    pool = make_pool(submission__public_id=public_id)
    result = Result.objects.create(
        submission=pool.submission,
        public_id=public_id,
        position=1,
        pool=pool,
        ranking_unit=f"unit of {public_id}",
        method="iozone",
        is_complete=True,
        is_ranked=False,
        not_ranked_reason="Pool grids aren’t ranked.",
        metrics={"grid_read_128k_mib_s": 200.0},
    )
    rows = [
        {
            "file_bytes": 6 << 30,
            "record_bytes": size << 10,
            "processes": None,
            "mib_s": {
                "write": 90.0,
                "read": 100.0 if size == 256 else 200.0,
                "random_write": min(size, 90.0),
            },
        }
        for size in (64, 128, 256, 1024)
    ]
    FileGrid.objects.create(result=result, **{"rows": rows, "record_size": 1 << 17, **values})
    return result


def make_workload(
    pool: Pool, position: int = 1, *, iops: float = 1000.0, writers: int | None = None, **payload: Any
) -> Result:
    """A run of fio on a pool, with 4 KiB writes; `payload` has columns of PoolIO."""
    submission = pool.submission
    columns = {
        "direction": "write",
        "block_size": 4096,
        "iops": iops,
        "throughput_bytes_s": 4096 * iops,
        **payload,
    }
    result = Result.objects.create(
        public_id=public_id_of(submission.public_id, position),
        submission=submission,
        position=position,
        pool=pool,
        method="fio_pool",
        pattern="random",
        writers=writers,
        is_complete=True,
        is_ranked=False,
        not_ranked_reason="pools aren’t ranked",
        ranking_unit=f"pool {pool.pk}",
        metrics={
            "pool_mib_s": 4096 * iops / 2**20,
            "pool_iops": iops,
            "pool_latency_us": (writers or 1) * 1e6 / iops,
        },
    )
    PoolIO.objects.create(result=result, **columns)
    return result


def make_set(submission: Submission, first: int = 2) -> Pool:
    """A pool with runs without and with a log device, at one thread and at four; positions from `first` on."""
    pool = Pool.objects.filter(submission=submission).first() or make_pool(submission=submission)
    runs = [("none", 1, 100), ("none", 4, 300), ("device", 1, 560), ("device", 4, 900)]
    for at, (log, writers, iops) in enumerate(runs, first):
        make_workload(
            pool,
            at,
            iops=iops,
            writers=writers if writers > 1 else None,
            log=log,
            sync_mode="always",
            each_synced=True,
        )
    return pool


def rank_everything() -> None:
    """Every row and every board as they come out of `manage.py rank`."""
    for _ in medians.rank_everything():
        pass


def place_waiting() -> None:
    """Place the boards that are dirty, until none is."""
    while waiting := dirty_boards():
        for board in waiting:
            place_board(board)


def _taken(values: dict[str, Any], prefix: str) -> dict[str, Any]:
    """The values whose names begin with `prefix`, without it; they are no longer in `values`."""
    return {name.removeprefix(prefix): values.pop(name) for name in list(values) if name.startswith(prefix)}
