"""Every page of the site, top to bottom."""

from django.conf import settings
from django.urls import path, re_path

from results.accounts.data import account_archive, account_data
from results.accounts.page import account, account_key_revoke, account_keys
from results.accounts.results_page import (
    STEPS,
    account_claim,
    account_claim_carried,
    account_name,
    account_result,
    account_results,
    account_step,
)
from results.accounts.sign_in import CODE_PAGE
from results.accounts.step_up import mailed_code
from results.api.docs import api_docs
from results.catalogue.product_list_page import products
from results.compare.devices.page import compare
from results.compare.grids.page import compare_grids_page
from results.compare.results.page import compare_results
from results.compare.sets.page import compare_set, set_picture, set_preview, sets
from results.design.page import design
from results.devices.page import device, drive, product
from results.embeds.feeds import feed, pair_feed, price_feed, product_feed, set_feed
from results.embeds.images import (
    compare_chart,
    device_badge,
    device_chart,
    pair_badge,
    product_badge,
    result_chart,
    result_picture,
    survey_chart,
)
from results.embeds.machines import api_catalog, llms_txt
from results.embeds.oembed import oembed
from results.embeds.previews import (
    compare_preview,
    compare_results_preview,
    device_preview,
    home_preview,
    leaderboard_preview,
    result_preview,
)
from results.embeds.sitemap import robots, sitemap, sitemap_pages, sitemap_slice
from results.exports.page import export_file, exports
from results.guide.lifetime import guide_lifetime
from results.guide.method import about
from results.guide.need import guide_need
from results.guide.page import guide, guide_page
from results.guide.size import guide_size
from results.home.page import home
from results.imports.page import moderation_import
from results.leaderboard.export import leaderboard_csv, leaderboard_export, sustained_csv, workload_csv
from results.leaderboard.page import leaderboard
from results.leaderboard.sustained import sustained
from results.leaderboard.workload import workload
from results.moderation.devices import moderation_device
from results.moderation.imports import moderation_import_batch, moderation_imports
from results.moderation.page import moderation, moderation_item, moderation_log, moderation_member
from results.moderation.prices import account_price_delete, account_prices, moderation_price, product_price
from results.moderation.reports import report
from results.operations.health import healthz, readyz
from results.operations.page import operator
from results.operations.security_txt import security_txt
from results.pools.page import pool
from results.results.list_page import results
from results.results.page import result
from results.search.page import search
from results.shortlist.page import shortlist
from results.submissions.form.commands import commands
from results.submissions.form.page import submit
from results.submissions.submitter import submitter
from results.survey.page import survey
from results.traits.page import traits
from results.used_drive.live_log.page import check
from results.used_drive.page import used_drive

urlpatterns = [
    path("", home, name="home"),
    path("preview.png", home_preview, name="home-preview"),
    path("shortlist/", shortlist, name="shortlist"),
    path("used-drive/", used_drive, name="used-drive"),
    path("check/", check, name="check"),
    path("leaderboard/", leaderboard, name="leaderboard"),
    path("leaderboard.csv", leaderboard_csv, name="leaderboard-csv"),
    path("leaderboard.<slug:kind>", leaderboard_export, name="leaderboard-export"),
    path("search/", search, name="search"),
    path("devices/<slug:slug>/", device, name="device"),
    path("devices/<slug:slug>/chart.svg", device_chart, name="device-chart"),
    path("devices/<slug:slug>/badge.svg", device_badge, name="device-badge"),
    path("devices/<slug:slug>/badge.json", device_badge, {"is_json": True}, name="device-badge-json"),
    path("devices/<slug:slug>/preview.png", device_preview, name="device-preview"),
    path("pools/<slug:public_id>/", pool, name="pool"),
    path("products/", products, name="products"),
    path("products/<slug:slug>/", product, name="product"),
    path("products/<slug:slug>/badge.svg", product_badge, name="product-badge"),
    path("products/<slug:slug>/badge.json", product_badge, {"is_json": True}, name="product-badge-json"),
    path("products/<slug:slug>/price/", product_price, name="product-price"),
    path("products/<slug:slug>/<slug:capacity>/", drive, name="drive"),
    path("products/<slug:slug>/<slug:capacity>/<slug:part>/", drive, name="part"),
    path("compare/grids/", compare_grids_page, name="compare-grids"),
    path("compare/results/", compare_results, name="compare-results"),
    path("compare/results/preview.png", compare_results_preview, name="compare-results-preview"),
    path("compare/results/badge.svg", pair_badge, name="pair-badge"),
    path("compare/results/badge.json", pair_badge, {"is_json": True}, name="pair-badge-json"),
    path("compare/sets/", sets, name="compare-sets"),
    path("compare/sets/<slug:public_id>/", compare_set, name="compare-set"),
    path("compare/sets/<slug:public_id>/chart.png", set_picture, name="compare-set-picture"),
    path("compare/sets/<slug:public_id>/preview.png", set_preview, name="compare-set-preview"),
    path("results/", results, name="results"),
    path("results/<slug:public_id>/", result, name="result"),
    path("results/<slug:public_id>/report/", report, name="report"),
    path("results/<slug:public_id>/chart.svg", result_chart, name="result-chart"),
    path("results/<slug:public_id>/chart.png", result_picture, name="result-picture"),
    path("results/<slug:public_id>/preview.png", result_preview, name="result-preview"),
    path("leaderboard/preview.png", leaderboard_preview, name="leaderboard-preview"),
    path("compare/", compare, name="compare"),
    path("compare/chart.svg", compare_chart, name="compare-chart"),
    path("compare/preview.png", compare_preview, name="compare-preview"),
    path("sustained/", sustained, name="sustained"),
    path("sustained.csv", sustained_csv, name="sustained-csv"),
    path("survey/", survey, name="survey"),
    path("survey/chart.svg", survey_chart, name="survey-chart"),
    path("about/", about, name="about"),
    path("workload/", workload, name="workload"),
    path("workload.csv", workload_csv, name="workload-csv"),
    path("traits/", traits, name="traits"),
    path("guide/", guide, name="guide"),
    path("guide/do-i-need-one/", guide_need, name="guide-need"),
    path("guide/how-big/", guide_size, name="guide-size"),
    path("guide/how-long-does-it-last/", guide_lifetime, name="guide-lifetime"),
    path("guide/<slug:slug>/", guide_page, name="guide-page"),
    path("submit/", submit, name="submit"),
    path("submit/commands/", commands, name="commands"),
    path("exports/", exports, name="exports"),
    path("exports/<str:name>", export_file, name="export-file"),
    path("account/", account, name="account"),
    path("account/results/", account_results, name="account-results"),
    path("account/results/<slug:public_id>/", account_result, name="account-result"),
    *(
        path(
            f"account/results/<slug:public_id>/{step}/", account_step, {"step": step}, name=f"account-{step}"
        )
        for step in STEPS
    ),
    path("moderation/", moderation, name="moderation"),
    path("moderation/import/", moderation_import, name="moderation-import"),
    path("moderation/imports/", moderation_imports, name="moderation-imports"),
    path("moderation/imports/<int:batch_id>/", moderation_import_batch, name="moderation-import-batch"),
    path("moderation/log/", moderation_log, name="moderation-log"),
    path("moderation/devices/<slug:slug>/", moderation_device, name="moderation-device"),
    path("moderation/members/<int:member_id>/", moderation_member, name="moderation-member"),
    path("moderation/prices/<int:price_id>/", moderation_price, name="moderation-price"),
    path("moderation/<slug:public_id>/", moderation_item, name="moderation-item"),
    path("account/claim/", account_claim, name="account-claim"),
    path("account/claim/here/", account_claim_carried, name="account-claim-carried"),
    path("account/results/<slug:public_id>/name/", account_name, name="account-name"),
    path("account/prices/", account_prices, name="account-prices"),
    path("account/prices/<int:price_id>/delete/", account_price_delete, name="account-price-delete"),
    path("account/keys/", account_keys, name="account-keys"),
    path("account/keys/<int:key_id>/revoke/", account_key_revoke, name="account-key-revoke"),
    path("account/reauthenticate/code/", mailed_code, name=CODE_PAGE),
    path("account/data/", account_data, name="account-data"),
    path("account/data/slogdb-my-data.zip", account_archive, name="account-archive"),
    path("api/v1/docs/", api_docs, name="api-docs"),
    path("slogdb-submit", submitter, name="submitter"),
    path("feeds/results.atom", feed, name="feed"),
    path("feeds/products.atom", product_feed, name="product-feed"),
    path("feeds/prices.atom", price_feed, name="price-feed"),
    path("feeds/pairs.atom", pair_feed, name="pair-feed"),
    path("feeds/sets.atom", set_feed, name="set-feed"),
    path("oembed", oembed, name="oembed"),
    path("robots.txt", robots, name="robots"),
    path("llms.txt", llms_txt, name="llms-txt"),
    path(".well-known/api-catalog", api_catalog, name="api-catalog"),
    path(".well-known/security.txt", security_txt, name="security-txt"),
    path("sitemap.xml", sitemap, name="sitemap"),
    path("sitemap-pages.xml", sitemap_pages, name="sitemap-pages"),
    re_path(r"^sitemap-(devices|pools|results)-([1-9][0-9]{0,5})\.xml$", sitemap_slice, name="sitemap-slice"),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("operator/", operator, name="operator"),
]

if settings.DEBUG:
    urlpatterns.append(path("design/", design, name="design"))
