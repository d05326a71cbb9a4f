sh > slog-check.txt <<'END'
exec 2>/dev/null
K=/proc/spl/kstat/zfs S=/sys/block
h() { echo "=== $*"; }
P=${POOL:-$(zpool list -Ho name | while IFS= read -r P; do zpool status "$P" | grep -qE '^[[:space:]]*logs' && echo "$P" && break; done)}
P=${P:-$(zpool list -Ho name | tail -n 1)}
L=$(zpool status -LP "$P" | awk '/^[ \t]*logs/ {l=1; next} /^[ \t]*(cache|spares|special|dedup)/ || /^errors/ {l=0} l && $1 ~ "^/dev/" {print $1}')
for V in $L; do
  if [ -d $S ]; then N=$(lsblk -ndo pkname "$V"); N=${N:-${V##*/}}
  else V=${V#/dev/}; N=$(glabel status -s | awk -v v="$V" '$1 == v {print $3}'); N=$(echo "${N:-$V}" | sed -E 's/\.eli$//; s/[ps][0-9]+[a-h]?$//'); fi
  D="$D $N"
done
counters() {
  h "$1" "$(date +%s)"
  if [ -d $K ]; then
    cat $K/zil $K/dmu_tx
    for N in $D; do grep -H . $S/$N/stat; done
    grep -lE 'zil_commit_count +4 +[1-9]' $K/"$P"/objset-* | while read -r F; do grep -E '^(dataset_name|zil_commit|zil_itx.*_(bytes|write)) ' "$F"; done
  else
    sysctl kstat.zfs.misc.zil kstat.zfs.misc.dmu_tx
    sysctl "kstat.zfs.$P.dataset" | grep -E 'dataset_name|zil_commit|zil_itx.*_(bytes|write):'
  fi
}
h pool "$P"
h pools $(zpool list -Ho name | wc -l)
h version "$(uname -s)"; zfs version
h status; zpool status -LP "$P"
h parameters
for N in nocacheflush txg_timeout dirty_data_max wrlog_data_max; do grep -H . /sys/module/zfs/parameters/zfs_$N; done
for N in nocacheflush slog_bulk; do grep -H . /sys/module/zfs/parameters/zil_$N; done
sysctl vfs.zfs.nocacheflush vfs.zfs.zil.nocacheflush vfs.zfs.zil.slog_bulk vfs.zfs.txg.timeout vfs.zfs.dirty_data_max vfs.zfs.wrlog_data_max
h properties
G="zfs get -r -t filesystem,volume -s local,received,temporary,inherited,none type,sync,logbias,recordsize"
$G,direct "$P" || $G "$P"
for N in $D; do
  h disk "$N"
  grep -H . $S/$N/queue/write_cache $S/$N/queue/fua
  C=$(echo "$N" | sed -E 's/^(nvd|nda)/nvme/; s/^(nvme[0-9]+)n[0-9]+$/\1/')
  echo "# smartctl -x /dev/$C"; smartctl -x "/dev/$C"
  case $C in nvme*)
    echo "/dev/$C:"; nvme id-ctrl "/dev/$C" | grep '^vwc'
    for N in id-ctrl smart-log "ocp smart-add-log"; do nvme $N -o json "/dev/$C"; done ;;
  esac
done
counters before
h queues
zpool iostat -vlqypLP "$P" 1 30 | awk -v p="$P" 'index($0, p " ") == 1 {$0 = "pool" substr($0, length(p) + 1)} NR < 4 || /^-/ || /^pool / {print; l=0; next} /^[a-z]/ {l = $1 == "logs"} l'
[ -d $S ] || { h gstat; gstat -b -o -I 10s -f "^($(echo $D | tr ' ' '|'))\$"; }
counters after
h end
END
