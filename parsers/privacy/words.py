"""Words that are not names, or usually mean something else."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# From tool output, systems, makers and storage talk: a host or user with such a name is masked only where the text
# names it as one
COMMON_WORDS = _words(
    """
    about above address after again alias all alle alloc also always amd64 ansible apple archive array async ata
    attached avail available average backplane backup backups bandwidth bare base basic bench benchmark best
    beta between bhyve bill block blocks board boolean boot box buffer build bulk bytes cable cache capacity
    case center centos chassis check child chip class clean client clone close cloud cluster code command common
    compute config console container controller copy core corsair could count crucial current data database
    datapool dataset date dean debian default deleted dell desktop device devices digital direct disk diskinfo
    disks docker does done down drew drive drives each edit else email enable enabled enclosure engine
    enterprise error errors even event every everybody everyone example expander experts export external extra
    fail failed false fast fedora field file files filesystem fill find firmware first flash flush folks force
    form format forum found frank free freebsd freenas friends from front full gateway general generic gents
    gigabyte global good grant group groups guest guide gurus guys hard hardware have hba hdd hello help here
    high hitachi home host hostname hosts hypervisor idle image index info input install integer intel interface
    internal into iostat iscsi jail jails jbod join just keep keepenv kernel kingston kioxia know l2arc lab
    label ladies large last latency less leute level library light line linear link linux list live load local
    localhost location lock logical logs long machine macos main make manager manual many mark master media
    members memory message meta micron mike mint minutes mirror mixed mode model module monitor more most
    motherboard mount much multi name names near need network never next nfs node nolog none nopass normal north
    note notes null number nvme object office offline once online only open optane option oracle order other
    output over owner page parent part partition passed path paths pcie percent persist pfsense phase physical
    plain plex point pool pools port power previous print private process prod product production program
    project protocol proxmox public python qemu queue quick raid raidz random rank rate read reads ready real
    record release remote report reset rest result results root router rrd running runtime samba same samsung
    sandisk sas sata save scale scan scratch scsi seagate second sector sectors seek self sense sensor
    sequential serial server servers service session setup shared shell short side single site size slice slog
    slot slow small smart smartctl solid some source south space spare spares speed ssd sshd standard start
    state static station status stop storage store string stripe stuff subsystem such supermicro support switch
    sync synchronous synology system systems table tank target task team temp temperature test testing tests
    than that their them then there these they this those thread threads time timeout timer times tmp token tool
    toshiba total tous trace transfer transport true truenas type ubuntu undefined unit unknown unraid until
    update usb usec used user users value values vault vendor verify version video view virtual virtualbox
    vmware volume volumes wait warning well were west western what when where which while whole will windows
    with work worker workstation would write writes year your zero zfs zil zone zpool zroot zusammen zvol
    """
)
# Words in the place of a host or user that name neither
NO_NAME = _words(
    """
    a aarch64 all amd64 an and any are arm64 be been but by cache called cd client core da debug dev device
    devices disk disks dmesg do done drive drives edit else enterprise error etc example file filename files
    filesystem fio for freebsd from get gnu go has have here host hosts http https i i386 i686 if in info
    input into is it its kernel line linux localhost log logs mb me mint mirror my named nfs no none not
    note nothing now null of off on one or our out output path pool raw read release result results root run
    same scale scsi scsi0 see serial server set so some source system tank target test that times the their them
    then there these they this those to type unknown unused up update us user users value version via
    warning was we were what when where which while who will windows with write x x86_64 yes you your zfs
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
# What pools, data sets and folders are called after: hardware, file systems, what they hold
STORAGE_WORDS = _words(
    """
    ada appdata apps arc base big bpool bsd btrfs bw checksum clat cold config configuration creation crucial ct
    dataset datasets datastore degraded detail details devtmpfs diskid diskinfo docs documents dos download
    downloads example exfat expansion exported ext2 ext3 ext4 fast faster fastest feature features fio flashpool
    flush geometry gpt gptid hdd hdds health healthy hot huge img imported iodepth iops iscsi iso isos itself
    ix-applications job jobfile jobfiles jobs kingston l2arc lat latency layout lib log lun lvm lvol lxc may mbr md
    media member members micron movies music mypool new nfs none ntfs numjobs nvd nvdimm nvme nvram old opt output
    outputs overlay parameters pbs performance photos pmem private properties property public pve qemu radian raidz1
    raidz2 raidz3 ram ramdisk ramfs rand randread randrw randwrite read results rootfs rpool rust rwmix samples
    samsung sas sata scratch sda sdb sdc sdd seagate seq seqread seqwrite share shares slog slogtest slow smb
    spinning srv ssd ssds stripe subvol suspended testfile tmp tmpfs topology torrent torrents udev ufs upgrade
    usage usb usr var vdev vdevs vdisk videos vms vmstore vol vols work write xfs zeus zeusram zil zroot zvol zvols
    """
)
# Words that are joined to name what a pool is made of or for: "ssdpool", "fastvms"
JOINED_WORDS = _words(
    """
    arc backup backups base bench benchmark boot btrfs cache data dataset datasets disk disks drive drives fast
    faster file files fio flash hdd hdds home image images img iscsi iso isos log logs lun lvm main media meta
    mirror nfs nvd nvdimm nvme optane pmem pool pools raid raidz ram root rust sas sata scratch share shares
    single slog slow smb spare special ssd ssds storage store stripe sync tank temp test testing tmp usb
    vdisk vms vol vols volume volumes zfs zil zvol zvols
    """
)
# Names that installers and handbooks give, and file systems without a device
USUAL_POOLS = _words(
    "rpool bpool zroot boot-pool freenas-boot tank mypool tmpfs overlay udev none rootfs ramfs devtmpfs"
)
# Commands run at a prompt; a word before one of them may be a host
COMMANDS = _words(
    """
    adduser apk apt apt-cache apt-get arc_summary arcconf arcstat arp ash awk badblocks bash bcache bcachefs
    beadm bectl bhyve biolatency biosnoop biotop blkdiscard blkid blktrace blockdev bonnie borg bpftrace brew
    bsdlabel btrfs camcontrol cargo cat cd cfdisk cfgadm chflags chgrp chmod chown chroot chsh clear cmake cmp
    cp cpupower cron crontab cryptsetup csh ctladm curl date dbench dbufstat dd debugfs devctl df dhclient diff
    dig diskinfo diskutil dladm dmesg dmidecode dmsetup dnf doas docker dpkg drill dtrace du dumpfs e2fsck echo
    ee egrep emacs emerge env esxcfg-scsidevs esxcli ethtool exit export ezjail-admin fdisk fetch fgrep
    filebench find findmnt fio flashrom flashupdt flock for free freebsd-update freebsd-version fsck fstat
    fstrim fsx fuser fwupdmgr gcc gdb geli geom getconf getent getfacl git glabel gmirror gmultipath gnop gpart
    grep grub-install gstat gstripe gunzip gzip hddtemp hdparm head hexdump history host hostid hostname
    hostnamectl hpssacli htop id ifconfig incus intelmas inxi iocage ionice iopattern ioping ioreg iostat iotop
    iozone ip ipfw ipmicfg ipmitool iscsiadm iscsictl isdct jexec jls journalctl jq k3s kextstat kill killall
    kldload kldstat kldunload kpartx ksh kubectl last launchctl ledctl less lftp ln loginctl logname logout
    losetup ls lsblk lscpu lshw lsiutil lsmod lsof lspci lsscsi lsusb ltrace lvcreate lvdisplay lvs lxc make man
    mc mdadm mdconfig megacli memtester midclt mkdir mke2fs mkfs mkswap modinfo modprobe mount mount_nfs
    mount_smbfs mpathadm mprutil mpsutil mt mtr multipath mv mvcli nano ncdu netstat networksetup newfs nfsstat
    nix nix-shell nohup npm nproc nslookup numactl nvme nvmecontrol omreport openssl pacman parted partprobe
    passwd pciconf pct perccli perl pfctl pg_test_fsync pgbench pgrep pico pidstat ping pip pkg pkg_info pkill
    pmset portsnap poweroff powershell powertop printenv printf procstat prtconf prtdiag ps pstree pv pvcreate
    pvdisplay pvecm pveperf pvesm pveversion pvs pwd qm rclone readlink realpath reboot renice resize2fs restic
    rm rmdir rpm rsync ruby sanoid sar scp screen scutil sdparm sed sedutil-cli seq service sesutil set setenv
    sfdisk sg_format sgdisk sh sha256sum shutdown smartctl smartd smbclient smbstatus sockstat ss ssacli ssh
    ssh-copy-id ssh-keygen sshfs stat strace stress-ng stty su sudo svcadm svcs sw_vers swapctl swapoff swapon
    sync syncoid sysbench sysctl system_profiler systemctl systemd-analyze tail tailscale tar targetcli taskset
    tcpdump tee testparm time timedatectl tmux top touch traceroute tree truss tune2fs tunefs turbostat tw_cli
    udevadm ulimit umount uname uniq unset unzip upsc uptime useradd usermod vdbench vgcreate vgs vi vim virsh
    visudo vm vmkfstools vmstat vmtouch w watch wc wg wget whereis which while who whoami wipefs xargs xfs_info
    xfs_io xxd xz yum zcat zdb zed zfs zfs-stats zgenhostid zgrep zhack zilstat zinject zless zpool zrepl zsh
    zstd zstream zstreamdump ztest zypper
    """
)
# Systems that greet with their name, and words before a name
SYSTEMS = _words(
    """
    alma alpine arch centos debian esxi fedora freebsd freenas gentoo illumos kali linux mint my nas4free nixos
    omnios openindiana openmediavault opnsense our pfsense proxmox qnap raspbian rocky slogdb solaris synology
    the this truenas ubuntu unraid windows xigmanas zfs
    """
)
# What the whole world reads, up to a part in front: no machines
PUBLIC_DOMAINS = _words(
    """
    amazon.com amazonaws.com apple.com archlinux.org ask.com blogspot.com broadcom.com crystalmark.info
    debian.org dell.com docker.com dragonflybsd.org ebay.com fedoraproject.org freebsd.org freenas.org
    geizhals.de gitbook.com github.com githubusercontent.com gitlab.com gmail.com gnu.org google.com
    googleapis.com hardwareluxx.de hetzner.com hp.com hpe.com ibm.com illumos.org imgur.com intel.com
    ixsystems.com kernel.dk kernel.org kingston.com kioxia.com launchpad.net lenovo.com lsi.com
    mail-archive.com medium.com micron.com microsoft.com netapp.com netbsd.org netgate.com nvmexpress.org
    openbsd.org opensuse.org openzfs.org oracle.com pastebin.com proxmox.com python.org qnap.com
    readthedocs.org reddit.com redhat.com samsung.com seagate.com serverfault.com servethehome.com
    smartmontools.org solidigm.com sourceforge.net stackexchange.com stackoverflow.com supermicro.com
    synology.com t10.org t13.org toshiba.com truenas.com ubuntu.com unraid.net vmware.com wdc.com
    westerndigital.com wikipedia.org wordpress.com xigmanas.com youtube.com zfsonlinux.org
    """
)
# Accounts of projects and companies on sites for source code, and pages of these sites
PUBLIC_ACCOUNTS = _words(
    """
    45drives about amd ansible apache apple apps archlinux axboe broadcom collections debian docker facebook
    features fedora freebsd freenas gentoo gist google gorhill grafana hashicorp home-assistant homebrew hpe
    illumos influxdata intel issues ixsystems jimsalterjrs joyent kubernetes library lightbits linux linux-nvme
    linuxserver llvm login marketplace mariadb microsoft mysql netapp netbsd netdata nginx nixos nvidia omniosorg
    openbsd openindiana openmediavault openzfs opnsense oracle orgs pfsense postgres prometheus proxmox pulls
    python raw red-hat redhat repos search seagate settings smartmontools snapraid spdk sponsors storage-tooling
    stackexchange systemd thomas-krenn topics torvalds trending truenas ubuntu unraid users util-linux vmware
    westerndigitalcorporation xigmanas zfsonlinux zrepl
    """
)
WEEKDAYS = _words(
    "mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday today yesterday"
)
