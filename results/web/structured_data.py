"""schema.org as JSON-LD: what a page is about, for search engines. No ratings and no prices: there are none."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.utils.html import json_script
from django.utils.safestring import SafeString, mark_safe

from results.addresses import address
from results.exports.build import FILES, LICENCE_URL, ExportFile
from results.models import Product
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.ranking.score import throughput_mib_s
from results.web.figures import Figures
from results.web.safety import endurance_context, plp_badge
from results.web.share import full_url

_CONTEXT = "https://schema.org"
_PLP = "Power-loss protection"
_MICROSECONDS = {"unitText": "µs"}


def json_ld(data: dict[str, Any]) -> SafeString:
    """The data in a script element that nothing runs; `<`, `>` and `&` in it are escapes, as in json_script."""
    plain = json_script({"@context": _CONTEXT, **data})
    return mark_safe(plain.replace('type="application/json"', 'type="application/ld+json"', 1))  # noqa: S308 - escaped there


def dataset(*, result_count: int, modified: date | None) -> SafeString:
    """All results as a data set; `modified` is the day on which it changed, where that is known."""
    known = {"dateModified": modified.isoformat()} if modified else {}
    return json_ld(
        {
            "@type": "Dataset",
            "name": "slogdb: measured synchronous write latency of SLOG devices",
            "description": "What one synchronous write and its flush take on storage devices, by block size from "
            "512 B to 8 MiB, measured by their owners with diskinfo -wS or fio, with the masked text of every run. "
            f"{result_count:,} published results.",
            "url": full_url(address("exports")),
            "license": LICENCE_URL,
            "isAccessibleForFree": True,
            "creator": {"@type": "Organization", "name": "slogdb", "url": full_url(address("home"))},
            "measurementTechnique": ["diskinfo -wS", "fio with a flush after each write"],
            "variableMeasured": [
                {"@type": "PropertyValue", "name": "latency of a write and its flush", **_MICROSECONDS},
                {"@type": "PropertyValue", "name": "throughput", "unitText": "MiB/s"},
            ],
            "distribution": [_download(file) for file in FILES],
            **known,
        }
    )


def device_product(figures: Figures) -> SafeString:
    """A device as a product, with what was measured of it and what the catalogue says."""
    device = figures.device
    return json_ld(
        {
            "@type": "Product",
            "name": figures.name,
            "model": device.model_name,
            "category": figures.class_label,
            "url": full_url(device.get_absolute_url()),
            "image": full_url(address("device-preview", device.slug)),
            **_brand(device.vendor),
            "additionalProperty": [
                *_measured(figures),
                _property(_PLP, figures.protection["label"]),
            ],
        }
    )


def catalogue_product(product: Product) -> SafeString:
    """A line of the catalogue as a product."""
    endurance = endurance_context(product)
    stated = {
        _PLP: plp_badge(product.plp)["label"],
        "Media": product.media,
        "Interface": product.interface,
        "Form factors": product.form_factors,
        "Rated drive writes": endurance["drive_writes"] if endurance else "",
    }
    return json_ld(
        {
            "@type": "Product",
            "name": product.full_name,
            "category": product.get_device_class_display(),
            "url": full_url(product.get_absolute_url()),
            **_brand(product.vendor.name),
            "additionalProperty": [_property(name, value) for name, value in stated.items() if value],
        }
    )


def _brand(name: str) -> dict[str, Any]:
    return {"brand": {"@type": "Brand", "name": name}} if name else {}


def _download(file: ExportFile) -> dict[str, str]:
    url = full_url(address("export-file", file.name))
    return {
        "@type": "DataDownload",
        "name": file.what,
        "contentUrl": url,
        "encodingFormat": file.content_type,
    }


def _property(name: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"@type": "PropertyValue", "name": name, "value": value, **more}


def _measured(figures: Figures) -> Sequence[dict[str, Any]]:
    """Nothing for a device of which nothing counts."""
    ranking = figures.ranking
    if ranking is None:
        return []
    ends = {"minValue": round(ranking.low_us, 2), "maxValue": round(ranking.high_us, 2)}
    latency_128k = ranking.median_us[SLOT_OF_BLOCK_SIZE[131072]]
    rate = [] if latency_128k is None else [throughput_mib_s(131072, latency_128k)]
    return [
        _property(figures.metric, round(ranking.score_us, 2), **ends, **_MICROSECONDS),
        *(_property("128 KiB throughput", round(one, 1), unitText="MiB/s") for one in rate),
        _property("Rank in its class", figures.rank_text),
        _property("Units measured", ranking.unit_count),
    ]
