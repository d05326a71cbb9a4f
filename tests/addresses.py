"""The addresses of the site by status, and a small site that has them."""

from results.models import ImportBatch, Member
from tests import pastes
from tests.factories import (
    make_device,
    make_facts,
    make_grid,
    make_member,
    make_price_report,
    make_result,
    make_set,
    make_stated_product,
    make_submission,
    rank_everything,
)

PUBLIC = {
    200: """
        / /?all=1&q=sample /leaderboard/ /leaderboard/?class=nvme /leaderboard/?class=nvme&method=fio
        /leaderboard/?sort=-latency_4k /leaderboard/?sort=n_units&view=table&scale=linear /leaderboard/?plp=protected
        /leaderboard/?min_units=2&capacity=256gb-1tb&interface=pcie&form=card&plp=protected&segment=enterprise
        /search/ /search/?q=nothing-like-it /shortlist/
        /shortlist/?link_gbit=10&gb_per_day=500&years=7&mirror=1&budget=300&currency=EUR&condition=used&platform=linux
        /shortlist/?mib_s=500&form_factor=m2-2280&plp=any
        /preview.png /leaderboard.csv /leaderboard.md /leaderboard.bbcode /leaderboard/preview.png
        /devices/other/ /products/sample/480-gb/ /devices/sample/chart.svg
        /devices/sample/badge.svg /devices/sample/preview.png
        /compare/grids/ /compare/grids/?results=grid&operation=read
        /api/v1/compare/grids/?results=grid /api/v1/grid-remarks/
        /compare/results/ /compare/results/?a=sample&b=other /compare/results/preview.png?a=sample&b=other
        /api/v1/compare/results/?a=sample&b=other
        /compare/sets/ /compare/sets/sample/ /compare/sets/sdc-2018/ /compare/sets/chosen/
        /compare/sets/chosen/?results=sample-2,sample-4 /compare/sets/sample/chart.png
        /compare/sets/sample/preview.png
        /api/v1/compare/sets/ /api/v1/compare/sets/sample/ /api/v1/compare/sets/chosen/?results=sample-2,sample-4
        /api/v1/compare/pairs/ /api/v1/compare/pairs/?change=log_device
        /results/ /results/?kind=latency_curve&method=fio&class=nvme&before=sample
        /products/ /products/?class=nvme&plp=protected&evidence=data_sheet&interface=pcie&form=m2&measured=yes
        /products/?q=sample&dwpd=0.3&price=99.5&currency=EUR&end_of_sale=none&sort=price /products/?sort=name
        /products/sample/ /results/sample/ /results/sample/report/ /results/sample/chart.svg
        /results/sample/chart.png
        /results/sample/preview.png /compare/ /compare/?devices=sample,other
        /compare/?devices=sample,other&baseline=other /compare/chart.svg?devices=sample,other
        /compare/preview.png?devices=sample,other
        /submit/ /used-drive/ /submit/commands/ /slogdb-submit /survey/ /survey/chart.svg /about/
        /sustained/ /workload/ /workload/?mix=4k%3A1 /traits/ /traits/?products=sample
        /guide/ /guide/do-i-need-one/ /guide/how-big/ /guide/how-long-does-it-last/ /guide/what-is-a-slog/
        /guide/what-makes-a-good-one/ /guide/how-the-test-works/ /exports/
        /feeds/pairs.atom /feeds/sets.atom
        /feeds/results.atom /feeds/results.atom?class=nvme /feeds/results.atom?device=sample
        /oembed?url=http://127.0.0.1:8000/devices/sample/ /oembed?url=http://127.0.0.1:8000/results/sample/&format=json
        /robots.txt /sitemap.xml /sitemap-pages.xml /sitemap-devices-1.xml /sitemap-results-1.xml
        /sitemap-pools-1.xml /pools/sample/ /api/v1/pools/ /api/v1/pools/sample/
        /.well-known/security.txt /healthz /readyz /metrics /account/login/ /account/signup/
        /api/v1/ /api/v1/docs/ /api/v1/schema/ /api/v1/compare/?devices=sample,other /api/v1/devices/
        /api/v1/devices/sample/ /api/v1/devices/sample/firmware/ /api/v1/products/ /api/v1/products/sample/
        /api/v1/leaderboard/ /api/v1/leaderboard/?class=nvme&ordering=-latency_4k_us /api/v1/search/?q=sample
        /api/v1/sustained/ /api/v1/workload/?mix=4k%3A1 /api/v1/traits/
        /api/v1/traits/?products=sample
        /api/v1/shortlist/ /api/v1/shortlist/?link_gbit=10&budget=300&fields=count,on_paper
        /api/v1/access-patterns/ /guide/access-patterns/
        /api/v1/classes/ /api/v1/bands/ /api/v1/results/ /api/v1/results/?device=sample&fields=id,latency_curve
        /api/v1/results/sample/ /api/v1/submissions/sample/
    """,
    301: "/devices/sample/ /products/sample/1-tb/sample/",
    302: """
        /account/ /account/results/ /account/results/sample/ /account/claim/ /account/keys/ /account/data/
        /account/data/slogdb-my-data.zip /account/2fa/ /account/sessions/ /account/email/ /account/password/change/
        /account/password/set/
        /moderation/ /moderation/import/ /moderation/imports/ /moderation/log/ /moderation/sample/
        /moderation/devices/sample/ /operator/ /admin/
        /account/results/sample/withdraw/ /account/results/sample/restore/ /account/results/sample/erase/
        /account/results/sample/forget-unit/ /account/results/sample/name/ /account/claim/here/
        /account/keys/1/revoke/ /account/prices/ /account/prices/1/delete/ /products/sample/price/
        /leaderboard/?protected=1 /leaderboard/?q=sample&page=1 /products/?q=&class= /products/?sort=protected
        /shortlist/?budget=&plp=protected
    """,
    400: """
        /leaderboard/?class=none /leaderboard/?page=0 /devices/other/?chart=none /products/sample/?chart=none
        /oembed /api/v1/leaderboard/?none=1
        /products/?class=none /products/?price=0 /products/?dwpd=much /api/v1/compare/ /api/v1/search/
        /search/?q=%00 /shortlist/?link_gbit=9 /shortlist/?budget=much /shortlist/?link_gbit=10&mib_s=5
        /api/v1/shortlist/?link_gbit=9 /api/v1/shortlist/?budgets=300 /api/v1/shortlist/?years= /api/v1/workload/
    """,
    401: "/api/v1/me/ /api/v1/me/submissions/",
    404: """
        /compare/sets/none/ /compare/sets/none/chart.png /compare/sets/none/preview.png /api/v1/compare/sets/none/
        /nowhere/ /devices/none/ /results/none/ /pools/none/ /api/v1/pools/none/
        /products/none/ /products/none/480-gb/ /products/sample/1-tb/ /products/sample/480-gb/none/
        /guide/none/ /exports/none.csv /leaderboard.pdf
        /leaderboard/?page=99 /sitemap-devices-9.xml /feeds/results.atom?device=none /api/v1/nowhere/
        /account/oidc/none/login/
        /products/?page=99 /api/v1/devices/none/ /api/v1/results/none/ /api/v1/submissions/none/
        /api/v1/products/none/ /devices/none/badge.svg
    """,
    405: """
        /api/v1/submissions/ /api/v1/parse/ /api/v1/claims/ /api/v1/results/sample/reports/
        /api/v1/submissions/sample/withdraw/ /api/v1/submissions/sample/restore/
    """,
}
OF_MODERATORS = (
    "/moderation/ /moderation/import/ /moderation/imports/ /moderation/imports/{batch}/ /moderation/log/ "
    "/moderation/sample/ /moderation/devices/sample/ /moderation/members/{member}/ /moderation/prices/{price}/"
)
OF_MEMBERS = """
    /account/ /account/results/ /account/results/sample/ /account/keys/ /account/data/
    /account/data/slogdb-my-data.zip /account/reauthenticate/code/ /account/prices/ /products/sample/price/
"""
OF_ACCOUNTS = """
    /account/logout/ /account/email/ /account/password/change/ /account/2fa/ /account/2fa/webauthn/ /account/sessions/
    /account/3rdparty/ /account/password/reset/ /account/password/reset/done/
"""


def store_sample() -> Member:
    """What the addresses name, ranked; returns the owner of the submission `sample`."""
    owner = make_member()
    make_result(
        90,
        device=make_device(
            slug="other", model_name="Other disk", capacity_bytes=960_000_000_000, device_class="hdd"
        ),
        submission__public_id="other",
    )
    product = make_stated_product("yes", slug="sample", name="S1", patterns=["^ALDERA S1-"])
    make_facts(product)
    sample = make_result(
        device=make_device(slug="sample", model_name="ALDERA S1-480", product=product),
        submission=make_submission(public_id="sample", owner=owner, text=pastes.FIRST_PASTE),
        first_line=2,
        last_line=25,
        firmware__version="1.0",
        flags=[{"code": "cached_disk", "effect": "noted", "message": "Not the disk alone."}],
    )
    make_result(30, device=sample.device, firmware__version="2.0", not_ranked_reason="Too fast.")
    make_result(21, device__slug="close", device__model_name="Close SSD")
    make_submission(public_id="withdrawn", state="withdrawn", state_reason="By mistake.")
    make_set(sample.submission)
    make_price_report(product, owner)
    make_grid("grid")
    make_submission(batch=ImportBatch.objects.create(title="An old thread"), forum_handle="ann")
    rank_everything()
    return owner


def named_of_moderators(owner: Member) -> list[str]:
    """OF_MODERATORS with the member, price and import that the sample has."""
    batch = ImportBatch.objects.get()
    price = owner.price_reports.get()
    return OF_MODERATORS.format(member=owner.pk, price=price.pk, batch=batch.pk).split()
