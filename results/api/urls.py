"""Every address of the API, top to bottom."""

from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView

from results.api.classes import Bands, Classes
from results.api.compare import Comparison
from results.api.devices import DeviceDetail, DeviceFirmware, DeviceList
from results.api.leaderboard import Leaderboard
from results.api.own import Claims, Me, OwnSubmissionList, Restore, Withdraw
from results.api.parse import Parse
from results.api.products import ProductDetail, ProductList
from results.api.results import Reports, ResultDetail, ResultList
from results.api.search import Search
from results.api.submissions import SubmissionDetail, SubmissionList
from results.core.public import public_page

urlpatterns = [
    path("compare/", public_page(Comparison.as_view()), name="api-compare"),
    path("devices/", public_page(DeviceList.as_view()), name="api-devices"),
    path("devices/<slug:slug>/", public_page(DeviceDetail.as_view()), name="api-device"),
    path("devices/<slug:slug>/firmware/", public_page(DeviceFirmware.as_view()), name="api-device-firmware"),
    path("products/", public_page(ProductList.as_view()), name="api-products"),
    path("products/<slug:slug>/", public_page(ProductDetail.as_view()), name="api-product"),
    path("leaderboard/", public_page(Leaderboard.as_view()), name="api-leaderboard"),
    path("search/", public_page(Search.as_view()), name="api-search"),
    path("classes/", public_page(Classes.as_view()), name="api-classes"),
    path("bands/", public_page(Bands.as_view()), name="api-bands"),
    path("results/", public_page(ResultList.as_view()), name="api-results"),
    path("results/<slug:public_id>/", public_page(ResultDetail.as_view()), name="api-result"),
    path("results/<slug:public_id>/reports/", Reports.as_view(), name="api-reports"),
    path("submissions/", SubmissionList.as_view(), name="api-submissions"),
    path("submissions/<slug:public_id>/", public_page(SubmissionDetail.as_view()), name="api-submission"),
    path("submissions/<slug:public_id>/withdraw/", Withdraw.as_view(), name="api-withdraw"),
    path("submissions/<slug:public_id>/restore/", Restore.as_view(), name="api-restore"),
    path("claims/", Claims.as_view(), name="api-claims"),
    path("parse/", Parse.as_view(), name="api-parse"),
    path("me/", Me.as_view(), name="api-me"),
    path("me/submissions/", OwnSubmissionList.as_view(), name="api-own-submissions"),
    path("schema/", public_page(SpectacularJSONAPIView.as_view()), name="api-schema"),
]
