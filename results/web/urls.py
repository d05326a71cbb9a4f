"""Every page of the site, top to bottom."""

from django.urls import path

from results.web.about import about
from results.web.api_docs import api_docs
from results.web.device import device
from results.web.health import healthz
from results.web.home import home
from results.web.leaderboard import leaderboard
from results.web.product import product
from results.web.result import result
from results.web.submit import submit
from results.web.survey import survey

urlpatterns = [
    path("", home, name="home"),
    path("leaderboard/", leaderboard, name="leaderboard"),
    path("devices/<slug:slug>/", device, name="device"),
    path("products/<slug:slug>/", product, name="product"),
    path("results/<slug:public_id>/", result, name="result"),
    path("submit/", submit, name="submit"),
    path("survey/", survey, name="survey"),
    path("about/", about, name="about"),
    path("api/v1/docs/", api_docs, name="api-docs"),
    path("healthz", healthz, name="healthz"),
]
