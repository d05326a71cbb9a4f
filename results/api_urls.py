"""Every address of the API, top to bottom."""

from django.urls import path

from results.accounts.api import Claims, Me, OwnSubmissionList, Restore, Withdraw
from results.api.docs import Resources, Schema
from results.catalogue.api import PriceList, ProductDetail, ProductList
from results.compare.devices.api import Comparison
from results.compare.grids.api import CompareGrids, GridRemarks
from results.compare.results.api import PairComparison, PairList
from results.compare.sets.api import SetDetail, SetList
from results.core.public import public
from results.core.security.bodies import reads_texts
from results.devices.api import DeviceDetail, DeviceFirmware, DeviceList
from results.guide.patterns_api import AccessPatterns
from results.leaderboard.api import Leaderboard
from results.leaderboard.sustained_api import SustainedBoards
from results.leaderboard.workload_api import Workload
from results.moderation.api import Reports
from results.pools.api import PoolDetail, PoolList
from results.results.api import ResultDetail, ResultList
from results.search.api import Search
from results.shortlist.api import ShortlistEndpoint
from results.submissions.api.views import Parse, SubmissionDetail, SubmissionList
from results.survey.api import Bands, Classes
from results.traits.api import Traits
from results.used_drive.api import DriveCheck, Lookup
from results.used_drive.live_log.api import LogCheck

urlpatterns = [
    path("", public(Resources.as_view()), name="api-root"),
    path("compare/", public(Comparison.as_view()), name="api-compare"),
    path("compare/grids/", public(CompareGrids.as_view()), name="api-compare-grids"),
    path("compare/results/", public(PairComparison.as_view()), name="api-compare-results"),
    path("compare/sets/", public(SetList.as_view()), name="api-compare-sets"),
    path("compare/sets/<slug:public_id>/", public(SetDetail.as_view()), name="api-compare-set"),
    path("compare/pairs/", public(PairList.as_view()), name="api-compare-pairs"),
    path("devices/", public(DeviceList.as_view()), name="api-devices"),
    path("devices/<slug:slug>/", public(DeviceDetail.as_view()), name="api-device"),
    path("devices/<slug:slug>/firmware/", public(DeviceFirmware.as_view()), name="api-device-firmware"),
    path("pools/", public(PoolList.as_view()), name="api-pools"),
    path("pools/<slug:public_id>/", public(PoolDetail.as_view()), name="api-pool"),
    path("prices/", public(PriceList.as_view()), name="api-prices"),
    path("products/", public(ProductList.as_view()), name="api-products"),
    path("products/<slug:slug>/", public(ProductDetail.as_view()), name="api-product"),
    path("leaderboard/", public(Leaderboard.as_view()), name="api-leaderboard"),
    path("sustained/", public(SustainedBoards.as_view()), name="api-sustained"),
    path("traits/", public(Traits.as_view()), name="api-traits"),
    path("workload/", public(Workload.as_view()), name="api-workload"),
    path("search/", public(Search.as_view()), name="api-search"),
    path("lookup/", public(Lookup.as_view()), name="api-lookup"),
    path("drives/check/", reads_texts(DriveCheck.as_view()), name="api-drive-check"),
    path("check/", reads_texts(LogCheck.as_view()), name="api-check"),
    path("shortlist/", public(ShortlistEndpoint.as_view()), name="api-shortlist"),
    path("classes/", public(Classes.as_view()), name="api-classes"),
    path("access-patterns/", public(AccessPatterns.as_view()), name="api-access-patterns"),
    path("bands/", public(Bands.as_view()), name="api-bands"),
    path("grid-remarks/", public(GridRemarks.as_view()), name="api-grid-remarks"),
    path("results/", public(ResultList.as_view()), name="api-results"),
    path("results/<slug:public_id>/", public(ResultDetail.as_view()), name="api-result"),
    path("results/<slug:public_id>/reports/", Reports.as_view(), name="api-reports"),
    path("submissions/", reads_texts(SubmissionList.as_view()), name="api-submissions"),
    path("submissions/<slug:public_id>/", public(SubmissionDetail.as_view()), name="api-submission"),
    path("submissions/<slug:public_id>/withdraw/", Withdraw.as_view(), name="api-withdraw"),
    path("submissions/<slug:public_id>/restore/", Restore.as_view(), name="api-restore"),
    path("claims/", Claims.as_view(), name="api-claims"),
    path("parse/", reads_texts(Parse.as_view()), name="api-parse"),
    path("me/", Me.as_view(), name="api-me"),
    path("me/submissions/", OwnSubmissionList.as_view(), name="api-own-submissions"),
    path("schema/", public(Schema.as_view()), name="api-schema"),
]
