import pytest

from results.ranking.protected import count_products_by_plp, fastest_protected
from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db


def test_only_protected_devices_count_the_surest_first():
    statements = [{"value": "yes", "evidence": "data_sheet", "url": "https://a.example/"}]
    product = make_product(plp="yes", plp_statements=statements)
    for name, latency_us in [("slow", 90), ("fast", 20)]:
        make_result(latency_us, device=make_device(model_name=name, product=product))
    make_result(1, device=make_device(model_name="unknown", product=make_product()))
    make_result(1, device=make_device(model_name="in no catalogue"))
    rank_everything()
    assert [device.model_name for device in fastest_protected(5)] == ["fast", "slow"]
    assert [device.model_name for device in fastest_protected(1)] == ["fast"]
    assert count_products_by_plp() == {"yes": 1, "unknown": 1}
