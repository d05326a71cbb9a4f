"""When the API's rows changed, and which are gone: triggers see every way to change them.

A time is that of the change, not of the commit. So a transaction that changes a row first takes a shared advisory
lock named by the current second: what changed before the earliest of those seconds is committed
(results.api.paging.settled_until).
"""

from django.db import migrations, models
from django.db.models.functions import Now

RESULT = (
    "path", "platform", "attachment", "sector_size", "write_cache_enabled", "has_volatile_cache",
    "kernel_write_cache", "has_fua", "protection_fault", "sync_method", "data_content", "pattern", "is_direct",
    "block_align", "power_on_hours", "wear_percent", "wear_source", "raw_wear", "host_bytes_written", "device_id",
    "pool_id", "firmware_id", "measured_by", "copy_of_id", "latency_us", "tails", "metrics", "is_complete",
    "is_ranked", "not_ranked_reason", "flags", "writers", "notes", "told_conditions", "measured_on",
)  # fmt: skip
DEVICE = (
    "slug", "vendor", "model_name", "capacity_bytes", "product_id", "read_class", "known_class", "class_overrule",
    "elsewhere_count",
)  # fmt: skip
PRODUCT = (
    "slug", "vendor_id", "name", "patterns", "aliases", "oem_names", "example_model", "device_class", "segment",
    "media", "interface", "form_factors", "plp", "plp_statements", "endurance_dwpd_low", "endurance_dwpd_high",
    "endurance_years", "endurance_tbw", "endurance_source_url", "launch_year", "flags", "sources",
)  # fmt: skip
PRICE = (
    "product_id",
    "capacity_bytes",
    "price",
    "currency",
    "condition",
    "seller_kind",
    "seen_on",
    "source_url",
)
POOL = ("layout", "is_told", "health", "properties", "platform", "zfs_version", "same_as_id")
PAIR = ("change", "before_value", "after_value", "sentence", "source_url", "quality")
OF_SUBMISSION = (  # that its results and pools show
    "survey_id", "posted_on", "source_url", "state", "state_reason", "figure", "precision_percent", "quality",
    "forum_handle", "note", "notices", "text", "created_at",
)  # fmt: skip
STAMPED = {
    "result": RESULT,
    "device": DEVICE,
    "product": PRODUCT,
    "pricesighting": PRICE,
    "pool": POOL,
    "resultpair": PAIR,
}
PAYLOADS = ("filesync", "poolio", "filegrid", "sustained", "sustainedseries", "accesspattern")
FACTS = ("claim", "caveat", "lifecycle")


def differ(columns: tuple[str, ...]) -> str:
    return " OR ".join(f"OLD.{column} IS DISTINCT FROM NEW.{column}" for column in columns)


# 1936486247 is "slog", which results.api.paging looks for.
STAMP = """
    CREATE FUNCTION results_changing_since() RETURNS timestamptz LANGUAGE plpgsql AS $$
    DECLARE
        since text = current_setting('slogdb.changing_since', true);  -- '' after an earlier transaction
    BEGIN
        IF coalesce(since, '') = '' THEN
            PERFORM pg_advisory_xact_lock_shared(1936486247, floor(extract(epoch FROM clock_timestamp()))::int);
            since = set_config('slogdb.changing_since', clock_timestamp()::text, true);
        END IF;
        RETURN since;
    END $$;
    CREATE FUNCTION results_stamp() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM results_changing_since();
        NEW.changed_at = clock_timestamp();
        RETURN NEW;
    END $$;
    CREATE FUNCTION results_keep_stamp() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        NEW.changed_at = OLD.changed_at;
        RETURN NEW;
    END $$;
"""

# Setting changed_at to NULL stamps a row; nothing else can set it.
STAMP += "".join(
    f"""
    CREATE TRIGGER results_a_keep BEFORE UPDATE ON results_{table}
    FOR EACH ROW WHEN (NEW.changed_at IS DISTINCT FROM OLD.changed_at AND NEW.changed_at IS NOT NULL)
    EXECUTE FUNCTION results_keep_stamp();
    CREATE TRIGGER results_insert_stamp BEFORE INSERT ON results_{table}
    FOR EACH ROW EXECUTE FUNCTION results_stamp();
    CREATE TRIGGER results_stamp BEFORE UPDATE ON results_{table}
    FOR EACH ROW WHEN (NEW.changed_at IS NULL OR {differ(columns)}) EXECUTE FUNCTION results_stamp();
    """
    for table, columns in STAMPED.items()
)

# Rows that show columns of other rows: stamped once in a transaction. They are locked as everywhere: submissions, then
# devices in their order, then results.
TOUCH = f"""
    CREATE FUNCTION results_touch_product() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE results_product SET changed_at = NULL
        WHERE id = (to_jsonb(coalesce(NEW, OLD)) ->> TG_ARGV[0])::bigint AND changed_at < results_changing_since();
        RETURN NULL;
    END $$;
    CREATE FUNCTION results_touch_result() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE results_result SET changed_at = NULL
        WHERE id = coalesce(NEW.result_id, OLD.result_id) AND changed_at < results_changing_since();
        RETURN NULL;
    END $$;
    CREATE FUNCTION results_touch_pool() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE results_pool SET changed_at = NULL
        WHERE id IN (OLD.pool_id, NEW.pool_id) AND changed_at < results_changing_since();
        RETURN NULL;
    END $$;
    CREATE FUNCTION results_touch_devices(products bigint[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM FROM results_submission WHERE text <> '' AND id IN (
            SELECT submission_id FROM results_result JOIN results_device AS device ON device.id = device_id
            WHERE product_id = ANY(products)
        ) ORDER BY id FOR NO KEY UPDATE;
        PERFORM FROM results_device WHERE product_id = ANY(products)
        ORDER BY model_name COLLATE "C", coalesce(capacity_bytes, 0) FOR NO KEY UPDATE;
        UPDATE results_device SET changed_at = NULL WHERE product_id = ANY(products);
    END $$;
    CREATE FUNCTION results_touch_of_vendor() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE results_product SET changed_at = NULL WHERE vendor_id = NEW.id;
        PERFORM results_touch_devices(ARRAY(SELECT id FROM results_product WHERE vendor_id = NEW.id));
        RETURN NULL;
    END $$;
    CREATE FUNCTION results_touch_of_product() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM results_touch_devices(ARRAY[NEW.id]);
        UPDATE results_pricesighting SET changed_at = NULL WHERE product_id = NEW.id AND NEW.slug <> OLD.slug;
        RETURN NULL;
    END $$;
    CREATE FUNCTION results_touch_of_device() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE results_result SET changed_at = NULL
        WHERE device_id = NEW.id AND (NEW.slug, NEW.device_class) IS DISTINCT FROM (OLD.slug, OLD.device_class);
        UPDATE results_pool SET changed_at = NULL
        WHERE id IN (SELECT pool_id FROM results_poollog WHERE device_id = NEW.id);
        RETURN NULL;
    END $$;
    CREATE FUNCTION results_touch_of_firmware() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE results_result SET changed_at = NULL WHERE firmware_id = NEW.id;
        RETURN NULL;
    END $$;
    CREATE TRIGGER results_touch AFTER UPDATE OF version ON results_firmware
    FOR EACH ROW WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION results_touch_of_firmware();
    CREATE TRIGGER results_touch AFTER UPDATE OF name ON results_vendor
    FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION results_touch_of_vendor();
    CREATE TRIGGER results_touch AFTER UPDATE ON results_product
    FOR EACH ROW WHEN ({differ(("slug", "name", "plp", "plp_statements", "vendor_id"))}) EXECUTE FUNCTION results_touch_of_product();
    CREATE TRIGGER results_touch AFTER UPDATE ON results_device
    FOR EACH ROW WHEN ({differ(("slug", "device_class", "model_name", "capacity_bytes"))}
                       OR (OLD.result_count > 0) <> (NEW.result_count > 0))
    EXECUTE FUNCTION results_touch_of_device();
    CREATE TRIGGER results_touch_pool AFTER INSERT OR UPDATE OR DELETE ON results_poollog
    FOR EACH ROW EXECUTE FUNCTION results_touch_pool();
    CREATE TRIGGER results_touch_other_pool AFTER UPDATE OF pool_id ON results_result
    FOR EACH ROW WHEN (OLD.pool_id IS DISTINCT FROM NEW.pool_id) EXECUTE FUNCTION results_touch_pool();
    CREATE TRIGGER results_touch_new_pool AFTER INSERT ON results_result
    FOR EACH ROW WHEN (NEW.pool_id IS NOT NULL) EXECUTE FUNCTION results_touch_pool();
    CREATE TRIGGER results_touch_old_pool AFTER DELETE ON results_result
    FOR EACH ROW WHEN (OLD.pool_id IS NOT NULL) EXECUTE FUNCTION results_touch_pool();
    CREATE TRIGGER results_touch_product AFTER UPDATE ON results_pricesighting
    FOR EACH ROW WHEN ({differ(PRICE)}) EXECUTE FUNCTION results_touch_product('product_id');
    CREATE TRIGGER results_touch_of_product AFTER INSERT OR DELETE ON results_pricesighting
    FOR EACH ROW EXECUTE FUNCTION results_touch_product('product_id');
"""  # noqa: S608 - the columns above
TOUCH += "".join(
    f"""
    CREATE TRIGGER results_touch AFTER INSERT OR UPDATE OR DELETE ON results_{table}
    FOR EACH ROW EXECUTE FUNCTION results_touch_product('{"about_id" if table == "claim" else "product_id"}');
    """
    for table in FACTS
)
TOUCH += "".join(
    f"""
    CREATE TRIGGER results_touch AFTER INSERT OR DELETE ON results_{table}
    FOR EACH ROW EXECUTE FUNCTION results_touch_result();
    CREATE TRIGGER results_touch_changed AFTER UPDATE ON results_{table}
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION results_touch_result();
    """
    for table in PAYLOADS
)

# What was public leaves its id. A device is public while it has published results, a result or pool while its
# submission is published, a pair while both of its results are.
BURY = f"""
    CREATE FUNCTION results_bury(about text, named text, why text, sent_with int DEFAULT NULL) RETURNS void
    LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM results_changing_since();
        INSERT INTO results_tombstone (resource, name, state, changed_at, submission_id)
        VALUES (about, named, why, clock_timestamp(), sent_with)
        ON CONFLICT (resource, name) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at;
    END $$;
    CREATE FUNCTION results_bury_device() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' THEN
            IF OLD.result_count > 0
                    OR EXISTS (SELECT FROM results_tombstone WHERE resource = 'devices' AND name = OLD.id::text) THEN
                PERFORM results_bury('devices', OLD.id::text, CASE
                    WHEN EXISTS (SELECT FROM results_devicealias WHERE slug = OLD.slug) THEN 'merged'
                    ELSE 'removed'
                END);
            END IF;
        ELSIF OLD.result_count = 0 AND NEW.result_count > 0 THEN
            DELETE FROM results_tombstone WHERE resource = 'devices' AND name = NEW.id::text;
        ELSIF OLD.result_count > 0 AND NEW.result_count = 0 THEN
            PERFORM results_bury('devices', OLD.id::text, 'removed');
        END IF;
        RETURN NULL;
    END $$;
    CREATE FUNCTION results_stamp_shown() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        NEW.changed_at = NULL;
        RETURN NEW;
    END $$;
    CREATE FUNCTION results_bury_of_submission() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        is_removed boolean = TG_OP = 'DELETE';
        why text;
    BEGIN
        SELECT state INTO why FROM results_submission WHERE id = coalesce(NEW.submission_id, OLD.submission_id);
        IF NOT is_removed AND why = 'published' THEN
            DELETE FROM results_tombstone WHERE resource = TG_ARGV[0] AND name = NEW.public_id;
        ELSIF is_removed AND why = 'published' THEN
            PERFORM results_bury(TG_ARGV[0], OLD.public_id, 'removed', OLD.submission_id);
        END IF;
        RETURN NULL;
    END $$;
    CREATE FUNCTION results_bury_row() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        named text = to_jsonb(coalesce(NEW, OLD)) ->> TG_ARGV[1];
    BEGIN
        IF TG_OP = 'DELETE' THEN
            PERFORM results_bury(TG_ARGV[0], named, 'removed');
        ELSE
            DELETE FROM results_tombstone WHERE resource = TG_ARGV[0] AND name = named;
        END IF;
        RETURN NULL;
    END $$;
    CREATE FUNCTION results_bury_pair() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF 2 = (
            SELECT count(*) FROM results_result AS linked JOIN results_submission AS sent ON sent.id = submission_id
            WHERE linked.id IN (OLD.before_id, OLD.after_id) AND sent.state = 'published'
        ) THEN
            PERFORM results_bury('pairs', OLD.id::text, 'removed');
        END IF;
        RETURN NULL;
    END $$;
    CREATE FUNCTION results_show_of_submission() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        pair record;
    BEGIN
        PERFORM FROM results_device WHERE id IN (
            SELECT device_id FROM results_result WHERE submission_id = NEW.id
            UNION SELECT device_id FROM results_poollog JOIN results_pool AS pool ON pool.id = pool_id
            WHERE submission_id = NEW.id
        ) ORDER BY model_name COLLATE "C", coalesce(capacity_bytes, 0) FOR NO KEY UPDATE;
        UPDATE results_result SET changed_at = NULL
        WHERE submission_id = NEW.id AND changed_at < results_changing_since();
        UPDATE results_pool SET changed_at = NULL
        WHERE submission_id = NEW.id AND changed_at < results_changing_since();
        IF NEW.state = OLD.state THEN
            RETURN NULL;
        ELSIF NEW.state = 'published' THEN
            DELETE FROM results_tombstone WHERE submission_id = NEW.id AND (resource, name) IN (
                SELECT 'results', public_id FROM results_result WHERE submission_id = NEW.id
                UNION SELECT 'pools', public_id FROM results_pool WHERE submission_id = NEW.id
            );
        ELSE
            IF OLD.state = 'published' THEN
                PERFORM results_bury('results', public_id, NEW.state, NEW.id)
                FROM results_result WHERE submission_id = NEW.id;
                PERFORM results_bury('pools', public_id, NEW.state, NEW.id)
                FROM results_pool WHERE submission_id = NEW.id;
            END IF;
        END IF;
        PERFORM results_changing_since();
        UPDATE results_tombstone
        SET state = CASE NEW.state WHEN 'published' THEN 'removed' ELSE NEW.state END, changed_at = clock_timestamp()
        WHERE submission_id = NEW.id;
        FOR pair IN
            SELECT linked.id FROM results_resultpair AS linked
            JOIN results_result AS before ON before.id = linked.before_id
            JOIN results_result AS after ON after.id = linked.after_id
            JOIN results_submission AS other ON other.id =
                CASE NEW.id WHEN before.submission_id THEN after.submission_id ELSE before.submission_id END
            WHERE NEW.id IN (before.submission_id, after.submission_id)
                AND (other.state = 'published' OR other.id = NEW.id)
        LOOP
            IF NEW.state = 'published' THEN
                DELETE FROM results_tombstone WHERE resource = 'pairs' AND name = pair.id::text;
                UPDATE results_resultpair SET changed_at = NULL WHERE id = pair.id;
            ELSIF OLD.state = 'published' THEN
                PERFORM results_bury('pairs', pair.id::text, NEW.state);
            END IF;
        END LOOP;
        RETURN NULL;
    END $$;
    CREATE TRIGGER results_a_shown BEFORE UPDATE OF result_count ON results_device
    FOR EACH ROW WHEN (OLD.result_count = 0 AND NEW.result_count > 0) EXECUTE FUNCTION results_stamp_shown();
    CREATE TRIGGER results_bury AFTER DELETE OR UPDATE OF result_count ON results_device
    FOR EACH ROW EXECUTE FUNCTION results_bury_device();
    CREATE TRIGGER results_bury AFTER INSERT OR DELETE ON results_result
    FOR EACH ROW EXECUTE FUNCTION results_bury_of_submission('results');
    CREATE TRIGGER results_bury AFTER INSERT OR DELETE ON results_pool
    FOR EACH ROW EXECUTE FUNCTION results_bury_of_submission('pools');
    CREATE TRIGGER results_bury AFTER INSERT OR DELETE ON results_product
    FOR EACH ROW EXECUTE FUNCTION results_bury_row('products', 'slug');
    CREATE TRIGGER results_bury AFTER DELETE ON results_pricesighting
    FOR EACH ROW EXECUTE FUNCTION results_bury_row('prices', 'id');
    CREATE TRIGGER results_bury AFTER DELETE ON results_resultpair
    FOR EACH ROW EXECUTE FUNCTION results_bury_pair();
    CREATE TRIGGER results_show AFTER UPDATE ON results_submission
    FOR EACH ROW WHEN ({differ(OF_SUBMISSION)}) EXECUTE FUNCTION results_show_of_submission();
"""  # noqa: S608 - the columns above
FUNCTIONS = (
    "changing_since", "stamp", "keep_stamp", "touch_product", "touch_result", "touch_pool", "touch_devices", "touch_of_vendor",
    "touch_of_product", "touch_of_device", "touch_of_firmware", "bury", "bury_device", "stamp_shown",
    "bury_of_submission", "bury_row", "bury_pair", "show_of_submission",
)  # fmt: skip
UNDO = f"DROP FUNCTION {', '.join(f'results_{name}' for name in FUNCTIONS)} CASCADE"


def changed_at(model: str) -> migrations.AddField:
    """Rows that are there get the time of this migration, without being written."""
    return migrations.AddField(model, "changed_at", models.DateTimeField(db_default=Now(), editable=False))


class Migration(migrations.Migration):
    dependencies = [("results", "0036_described_fields")]

    operations = [
        migrations.CreateModel(
            name="Tombstone",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("resource", models.CharField(max_length=10)),
                ("name", models.CharField(max_length=140)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("held", "Held"),
                            ("rejected", "Rejected"),
                            ("withdrawn", "Withdrawn"),
                            ("erased", "Erased"),
                            ("merged", "Merged into another"),
                            ("removed", "Removed"),
                        ],
                        max_length=10,
                    ),
                ),
                ("changed_at", models.DateTimeField()),
                ("submission_id", models.IntegerField(db_index=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("resource", "name"), name="tombstone_once_a_row")
                ],
                "indexes": [
                    models.Index(fields=["resource", "changed_at", "id"], name="tombstone_oldest_first")
                ],
            },
        ),
        *(changed_at(model) for model in ("result", "device", "pool", "pricesighting", "resultpair")),
        migrations.AlterField(
            "product", "changed_at", models.DateTimeField(db_default=Now(), editable=False)
        ),
        *(
            migrations.AddIndex(
                model, models.Index(fields=["changed_at", "id"], name=f"{model}_last_changed")
            )
            for model in ("result", "device", "pool")
        ),
        migrations.AddField("installation", "restored_at", models.DateTimeField(null=True)),
        migrations.RunSQL([STAMP, TOUCH, BURY], UNDO),
    ]
