"""Which devices search engines may list: one anonymous paste can name hundreds of invented models."""

from django.db.models import CharField, Count, Exists, OuterRef, Q, Value
from django.db.models.functions import Cast, Coalesce, NullIf

from results.models import Device, DeviceRanking, Result
from results.models.device import DeviceQuerySet

_FROM_A_SOURCE = (
    Q(submission__survey_id__isnull=False)
    | Q(submission__batch__isnull=False)
    | Q(submission__is_approved=True)
)


def indexed_devices() -> DeviceQuerySet:
    """Devices of the catalogue, with a place, from a published source or a moderator, or by two senders."""
    published = Result.objects.published().filter(device=OuterRef("pk")).order_by()
    account = Cast("submission__owner", CharField())
    network = NullIf("submission__sender_digest", Value(""))
    senders = published.values("device").annotate(
        accounts=Count(Coalesce(account, network), distinct=True),
        networks=Count(Coalesce(network, account), distinct=True),
    )
    by_several = senders.filter(accounts__gt=1, networks__gt=1)
    return Device.objects.shown().filter(
        Q(product__isnull=False)
        | Exists(DeviceRanking.objects.filter(device=OuterRef("pk")))
        | Exists(published.filter(_FROM_A_SOURCE))
        | Exists(by_several)
    )


def is_indexed(device: Device) -> bool:
    """The same for one device; a query unless it has a product."""
    return device.product_id is not None or indexed_devices().filter(pk=device.pk).exists()
