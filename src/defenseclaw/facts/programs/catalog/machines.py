"""Machines: file systems, volumes, firmware, buses, power, printers, virtual machines."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.facts import OperationKind as O
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Style
from defenseclaw.facts.programs.files import PROGRAMS as FILES
from defenseclaw.facts.programs.launchers import launch
from defenseclaw.facts.programs.verbs import destroys, each, lists, plain

_FS_LOOKS = (
    "dumpe2fs e2freefrag e2mmpstatus filefrag logsave xfs_bmap xfs_db xfs_estimate xfs_info xfs_logprint xfs_ncheck xfs_spaceman ntfscluster"
    "ntfscmp ntfscat ntfsinfo ntfsls dump.exfat exfat2img exfatattrib mdir minfo btrfs-find-root btrfs-map-logical zdb arc_summary arcstat dbufstat zstreamdump"
    "lvdisplay lvs lvscan lvmdiskscan lvmdump lvmsadc lvmsar lvmconfig pvs pvscan pvdisplay pvck vgs vgscan vgdisplay vgck dmstats repquota quota xqmstats testdisk"
    " sg_logs sg_readcap sg_scan sg_ses sg_turs sg_vpd sginfo sdparm blkparse btrace biosnoop biotop biolatency mdmon dump.f2fs dump.erofs f2fslabel swaplabel lsinitcpio "
)
_FS_CHECKS = "fsck.ext2 fsck.ext3 fsck.ext4 fsck.fat fsck.vfat fsck.exfat fsck.btrfs fsck.xfs fsck.f2fs fsck.minix fsck.cramfs fsck.jfs fsck.msdos fsck.hfsplus dosfsck exfatfsck xfs_repair xfs_scrub ntfsfix e4defrag xfs_fsr fsck_apfs fsck_hfs fsck_msdos"
_FS_CHANGES = (
    "e2label e2undo e2image debugfs e4crypt fscrypt resize.f2fs xfs_admin xfs_copy xfs_freeze xfs_growfs xfs_io xfs_mdrestore xfs_metadump xfs_mkfile xfs_quota ntfscp ntfslabel ntfsresize ntfsundelete ntfsusermap"
    "ntfsrecover tune.exfat exfatlabel fatlabel dosfslabel fatresize mlabel mcopy mmd mtype mren btrfs-convert btrfs-image btrfs-select-super btrfstune btrbk tune.f2fs defrag.f2fs reiserfstune jfs_tune tunefs mksquashfs unsquashfs sqfstar"
    "lvreduce pvcreate mdel mdeltree mformat ntfsclone partimage fsarchiver makefs partclone.ext4 partclone.dd partclone.ntfs partclone.fat partclone.btrfs partclone.xfs clonezilla ocs-sr"
    " lvchange lvconvert lvcreate lvextend lvrename lvresize lvmpolld pvchange pvmove pvresize vgcfgbackup vgcfgrestore vgchange vgconvert vgcreate vgexport vgextend vgimport"
    " vgimportclone vgmerge vgmknodes vgreduce vgrename vgsplit fsadm mdadm multipath mpathconf kpartx quotaon quotaoff quotacheck setquota edquota warnquota photorec scalpel extundelete ext4magic"
    " veritysetup integritysetup clevis luksmeta blockdev blkzone sg_persist sg_reset sg_raw sg_map26 zinject sanoid syncoid zrepl zgenhostid dislocker fusedav squashfuse archivemount fuse-overlayfs mhddfs mergerfs mount.fuse mount.ntfs mount.ntfs-3g mount.smb3 mount.ddi umount.nfs showmount exportfs nfsstat nfsiostat rpcinfo mountstats mountsnoop"
)
_WIPES = "ntfswipe sg_format sg_sanitize sg_unmap nwipe wipe scrub newfs_exfat newfs_msdos newfs_udf mkfs.erofs mkfs.udf mkfs.nilfs2 mkfs.bfs mkfs.cramfs mkudffs mkreiserfs mkfs.reiserfs mkfs.reiser4 mkfs.bcachefs mkfs.ubifs mkfs.jffs2 mkfs.hfsplus mkfs.msdos partclone.restore "
_FIRMWARE_LOOKS = "mokutil efivar efibootdump sbverify grub-probe grub-file grub-script-check grub2-probe grub2-script-check grub-mkpasswd-pbkdf2 grub2-mkpasswd-pbkdf2 acpidump acpixtract vcgencmd i2cdetect i2cdump i2cget gpiodetect gpiofind gpioinfo gpioget gpiomon pinctrl lspcmcia rdmsr ectool vpddecode decode-dimms cpufreq-info x86info msrtool superiotool flashbench lsusb.py usb-devices usbhid-dump edid-decode get-edid parse-edid read-edid lstopo-no-graphics hwloc-info hwloc-diff numademo cpufreq-aperf mstflint hp-info hp-check"
_FIRMWARE = (
    "sbsign sbctl sbkeysync pesign grub-reboot grub-set-default grub-editenv grub-mkimage grub-mkrescue grub-mkstandalone grub2-reboot grub2-set-default grub2-editenv grub2-mkimage grub2-mkrescue grub-customizer refind-install"
    "update-grub2 update-secureboot-policy mkinitramfs unmkinitramfs fw_printenv fw_setenv rpi-eeprom-update rpi-eeprom-config rpi-update raspi-config raspi-gpio raspinfo dphys-swapfile i2cset i2ctransfer gpioset wrmsr cpufreq-set x86_energy_perf_policy powercap-set microcode_ctl"
    "iucode_tool tuned-adm tuned thermald pm-suspend pm-hibernate pm-powersave pm-is-supported undervolt intel-undervolt ryzenadj nbfc fancontrol pwmconfig thinkfan openrgb rivalcfg ratbagctl liquidctl coolero akmods kmodgenca zramctl zramen ksmctl ksmtuned irqbalance rngd rngtest haveged setserial lirc irsend irrecord irw ir-keytable cec-client cec-ctl"
    " cansend candump cangen canplayer cansniffer canbusload slcand slcan_attach tio cu microcom grabserial socketcan ser2net remserial ttyplot putty plink puttygen usbip usbipd usbmuxd ifuse uhubctl ykman ykpersonalize ykinfo yubico-piv-tool opensc-tool pkcs11-tool pkcs15-tool nitropy solo1 fido2-token fido2-cred pcsc_scan pcscd openct-tool tpm2 tpm2_getrandom tpm2_pcrread tpm2_quote tpm2_create"
)
_FLASH = "flashrom flashprog grub-bios-setup syslinux bootiso woeusb ventoy balena-etcher rpi-imager fwts "
_PRINT = "lpoptions lpmove cupsaccept cupsreject cupsdisable cupsctl cupsfilter cupstestdsc cupstestppd cups-config ipptool ippfind ippeveprinter ippproxy lpc escputil hp-setup hp-plugin hp-scan hp-levels hp-toolbox system-config-printer scanadf scanbd sane-find-scanner brsaneconfig4 foomatic-rip gtklp ppdc ppdhtml ppdi ppdmerge ppdpo rastertopwg"
_TIME = "tuptime uprecords tzconfig zdump zic tzupdate rdate htpdate ntptime ntpdc openntpd chronyd ntpd ptp4l phc2sys pmc ts2phc"
_SNAPSHOTS = "virt-cat virt-copy-in virt-copy-out virt-customize virt-edit virt-filesystems virt-get-kernel virt-host-validate virt-inspector virt-log virt-make-fs virt-pki-validate virt-rescue virt-resize virt-sparsify virt-sysprep virt-tail virt-tar-in virt-tar-out virt-top virt-what virt-win-reg virt-xml virt-xml-validate virt-v2v virt-p2v virtiofsd qemu-io qemu-ga qemu-storage-daemon qemu-system-riscv64 qemu-system-i386 qemu-system-ppc64 qemu-system-mips qemu-system-s390x qemu-system-arm qemu-system-sparc qemu-riscv64 quickget vmware vmplayer ovftool bhyve bhyvectl bhyveload jls crosvm lkvm kvm-ok kvmtool qmeventd pveversion pveperf pvereport pvesubscription supermin guestmount guestunmount nbdkit nbdinfo nbdcopy nbdsh nbd-client nbd-server cloud-localds cloud-init cloud-id looking-glass-client spicy remote-viewer vde_switch"
_VM_MANAGERS = "qm pct pvesh pveum pvesm pveam pvecm pvenode ha-manager qmrestore vzdump proxmox-backup-client proxmox-backup-manager xl xm xe vzctl jail bastille iocage ezjail-admin pot vmadm imgadm govc esxcli vim-cmd tart lume krunvm macadam"
_MAC = "dot_clean setfile getfileinfo lsbom pkgbuild productbuild productsign qlmanage tccplus systemkeychain dsmemberutil hidutil screencaptureui textedit nettop dsexport dsimport fileproviderctl sharing certtool xip codesign_allocate vtool segedit pagestuff ctf_insert unifdef unifdefall mig sdef sdp desdp"
_MAC_DAEMONS = (
    "accountsd addressbooksourcesync airportd akd amfid analyticsd apfsd aslmanager assertiond authd avconferenced awdd backupd bird biometrickitd bluetoothd bluetoothuserd cfprefsd cloudd cloudpaird cloudphotod commcenter configd"
    "contactsd coreaudiod coreauthd corebrightnessd coreduetd coreservicesd corespotlightd coresymbolicationd cryptexd ctkd cvmsserver dasd diagnosticd diskarbitrationd distnoted dynamic_pager endpointsecurityd fileproviderd"
    "filecoordinationd fmfd fontd fseventsd gamed hidd homed iconservicesagent identityservicesd imagent installd keyboardservicesd launchservicesd linkd locationd logd maild mapspushd mdnsresponder mds mds_stores mdworker"
    " mediaanalysisd mediaremoted mobileassetd nehelper nesessionmanager netbiosd newsd notifyd nsurlsessiond ocspd opendirectoryd parentalcontrolsd passd pboard photoanalysisd photolibraryd pkd powerd rapportd remindd remoted"
    " reportcrash routined rtcreportingd screensharingd secd secinitd securityd sharingd siriknowledged softwareupdated storeaccountd storeassetd suggestd symptomsd syspolicyd tccd thermalmonitord timed trustd universalaccessd"
    " usbd usernoted useractivityd warmd watchdogd wifid windowserver xartstorageremoted xpcproxy launchd launchd_debugd sntpd systemstatsd autofsd automountd bootpd rpc.lockd rpc.statd taskgated uninstalld usermanagerd cloudconfigurationd dprivacyd biomed "
)
_OPTIONS = "o= n= s= p= t= l= m= u= d f,force a,all v,verbose q,quiet y,yes L= U= g,get= list dry-run set-guid= r,read=log programmer= initial-size= h,help V,version"

PROGRAMS: Mapping[str, E] = {
    **lists(f"{_FS_LOOKS} {_FIRMWARE_LOOKS}", _OPTIONS), **each(_FS_CHECKS, E("a p y f,force n,dry-run,no-modify v,verbose r L c b= B= t T d w l C= V h,help", "stat*", preview="help version no-modify")),
    **each(_FS_CHANGES, E(_OPTIONS, "stat*")), **each(_WIPES, E(_OPTIONS + " s=source O=word overwrite=word w wipe= b,batch r,restore-image", "delete*", ops=(O.DISK_WRITE,))),
    "lvm": E(ordered=True, special=launch), **each("dmsetup", E("force noheadings c o=", verbs={**each("remove remove_all wipe_table", E("f,force retry deferred", ops=(O.DISK_WRITE,))), "*": E("c o= tree")})),
    **each("dcfldd dc3dd", FILES["dd"]), **plain(f"{_FIRMWARE} {_PRINT} {_TIME} {_SNAPSHOTS}", _OPTIONS),
    **each(_FLASH, E("p,programmer= w,write=source r,read=write v,verify=source E,erase l,layout= i,image= f,force n,noverify c,chip= d= t= h,help version", "word*", ops=(O.DISK_WRITE,), preview="help version read verify")),
    **each(_VM_MANAGERS, E("node= output-format= full purge force h,help", verbs={**destroys("destroy delete remove rm undefine delvm delsnapshot prune forget", "purge destroy-unreferenced-disks skiplock force"),
                           **each("exec enter guest console", E("", ordered=True, ops=(O.WORKLOAD_EXEC,))), **lists("list ls status config show info get"), "*": E("skiplock force", "word*")})),
    **plain(_MAC), **plain(_MAC_DAEMONS),
    **each("hwloc-bind likwid-pin likwid-perfctr cpuset", E("cpubind= membind= N,cpunodebind= m= i,interleave= l p,physcpubind= C,physcpulist= H,hardware s,show c= g= a r f o d b h,help", "command*", ordered=True, special=launch)),
    **plain("crond cron cronie fcron dcron", "n f,foreground l= L= d= s p x= h,help V,version"), **each("faillog utmpx lslogins lastcomm sa accton ac accttest dump-acct dump-utmp psacct", E("a u,user= r m= l= f=log h,help", "word*", ops=(O.LIST,))),
    "setterm": E("term= cursor= blank= powersave= foreground= background= reset clear? h,help", style=Style.GNU),
}  # fmt: skip
