"""How a device's ranked results were measured, to narrow lists by."""

from django.db import migrations, models

# A sweep ranks dirty devices within minutes of the upgrade, and stores their conditions.
RANK_ANEW = "UPDATE results_device SET dirty_since = now() WHERE dirty_since IS NULL AND result_count > 0"


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0010_boards_of_any_method'),
    ]

    operations = [
        migrations.AddField(
            model_name='device',
            name='conditions',
            field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
        ),
        migrations.RunSQL(RANK_ANEW, migrations.RunSQL.noop),
    ]
