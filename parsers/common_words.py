"""Words that are not names, or usually mean something else."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# From tool output, systems, makers and storage talk: a host or user with such a name is masked only where the text
# names it as one
COMMON_WORDS = _words(
    """
    about above after again alias all alloc also always amd64 ansible apple archive array async attached avail
    available average backup backups bandwidth bare base basic bench benchmark best beta between bhyve block
    blocks board boot box buffer build bulk bytes cache capacity case center centos check child class clean
    client clone close cloud cluster code command common compute config console container controller copy core
    corsair could count crucial current data database datapool dataset date debian default deleted dell desktop
    device devices digital direct disk diskinfo disks docker does done down drive drives each edit else email
    enable enabled enclosure engine enterprise error errors even event every example export external extra fail
    failed fast fedora field file files filesystem fill find firmware first flash flush force form format forum
    found free freebsd freenas from front full gateway general generic gigabyte global good group groups guest
    guide hard hardware have hello help here high hitachi home host hostname hosts idle image index info input
    install intel interface internal into iostat iscsi jail jails join just keep kernel kingston kioxia know lab
    label large last latency less level library light line linear link linux list live load local localhost
    location lock logical logs long machine macos main make manager many master media memory message meta micron
    mint minutes mirror mixed mode model module monitor more most mount much multi name names near need network
    never next nfs node none normal north note notes number office offline once online only open optane option
    oracle order other output over owner page parent part partition passed path paths percent pfsense phase
    physical plain plex point pool pools port power previous print private process prod product production
    program project protocol proxmox public python qemu queue quick raid raidz random rank rate read reads ready
    real record release remote report reset rest result results root router running runtime samba same samsung
    sandisk save scale scan scratch scsi seagate second sector sectors seek self sense sequential serial server
    servers service session setup shared shell short side single site size slice slot slow small smart smartctl
    solid some source south space spare spares speed sshd standard start state static station status stop
    storage store stripe stuff subsystem such supermicro support switch sync synchronous synology system systems
    table tank target task team temp temperature test testing tests than that their them then there these they
    this those thread threads time timeout timer tmp tool toshiba total trace transfer transport truenas type
    ubuntu unit unknown unraid until update usec used user users value values vault vendor verify version video
    view virtual virtualbox vmware volume volumes wait warning well were west western what when where which
    while whole windows with work worker workstation would write writes year your zero zfs zone zpool zroot zvol
    """
)
# Words in the place of a host or user that name neither
NO_NAME = _words(
    """
    a all an and any are be been but by cache cd client core da debug dev device devices disk disks dmesg do
    done drive drives edit else enterprise error etc example file filename files filesystem fio for freebsd from
    get gnu go has have here host hosts http https i if in info input is it its kernel line linux localhost log
    logs mb me mint mirror my nfs no none not note nothing now null of off on one or our out output path pool
    raw read release result results root run same scale scsi scsi0 see serial server set so some source system
    tank target test that the their them then there these they this those to type unknown unused up update us
    user users value version via warning was we were what when where which while who will windows with write x
    yes you your zfs
    """
)
# Words after "thanks"
NOT_THANKED = _words(
    """
    a again all and any anyone as at but everybody everyone folks for friend friends from gents god goes
    goodness guys heaps how i if in it its ladies lots man many mate me much my no of on once one or people
    really sir so some that the there this to tons u us very we what when with yall you your
    """
)
# Owners of files on every machine
COMMON_GROUPS = _words(
    """
    adm backup bin daemon disk kvm libvirt nobody nogroup operator plugdev staff sudo sys tty users wheel www
    www-data
    """
)
# Commands run at a prompt; a word before one of them may be a host
COMMANDS = _words(
    """
    apt apt-get arp awk bash biolatency biosnoop blkid bonnie bpftrace camcontrol cat cd chmod chown clear cp
    cryptsetup curl date dd df diskinfo dmesg dmidecode docker dpkg dtrace du echo env ethtool exit export fdisk
    fetch find fio for free fstrim geli geom git glabel gpart grep gstat hdparm head history host hostid
    hostname hostnamectl htop id ifconfig iopattern iostat iozone ip ipmitool journalctl kldload kldstat last
    less ln logname logout ls lsblk lscpu lshw lsmod lspci lsscsi lsusb make man mdadm midclt mkdir mkfs modinfo
    modprobe mount mprutil mpsutil multipath mv nano nohup numactl nvme nvmecontrol parted pciconf perccli perl
    pg_test_fsync ping pkg poweroff ps pstree pveperf pveversion pwd reboot rm rsync sar scp screen sed service
    sesutil sgdisk sh shutdown smartctl ssh su sudo sync sysbench sysctl systemctl tail tar taskset tee time
    tmux top touch tree udevadm umount uname unzip uptime vi vim vmstat w watch wget which while who whoami
    wipefs xz zcat zdb zfs zgrep zilstat zpool
    """
)
# Systems that greet with their own name, and words before a name
SYSTEMS = _words(
    """
    alma alpine arch centos debian esxi fedora freebsd freenas gentoo illumos kali linux mint my nas4free nixos
    omnios openindiana openmediavault opnsense our pfsense proxmox qnap raspbian rocky slogdb solaris synology
    the this truenas ubuntu unraid windows xigmanas zfs
    """
)
