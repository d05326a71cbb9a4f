"""Has rows of the ranking named for code that does not know of it, which runs on while a site is upgraded, or set back."""

from django.db import migrations

FUNCTION = """
    CREATE FUNCTION results_name_ranking() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
    BEGIN
        SELECT model_name, capacity_bytes INTO NEW.model_name, NEW.capacity_bytes
        FROM results_device WHERE id = NEW.device_id;
        RETURN NEW;
    END $$;
    CREATE TRIGGER results_name_ranking BEFORE INSERT ON results_deviceranking
        FOR EACH ROW WHEN (NEW.model_name = '') EXECUTE FUNCTION results_name_ranking();
"""
# What was written since 0023.
NAMES = """
    UPDATE results_deviceranking AS ranking
    SET model_name = device.model_name, capacity_bytes = device.capacity_bytes
    FROM results_device AS device WHERE device.id = ranking.device_id AND ranking.model_name = ''
"""


class Migration(migrations.Migration):
    dependencies = [("results", "0023_order_by_device")]

    operations = [migrations.RunSQL(FUNCTION + NAMES, "DROP FUNCTION results_name_ranking CASCADE")]
