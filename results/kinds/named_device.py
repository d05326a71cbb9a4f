"""A device that a sender names, by its slug or by words of its name."""

from results.core.addresses import address
from results.core.formats import format_device
from results.models import Device

SHOWN_MATCHES = 5


def clean_device(text: str) -> str:
    """The slug of the only measured device with this slug or name; raises ValueError."""
    if "\0" in text:
        raise ValueError("We don’t know this device.")
    shown = Device.objects.shown()
    if shown.filter(slug=text.lower()).exists():
        return text.lower()
    found = shown.all()
    for word in text.split():
        found = found.filter(searched__icontains=word)
    names = list(
        found.order_by("model_name", "capacity_bytes").values_list("slug", "model_name", "capacity_bytes")[
            : SHOWN_MATCHES + 1
        ]
    )
    if len(names) == 1:
        return str(names[0][0])
    if not names:
        raise ValueError(
            "Nobody has measured a device by this name yet. Leave this empty, or check the spelling."
        )
    listed = "; ".join(f"{slug} ({format_device(name, size)})" for slug, name, size in names[:SHOWN_MATCHES])
    more = " and more" if len(names) > SHOWN_MATCHES else ""
    raise ValueError(f"Several devices match. Enter one of: {listed}{more}.")


def device_url(slug: str) -> str:
    """The address of the device's page; "" for no device."""
    return address("device", slug) if slug else ""


def device_label(slug: str) -> str:
    """The name of the device with this slug; the slug where there is none."""
    device = Device.objects.filter(slug=slug).values_list("model_name", "capacity_bytes").first()
    return format_device(*device) if device else slug
