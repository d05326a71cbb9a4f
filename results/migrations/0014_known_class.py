"""Keeps the class that texts say apart from what it is with what the catalogue knows of the product."""

from django.db import migrations, models
from django.db.models import Case, F, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce, NullIf

CLASSES = [
    ("optane", "Optane"),
    ("nvdimm", "NVDIMM"),
    ("nvram", "NVRAM card"),
    ("nvme", "NVMe SSD"),
    ("sas_ssd", "SAS SSD"),
    ("sata_ssd", "SATA SSD"),
    ("sshd", "Hybrid disk"),
    ("hdd", "Hard disk"),
    ("unknown", "Class unknown"),
]


def tell_apart(apps, schema_editor):
    """What was read of a device that is of its product's class is not known any more: its next text says it again."""
    devices = apps.get_model("results", "Device").objects.using(schema_editor.connection.alias)
    products = apps.get_model("results", "Product").objects.filter(pk=OuterRef("product"))
    is_the_products = Q(read_class=Subquery(products.values("device_class")))
    unknown = Value("unknown")
    devices.filter(product__isnull=False).update(  # at once: a second time would keep the table from being changed
        known_class=F("read_class"), read_class=Case(When(is_the_products, then=unknown), default=F("read_class"))
    )


def put_together(apps, schema_editor):
    devices = apps.get_model("results", "Device").objects.using(schema_editor.connection.alias)
    devices.exclude(known_class="").update(read_class=F("known_class"))


class Migration(migrations.Migration):
    dependencies = [("results", "0013_index_each_order")]

    operations = [
        migrations.AddField(
            "device",
            "known_class",
            models.CharField(max_length=10, choices=CLASSES, blank=True, db_default=""),
        ),
        migrations.RunPython(tell_apart, put_together),
        migrations.RemoveField("device", "device_class"),
        migrations.AddField(
            "device",
            "device_class",
            models.GeneratedField(
                expression=Coalesce(
                    NullIf("class_overrule", Value("")), NullIf("known_class", Value("")), "read_class"
                ),
                output_field=models.CharField(max_length=10),
                db_persist=True,
                choices=CLASSES,
            ),
        ),
        migrations.AddConstraint(
            "device",
            models.CheckConstraint(
                condition=models.Q(known_class__in=["", *(value for value, _ in CLASSES)]),
                name="device_known_class_is_known",
            ),
        ),
    ]
