"""Products: what the catalogue says, with its sources, and the devices that are of one."""

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from results.api.rows import Row, absolute
from results.api.serializers import ProblemSerializer, ProductSerializer
from results.models import Product

_AS_THEY_ARE = (
    "slug",
    "name",
    "device_class",
    "segment",
    "media",
    "interface",
    "form_factors",
    "plp",
    "plp_statements",
    "endurance_years",
    "endurance_tbw",
    "endurance_source_url",
    "launch_year",
    "flags",
    "sources",
)


class ProductDetail(APIView):
    """One product line of the catalogue."""

    @extend_schema(responses={200: ProductSerializer, 404: ProblemSerializer})
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - a view gets its request
        product = Product.objects.select_related("vendor").filter(slug=slug).first()
        if product is None:
            raise Http404
        return Response(_record(product))


def _record(product: Product) -> Row:
    low, high = product.endurance_dwpd_low, product.endurance_dwpd_high
    devices = product.devices.order_by("model_name", "capacity_bytes")
    return {
        **{name: getattr(product, name) for name in _AS_THEY_ARE},
        "url": absolute(reverse("product", args=[product.slug])),
        "vendor": product.vendor.name,
        "endurance_dwpd_low": None if low is None else float(low),
        "endurance_dwpd_high": None if high is None else float(high),
        "devices": list(devices.values_list("slug", flat=True)),
    }
