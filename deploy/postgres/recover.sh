#!/bin/sh
# Put a base backup in the place of the data, to be rolled forward to a moment: recover.sh BASE MOMENT
# For the database's container, while the database is stopped. What was there stays as $PGDATA.before.
# MOMENT is a time, or "latest" for all that the archive has.
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

# The archive has a history for each time that it was gone back: wanted is that of the data that are there.
timeline=""
[ ! -d "$PGDATA" ] || timeline=$(LC_ALL=C pg_controldata "$PGDATA" | sed -n "s/^Latest checkpoint's TimeLineID: *//p") || :

rm -rf "$PGDATA.new"
mkdir -p "$(dirname "$PGDATA")"
cp -a "$base" "$PGDATA.new"
# Nobody is let in before it is done. Then these lines go: a replica made of this would stop at the moment, too.
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
    # What was written last may not be in the archive yet.
    cp -a "$PGDATA/pg_wal/." "$PGDATA.new/pg_wal/"
    mv "$PGDATA" "$before"
fi
mv "$PGDATA.new" "$PGDATA"
echo "Start the database: it rolls forward to $moment, and lets in who asks once it is there."
