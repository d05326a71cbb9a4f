#!/bin/sh
# Put a base backup in the place of the data, to be rolled forward to a moment: recover.sh BASE MOMENT
# For the database's container, while the database is stopped. What was there stays as $PGDATA.before.
set -eu

refuse() {
    echo "$0: $1" >&2
    exit 1
}

[ $# -eq 2 ] || refuse "wants the folder of a base backup and a moment, like '2026-11-21 09:30:00+00'"
base=$1
moment=$2
archive=$(dirname "$base")
before=${PGDATA:?names no folder}.before
[ -f "$base/backup_label" ] || refuse "$base is no base backup"
[ ! -e "$before" ] || refuse "$before is there already: remove it, or move it away"
! PGHOST=${PGHOST:-database} pg_isready --quiet || refuse "the database runs: stop it first"
case $moment in *[!0-9:+\ .-]*) refuse "$moment is no moment like '2026-11-21 09:30:00+00'" ;; esac

rm -rf "$PGDATA.new"
cp -a "$base" "$PGDATA.new"
cat >>"$PGDATA.new/postgresql.auto.conf" <<END
restore_command = 'cp $archive/%f %p'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
END
: >"$PGDATA.new/recovery.signal"
# What was written last may not be in the archive yet.
cp -a "$PGDATA/pg_wal/." "$PGDATA.new/pg_wal/"
mv "$PGDATA" "$before"
mv "$PGDATA.new" "$PGDATA"
echo "Start the database: it rolls forward to $moment."
