import pytest
from django.db import IntegrityError, transaction

from results.models import AuditEntry
from results.models.choices import Action

pytestmark = pytest.mark.django_db


def test_the_audit_log_is_only_added_to():
    entry = AuditEntry.objects.create(actor_name="Mod", action=Action.HELD, submission="abc", reason="odd")
    with pytest.raises(IntegrityError), transaction.atomic():
        AuditEntry.objects.update(reason="never mind")
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.delete()
    assert AuditEntry.objects.get().reason == "odd"


def test_nothing_is_done_without_a_reason():
    with pytest.raises(IntegrityError):
        AuditEntry.objects.create(actor_name="Mod", action=Action.HELD, reason="")
