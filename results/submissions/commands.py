"""The command builder: system and disk name first, then the check, then the test itself after confirmation."""

from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from parsers.base.device_class import DeviceClass
from parsers.fio.slog import LADDER_BYTES, LADDER_WRITERS, SECONDS_A_RUNG, SECONDS_A_SIZE
from results.core.drive_names import drive_name
from results.core.forms import CheckedField
from results.core.public import public_page
from results.kinds.file_grid.commands import EXAMPLE_MEMORY_GIB, MOST_MEMORY_GIB, grid_commands
from results.kinds.file_sync.commands import EXAMPLE_FOLDER, LONGEST_FOLDER, commands_in
from results.kinds.free_disk import System
from results.kinds.latency_curve.commands import (
    LONGEST_NAME,
    DiskNameError,
    commands_for,
    example_names,
    smartctl_name,
    whole_disk,
)
from results.kinds.pool_io.commands import (
    EXAMPLE_POOL,
    LONGEST_LOG,
    LONGEST_POOL,
    USUAL_MEMORY_GIB,
    Step,
    clean_log,
    clean_pool,
    commands_for_pool,
    run_seconds,
)
from results.kinds.sustained.commands import collect_command, hour_command, saved_as
from results.models import Product

SYSTEM_CHOICES = [
    (System.FREEBSD.value, "FreeBSD, TrueNAS CORE"),
    (System.LINUX.value, "Linux, TrueNAS SCALE"),
]


class CommandForm(forms.Form):
    """The system and the disk; `sure` confirms that the disk may be overwritten."""

    system = forms.ChoiceField(
        label="System",
        choices=SYSTEM_CHOICES,
        error_messages={"required": "Choose the operating system."},
    )
    disk = forms.CharField(label="Disk", required=False)
    sure = forms.BooleanField(required=False)

    def clean_disk(self) -> str:
        """The name without /dev/; unchanged for an unknown system."""
        text: str = self.cleaned_data["disk"]
        system = self.cleaned_data.get("system")
        if system is None:
            return text[:LONGEST_NAME]
        try:
            return whole_disk(System(system), text)
        except DiskNameError as error:
            raise forms.ValidationError(str(error)) from error


class FolderForm(forms.Form):
    """A folder on the file system to be measured."""

    folder = CheckedField(lambda text: commands_in(text or EXAMPLE_FOLDER))  # cleans to the commands for it
    memory = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_MEMORY_GIB,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), f"Enter the memory in GiB, from 1 to {MOST_MEMORY_GIB:,}."
        ),
    )


class PoolForm(forms.Form):
    """A pool to be measured, its log device if it has one, and the machine’s memory."""

    pool = CheckedField(lambda text: clean_pool(text or EXAMPLE_POOL))
    log = CheckedField(clean_log)
    memory = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_MEMORY_GIB,
        error_messages={"invalid": "Enter the machine’s memory in whole GiB."},
    )


@public_page(CommandForm, FolderForm, PoolForm, "product")
def commands(request: HttpRequest) -> HttpResponse:
    folder, pool = FolderForm(request.GET), PoolForm(request.GET)
    is_asked = bool(request.GET.keys() & CommandForm.base_fields.keys())  # the other forms don't submit it
    form = CommandForm(request.GET) if is_asked and folder.is_valid() else CommandForm()
    context = builder_context(form, _product(request)) | _folder_context(folder) | _pool_context(pool)
    is_refused = not folder.is_valid() or not pool.is_valid() or (form.is_bound and not form.is_valid())
    return render(request, "results/submissions/commands.html", context, status=400 if is_refused else 200)


def _product(request: HttpRequest) -> Product | None:
    """The product to measure, for its name and the usual names of such disks."""
    slug = request.GET.get("product", "").replace("\0", "")
    return get_object_or_404(Product.objects.select_related("vendor"), slug=slug) if slug else None


def _folder_context(form: FolderForm) -> dict[str, Any]:
    is_valid = form.is_valid()
    folder = (form["folder"].value() or EXAMPLE_FOLDER)[:LONGEST_FOLDER]
    memory = form.cleaned_data.get("memory") or EXAMPLE_MEMORY_GIB
    return {
        "folder": folder,
        "folder_errors": form.errors.get("folder", []),
        "file_commands": form.cleaned_data.get("folder", ()),
        "memory": (form["memory"].value() or str(EXAMPLE_MEMORY_GIB))[:LONGEST_NAME],
        "memory_errors": form.errors.get("memory", []),
        "grid_commands": grid_commands(folder, memory) if is_valid else (),
    }


def _pool_context(form: PoolForm) -> dict[str, Any]:
    steps: tuple[Step, ...] = ()
    if form.is_valid():
        values = form.cleaned_data
        steps = commands_for_pool(values["pool"], values["log"], values["memory"] or USUAL_MEMORY_GIB)
    return {
        "pool_form": {
            "pool": (form["pool"].value() or EXAMPLE_POOL)[:LONGEST_POOL],
            "log": (form["log"].value() or "")[:LONGEST_LOG],
            "memory": (form["memory"].value() or str(USUAL_MEMORY_GIB))[:6],
            "faults": [str(error) for errors in form.errors.values() for error in errors],
        },
        "pool_steps": steps,
        "pool_minutes": run_seconds() // 60,
    }


def builder_context(form: CommandForm, product: Product | None = None) -> dict[str, Any]:
    """The context of templates/results/submissions/command_builder.html, with commands if a disk is named."""
    chosen = form["system"].value() or ""
    builder: dict[str, Any] = {
        "systems": [
            {"value": value, "label": label, "is_chosen": value == chosen} for value, label in SYSTEM_CHOICES
        ],
        "system": chosen,
        "disk": (form["disk"].value() or "")[:LONGEST_NAME],
        "system_errors": form.errors.get("system", []),
        "disk_errors": form.errors.get("disk", []),
        "seconds": len(LADDER_BYTES) * SECONDS_A_SIZE,
        "product": product.slug if product else "",
        "product_name": drive_name(product.vendor.name, product.name) if product else "",
        "product_url": product.get_absolute_url() if product else "",
        "examples": example_names(product.device_class if product else DeviceClass.NVME),
    }
    if form.is_bound and form.is_valid():
        builder |= _commands(form.cleaned_data)
    return {"builder": builder, "site_url": settings.SITE_URL}


def _commands(request_values: dict[str, Any]) -> dict[str, Any]:
    found = commands_for(System(request_values["system"]), request_values["disk"])
    return {
        "disk": request_values["disk"],
        "checks": [{"command": one.command, "expected": one.expected} for one in found.checks],
        "is_linux": request_values["system"] == System.LINUX,
        "is_sure": request_values["sure"],
        "measure": found.single.measure if request_values["sure"] else "",
        "describe": found.single.describe if request_values["sure"] else "",
        "saved_as": found.single.saved_as,
        "writers": found.several_writers if request_values["sure"] else None,
        "without_flush": found.without_flush if request_values["sure"] else None,
        "hour": _hour(request_values) if request_values["sure"] else None,
        "most_writers": LADDER_WRITERS[-1],
        "writers_seconds": len(LADDER_WRITERS) * SECONDS_A_RUNG,
    }


def _hour(request_values: dict[str, Any]) -> dict[str, str]:
    """The commands of an hour of writes, and of one with a pause."""
    system, disk = System(request_values["system"]), request_values["disk"]
    described = smartctl_name(disk) if system == System.FREEBSD else disk
    return {
        "measure": hour_command(system, disk),
        "with_pause": hour_command(system, disk, with_pause=True),
        "collect": collect_command(disk, described),
        "saved_as": saved_as(disk),
    }
