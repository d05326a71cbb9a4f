"""The command builder: system and disk name first, then the check, then the test itself after confirmation."""

from collections.abc import Sequence
from dataclasses import dataclass

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from parsers.base.device_class import DeviceClass
from parsers.fio.slog import LADDER_BYTES, LADDER_WRITERS, SECONDS_A_RUNG, SECONDS_A_SIZE
from results.core.forms import CheckedField
from results.core.public import public_page
from results.kinds.commands.disks import (
    LONGEST_NAME,
    Commands,
    DiskNameError,
    collect_hour_command,
    commands_for,
    example_names,
    hour_command,
    hour_saved_as,
    smartctl_name,
    whole_disk,
)
from results.kinds.commands.folders import (
    EXAMPLE_FOLDER,
    EXAMPLE_MEMORY_GIB,
    LONGEST_FOLDER,
    MAX_MEMORY_GIB,
    Command,
    clean_folder,
    grid_commands,
)
from results.kinds.commands.pools import (
    EXAMPLE_POOL,
    LONGEST_LOG,
    LONGEST_POOL,
    USUAL_MEMORY_GIB,
    TestStep,
    clean_log,
    clean_pool,
    commands_for_pool,
    run_seconds,
)
from results.kinds.free_disk import System
from results.kinds.registry import KINDS
from results.models import Product

SYSTEM_CHOICES = [
    (System.FREEBSD.value, "FreeBSD, TrueNAS CORE"),
    (System.LINUX.value, "Linux, TrueNAS SCALE"),
]


class CommandForm(forms.Form):
    """The system and the disk; `sure` confirms that the disk may be overwritten."""

    system = forms.ChoiceField(
        label="System", choices=SYSTEM_CHOICES, error_messages={"required": "Choose the operating system."}
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

    folder = CheckedField(lambda text: clean_folder(text or EXAMPLE_FOLDER))
    memory = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_MEMORY_GIB,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), f"Enter the memory in GiB, from 1 to {MAX_MEMORY_GIB:,}."
        ),
    )

    @property
    def shown_folder(self) -> str:
        return (self["folder"].value() or EXAMPLE_FOLDER)[:LONGEST_FOLDER]

    @property
    def shown_memory(self) -> str:
        return (self["memory"].value() or str(EXAMPLE_MEMORY_GIB))[:LONGEST_NAME]

    @property
    def file_commands(self) -> Sequence[Command]:
        """The commands of every kind that measures in a folder, once one is accepted."""
        folder = (
            self.cleaned_data.get("folder", "") if self.is_bound and not self.errors.get("folder") else ""
        )
        measuring = [kind.commands for kind in KINDS.values() if kind.commands and folder]
        return [command for commands_in in measuring for command in commands_in(folder)]

    @property
    def grid_commands(self) -> Sequence[Command]:
        memory = self.cleaned_data.get("memory") or EXAMPLE_MEMORY_GIB
        return grid_commands(self.shown_folder, memory) if self.is_valid() else ()


class PoolForm(forms.Form):
    """A pool to be measured, its log device if it has one, and the machine’s memory."""

    pool = CheckedField(lambda text: clean_pool(text or EXAMPLE_POOL))
    log = CheckedField(clean_log)
    memory = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_MEMORY_GIB,
        error_messages={"invalid": "Enter the machine’s memory in whole GiB."},
    )

    @property
    def shown_pool(self) -> str:
        return (self["pool"].value() or EXAMPLE_POOL)[:LONGEST_POOL]

    @property
    def shown_log(self) -> str:
        return (self["log"].value() or "")[:LONGEST_LOG]

    @property
    def shown_memory(self) -> str:
        return (self["memory"].value() or str(USUAL_MEMORY_GIB))[:6]

    @property
    def steps(self) -> Sequence[TestStep]:
        if not self.is_valid():
            return ()
        stated = self.cleaned_data
        return commands_for_pool(stated["pool"], stated["log"], stated["memory"] or USUAL_MEMORY_GIB)


@dataclass(frozen=True, slots=True)
class Hour:
    """The commands of an hour of writes to a disk, and of one with a pause."""

    system: System
    disk: str

    @property
    def measure(self) -> str:
        return hour_command(self.system, self.disk)

    @property
    def with_pause(self) -> str:
        return hour_command(self.system, self.disk, with_pause=True)

    @property
    def collect(self) -> str:
        on_freebsd = self.system == System.FREEBSD
        return collect_hour_command(self.disk, smartctl_name(self.disk) if on_freebsd else self.disk)

    @property
    def saved_as(self) -> str:
        return hour_saved_as(self.disk)


@dataclass(frozen=True, slots=True)
class Builder:
    """What templates/results/submissions/command_builder.html shows: commands once a disk is named."""

    form: CommandForm
    product: Product | None = None

    SECONDS = len(LADDER_BYTES) * SECONDS_A_SIZE
    MAX_WRITERS = LADDER_WRITERS[-1]
    WRITERS_SECONDS = len(LADDER_WRITERS) * SECONDS_A_RUNG

    @property
    def is_named(self) -> bool:
        return self.form.is_bound and self.form.is_valid()

    @property
    def is_sure(self) -> bool:
        return self.is_named and bool(self.form.cleaned_data["sure"])

    @property
    def system(self) -> str:
        return self.form["system"].value() or ""

    @property
    def disk(self) -> str:
        named: str = self.form.cleaned_data["disk"] if self.is_named else self.form["disk"].value() or ""
        return named[:LONGEST_NAME]

    @property
    def examples(self) -> str:
        return example_names(self.product.device_class if self.product else DeviceClass.NVME)

    @property
    def commands(self) -> Commands:
        return commands_for(System(self.system), self.disk)

    @property
    def hour(self) -> Hour:
        return Hour(System(self.system), self.disk)


@public_page(CommandForm, FolderForm, PoolForm, "product", in_sitemap=True)
def commands(request: HttpRequest) -> HttpResponse:
    folder, pool = FolderForm(request.GET), PoolForm(request.GET)
    is_asked = bool(request.GET.keys() & CommandForm.base_fields.keys())  # the other forms don't submit it
    form = CommandForm(request.GET) if is_asked and folder.is_valid() else CommandForm()
    context = {
        "builder": Builder(form, _product(request)),
        "folder": folder,
        "pool": pool,
        "pool_minutes": run_seconds() // 60,
    }
    is_refused = not folder.is_valid() or not pool.is_valid() or (form.is_bound and not form.is_valid())
    return render(request, "results/submissions/commands.html", context, status=400 if is_refused else 200)


def _product(request: HttpRequest) -> Product | None:
    """The product to measure, for its name and the usual names of such disks."""
    slug = request.GET.get("product", "")
    return get_object_or_404(Product.objects.select_related("vendor"), slug=slug) if slug else None
