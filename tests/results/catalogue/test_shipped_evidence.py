"""The sources that ship for power-loss protection, as pages cite them: the better evidence first."""

import pytest

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped")]


@pytest.mark.parametrize("slug", ["intel-optane-p1600x", "intel-optane-p4801x"])
def test_openzfs_is_cited_before_a_personal_page(client, slug):
    _, _, section = client.get(f"/products/{slug}/").text.partition('<h3 id="safety">')
    assert -1 < section.find("openzfs-docs on GitHub") < section.find("gessel.blackrosetech.com")


def test_a_makers_document_is_cited_before_openzfs(client):
    _, _, section = client.get("/products/intel-750/").text.partition('<h3 id="safety">')
    assert -1 < section.find("data sheet or manual") < section.find("OpenZFS hardware list")
