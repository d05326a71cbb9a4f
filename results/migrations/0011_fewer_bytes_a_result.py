"""Keeps a result's digest once, as bytes, keys of four bytes, and two indexes less."""

import django.db.models.deletion
from django.db import migrations, models

import results.models.fields

# In one statement, as each writes the whole table anew. A told unit was the ranking unit, too.
DIGESTS_AS_BYTES = """
    ALTER TABLE results_result
        ALTER COLUMN unit TYPE boolean USING unit <> '',
        ALTER COLUMN ranking_unit TYPE bytea USING CASE
            WHEN ranking_unit ~ '^[0-9a-f]{32}$' THEN decode(ranking_unit, 'hex')
            ELSE convert_to(ranking_unit, 'UTF8') END,
        ALTER COLUMN first_line TYPE smallint,
        ALTER COLUMN last_line TYPE smallint;
    ALTER TABLE results_result RENAME COLUMN unit TO has_unit;
"""
_TEXT = """CASE octet_length(ranking_unit)
    WHEN 16 THEN encode(ranking_unit, 'hex') ELSE convert_from(ranking_unit, 'UTF8') END"""
DIGESTS_AS_TEXT = f"""
    ALTER TABLE results_result
        ALTER COLUMN has_unit TYPE varchar(64) USING CASE WHEN has_unit THEN {_TEXT} ELSE '' END,
        ALTER COLUMN ranking_unit TYPE varchar(70) USING {_TEXT},
        ALTER COLUMN first_line TYPE integer,
        ALTER COLUMN last_line TYPE integer;
    ALTER TABLE results_result RENAME COLUMN has_unit TO unit;
"""


class Migration(migrations.Migration):
    dependencies = [("results", "0010_sealed_second_factors")]

    operations = [
        migrations.RemoveIndex(model_name="result", name="result_ranked"),
        migrations.RemoveIndex(model_name="result", name="result_newest"),
        migrations.RunSQL(
            DIGESTS_AS_BYTES,
            DIGESTS_AS_TEXT,
            state_operations=[
                migrations.RemoveField(model_name="result", name="unit"),
                migrations.AddField(
                    model_name="result", name="has_unit", field=models.BooleanField(default=False)
                ),
                migrations.AlterField(
                    model_name="result", name="ranking_unit", field=results.models.fields.UnitField()
                ),
                migrations.AlterField(
                    model_name="result", name="first_line", field=models.PositiveSmallIntegerField(null=True)
                ),
                migrations.AlterField(
                    model_name="result", name="last_line", field=models.PositiveSmallIntegerField(null=True)
                ),
            ],
        ),
        *(
            migrations.AlterField(
                model_name=name, name="id", field=models.AutoField(primary_key=True, serialize=False)
            )
            for name in ("device", "firmware", "submission", "result")
        ),
        migrations.AlterField(
            model_name="result",
            name="device",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="results",
                to="results.device",
            ),
        ),
        migrations.AddIndex(
            model_name="result", index=models.Index(fields=["device", "method"], name="result_of_device")
        ),
        migrations.AddIndex(
            model_name="result",
            index=models.Index(
                condition=models.Q(("method", "fio")), fields=["id"], name="result_by_fio"
            ),
        ),
    ]
