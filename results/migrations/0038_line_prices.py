"""Mark the price that a product line is listed at, which lists sort and filter by."""

from django.db import migrations, models

MARK = """
    UPDATE results_pricesighting AS sighting
    SET is_line_price = (of_line = 1), is_offer_price = (of_offer = 1)
    FROM (
        SELECT id,
            row_number() OVER (PARTITION BY product_id, currency ORDER BY left(seen_on, 4) DESC, price, id) AS of_line,
            row_number() OVER (
                PARTITION BY product_id, currency, newest_as ORDER BY left(seen_on, 4) DESC, price, id
            ) AS of_offer
        FROM results_pricesighting WHERE newest_as <> ''
    ) AS marked
    WHERE marked.id = sighting.id AND (of_line = 1 OR of_offer = 1)
"""


class Migration(migrations.Migration):
    dependencies = [
        ("results", "0037_writers"),
    ]

    operations = [
        migrations.AddField(
            model_name="pricesighting",
            name="is_line_price",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="pricesighting",
            name="is_offer_price",
            field=models.BooleanField(default=False),
        ),
        migrations.RunSQL(MARK, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="pricesighting",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_line_price", True)),
                fields=("currency", "product"),
                name="price_of_a_line",
            ),
        ),
        migrations.AddConstraint(
            model_name="pricesighting",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_offer_price", True)),
                fields=("currency", "product", "newest_as"),
                name="price_of_a_line_by_offer",
            ),
        ),
    ]
