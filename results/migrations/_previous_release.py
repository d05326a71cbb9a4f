"""What lets 1.0.0 work on this database, in SQL: for 0025, and for the migration that replaces it.

A later release drops all of it. 1.0.0 fails at rows that have something it doesn't know; so it doesn't find them.
"""

# They aren't in the models: this release doesn't use them. By these columns, 1.0.0's worker reads imported texts.
QUEUE = """
    ALTER TABLE results_submission
        ADD COLUMN IF NOT EXISTS leased_until timestamptz,
        ADD COLUMN IF NOT EXISTS read_attempts smallint NOT NULL DEFAULT 0 CHECK (read_attempts >= 0);
    ALTER TABLE results_submission ALTER COLUMN read_attempts SET DEFAULT 0;
    CREATE INDEX IF NOT EXISTS submission_waiting ON results_submission (id) WHERE state = 'waiting';
    CREATE INDEX IF NOT EXISTS submission_leased ON results_submission (leased_until)
        WHERE leased_until IS NOT NULL AND state = 'waiting';
"""

# 1.0.0 fails at a method that it doesn't know. A result of such a method has a known one in 1.0.0's column, and no
# payload: lists show it without figures. Results of pools have no device, so lists leave them out.
METHODS = """
    ALTER TABLE results_result ADD COLUMN measured_by varchar(20) NOT NULL DEFAULT 'diskinfo';
    ALTER TABLE results_result ALTER COLUMN measured_by SET DEFAULT '';
    CREATE FUNCTION results_name_method() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.measured_by = '' OR TG_OP = 'UPDATE' AND NEW.method <> OLD.method THEN  -- by 1.0.0
            NEW.measured_by = NEW.method;
        ELSIF NEW.measured_by IN ('diskinfo', 'fio', 'pg_test_fsync', 'pveperf', 'diskinfo_volume', 'ioping',
                                  'fsync_script') THEN
            NEW.method = NEW.measured_by;
        ELSE
            NEW.method = 'fio_file';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER results_name_method BEFORE INSERT OR UPDATE OF method, measured_by ON results_result
    FOR EACH ROW EXECUTE FUNCTION results_name_method();
    UPDATE results_result SET measured_by = method WHERE method <> 'diskinfo';
"""
# Nor does it know some quantities: such claims have no product in its column.
CLAIMS = """
    ALTER TABLE results_claim ADD COLUMN about_id bigint REFERENCES results_product ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED;
    ALTER TABLE results_claim ALTER COLUMN product_id DROP NOT NULL;
    CREATE FUNCTION results_name_product() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.about_id IS NULL OR TG_OP = 'UPDATE' AND NEW.product_id <> OLD.product_id THEN  -- by 1.0.0
            NEW.about_id = NEW.product_id;
        ELSIF NEW.quantity IN ('sustained_writes', 'write_degradation', 'content_dependence', 'alignment_dependence',
                               'partition_dependence', 'trim_dependence', 'iops_per_dollar', 'external_power',
                               'separate_controller', 'longevity') THEN
            NEW.product_id = NULL;
        ELSE
            NEW.product_id = NEW.about_id;
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER results_name_product BEFORE INSERT OR UPDATE OF product_id, about_id, quantity ON results_claim
    FOR EACH ROW EXECUTE FUNCTION results_name_product();
    UPDATE results_claim SET about_id = product_id;
    SET CONSTRAINTS ALL IMMEDIATE;
    SET CONSTRAINTS ALL DEFERRED;
    ALTER TABLE results_claim ALTER COLUMN about_id SET NOT NULL;
    CREATE INDEX results_claim_about_id ON results_claim (about_id);
"""

# Nor does it know pools, or what senders stated about them.
ERASURES = """
    CREATE FUNCTION results_erase_pools() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM results_pool WHERE submission_id = NEW.id;
        NEW.told = '{}';
        RETURN NEW;
    END $$;
    CREATE TRIGGER results_erase_pools BEFORE UPDATE OF state ON results_submission
    FOR EACH ROW WHEN (NEW.state = 'erased') EXECUTE FUNCTION results_erase_pools();
"""
