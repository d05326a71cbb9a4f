"""Every address of the API, top to bottom."""

from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView

from results.api.devices import DeviceDetail, DeviceList
from results.api.leaderboard import Leaderboard
from results.api.products import ProductDetail
from results.api.results import ResultDetail, ResultList
from results.api.submissions import SubmissionList
from results.public import public_page

urlpatterns = [
    path("devices/", public_page(DeviceList.as_view()), name="api-devices"),
    path("devices/<slug:slug>/", public_page(DeviceDetail.as_view()), name="api-device"),
    path("leaderboard/", public_page(Leaderboard.as_view()), name="api-leaderboard"),
    path("products/<slug:slug>/", public_page(ProductDetail.as_view()), name="api-product"),
    path("results/", public_page(ResultList.as_view()), name="api-results"),
    path("results/<slug:public_id>/", public_page(ResultDetail.as_view()), name="api-result"),
    path("submissions/", SubmissionList.as_view(), name="api-submissions"),
    path("schema/", SpectacularJSONAPIView.as_view(), name="api-schema"),
]
