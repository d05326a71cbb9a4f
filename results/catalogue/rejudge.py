"""What a change of the catalogue leaves to be done: results were judged by what was known of their product."""

from collections.abc import Collection

from results.models import Result, Submission


def forget_judgement(device_ids: Collection[int]) -> None:
    """Note of the texts with a result of these devices that no version has read them.

    So `manage.py reread` finds them, should whoever reads them again at once be stopped.
    """
    of_devices = Result.objects.filter(device_id__in=list(device_ids)).values("submission")
    Submission.objects.filter(pk__in=of_devices).exclude(text="").update(parser_version="")
