#!/bin/sh
# Replace the data with a base backup, to be recovered to a point in time: recover.sh BASE TIME
# Run it in the database's container while the database is stopped. The old data remain as $PGDATA.before.
# TIME is a time, or "latest" for the entire archive.
set -eu

refuse() {
    echo "$0: $1" >&2
    exit 1
}

[ $# -eq 2 ] || refuse "wants the folder of a base backup and a moment, like '2026-11-21 09:30:00+00', or latest"
base=$1
moment=$2
archive=$(dirname "$base")
before=${PGDATA:?names no folder}.before
[ -f "$base/backup_label" ] || refuse "$base is no base backup"
[ ! -e "$before" ] || refuse "$before is there already: remove it, or move it away"
! PGHOST=${PGHOST:-database} pg_isready --quiet || refuse "the database runs: stop it first"
case $moment in
latest) target="" ;;
*[!0-9:+\ .-]*) refuse "$moment is no moment like '2026-11-21 09:30:00+00'" ;;
*) target="recovery_target_time = '$moment'" ;;
esac

# The archive has a timeline for each recovery: follow the one of the current data.
timeline=""
[ ! -d "$PGDATA" ] || timeline=$(LC_ALL=C pg_controldata "$PGDATA" | sed -n "s/^Latest checkpoint's TimeLineID: *//p") || :

rm -rf "$PGDATA.new"
mkdir -p "$(dirname "$PGDATA")"
cp -a "$base" "$PGDATA.new"
# No connections until recovery is done; then these lines are removed, or a replica would also stop at that time.
sed 's/^\(..*\)$/\1 # recover.sh/' >>"$PGDATA.new/postgresql.auto.conf" <<END
restore_command = 'cp $archive/%f %p'
$target
recovery_target_timeline = '${timeline:-latest}'
recovery_target_action = 'promote'
hot_standby = off
recovery_end_command = 'sed -i "/# recover.sh\$/d" postgresql.auto.conf'
END
: >"$PGDATA.new/recovery.signal"
if [ -d "$PGDATA" ]; then
    # The latest WAL may not be in the archive yet.
    cp -a "$PGDATA/pg_wal/." "$PGDATA.new/pg_wal/"
    mv "$PGDATA" "$before"
fi
mv "$PGDATA.new" "$PGDATA"
echo "Start the database: it recovers to $moment, and then accepts connections."
