"""Cmdlets for disks, accounts, protection, logs and directories."""

from __future__ import annotations

from collections.abc import Iterable

from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry, Special, names
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.programs.windows.cmdlet import bind, cmdlet, on, reader, value

ADMINISTRATORS = frozenset(
    {"administrators", "s-1-5-32-544", "domain admins", "enterprise admins", "schema admins",
     "remote desktop users", "administratoren", "administrateurs", "administradores"}
)  # fmt: skip

# Stores of those whom the machine believes.
ROOT_STORES = frozenset(
    {"root", "authroot", "ca", "trustedpublisher", "trustedpeople", "enterprise"}
)
_GUARDING = ("defender", "bitlocker", "applocker", "credential-guard")
_HERE = frozenset({"127.0.0.1", "::1", "loopback", "localsubnet"})


def mark_feature(inv: Invocation, texts: Iterable[str]) -> None:
    """Features of the system that are removed; some of them protect it."""
    if any(word in text.lower() for text in texts for word in _GUARDING):
        inv.trait(Trait.PROTECTION_OFF)


def _feature(inv: Invocation) -> None:
    bind(inv)
    mark_feature(inv, [word.value or "" for word in inv.parsed.all_values("name")])
    mark_feature(inv, [word.value or "" for word in inv.parsed.all_values("featurename")])


def _trust(inv: Invocation) -> None:
    """A certificate put into a store of those whom the machine believes."""
    bind(inv)
    if (
        value(inv, "certstorelocation").replace("/", "\\").rstrip("\\").rpartition("\\")[2]
        in ROOT_STORES
    ):
        inv.trait(Trait.TRUST_ANCHOR)


def _lets_in(inv: Invocation) -> None:
    """A rule of the firewall: inbound and allowing unless it says otherwise."""
    bind(inv)
    makes = inv.fact.program == "new-netfirewallrule"
    inbound = value(inv, "direction") in (("", "inbound") if makes else ("inbound",))
    allows = value(inv, "action") in (("", "allow") if makes else ("allow",))
    switched_on = inv.fact.program == "enable-netfirewallrule" or value(inv, "enabled") == "true"
    near = value(inv, "localaddress") in _HERE or value(inv, "remoteaddress") in _HERE
    if not near and ((inbound and allows) or (switched_on and not makes)):
        inv.trait(Trait.INBOUND_OPEN)


def _defender(inv: Invocation) -> None:
    """Set-MpPreference: a protection that is switched off."""
    bind(inv)
    off = any(
        option.name.startswith(("disable", "puaprotection", "enable"))
        and (option.name.startswith("disable") is ((word.value or "").lower() in ("true", "1")))
        for option, word in inv.parsed.values
    )
    bare = any(name.startswith("disable") for name in inv.parsed.options) and not inv.parsed.values
    if off or bare:
        inv.trait(Trait.PROTECTION_OFF)


def _exclusion(inv: Invocation) -> None:
    """Add-MpPreference: a place that the scanner leaves out."""
    bind(inv)
    if any(o.name.startswith("exclusion") for o, _ in inv.parsed.values):
        inv.trait(Trait.PROTECTION_OFF)


def _firewall_profile(inv: Invocation) -> None:
    bind(inv)
    if value(inv, "enabled") in ("false", "0") or value(inv, "defaultinboundaction") == "allow":
        inv.trait(Trait.PROTECTION_OFF)


def _membership(inv: Invocation) -> None:
    """A member of a group; of administrators it is a grant."""
    bind(inv)
    groups = {value(inv, name) for name in ("group", "identity", "name", "sid")}
    if groups & ADMINISTRATORS:
        inv.trait(Trait.ADMIN_GRANT)


def marked(*traits: Trait) -> Special:
    """A special that adds traits."""

    def special(inv: Invocation) -> None:
        bind(inv)
        inv.trait(*traits)

    return special


def _clear_disk(inv: Invocation) -> None:
    bind(inv)
    inv.op(O.DISK_WRITE)


def _mitigation(inv: Invocation) -> None:
    bind(inv)
    if on(inv, "disable") or value(inv, "disable"):
        inv.trait(Trait.PROTECTION_OFF)


def _history(inv: Invocation) -> None:
    """Set-PSReadLineOption: nothing is kept any more, or somewhere else."""
    bind(inv)
    if value(inv, "historysavestyle") == "savenothing" or value(inv, "historysavepath") == "nul":
        inv.trait(Trait.HISTORY_CLEAR)


_MP = (
    "disablerealtimemonitoring,drtm=any disablebehaviormonitoring=any disableblockatfirstseen=any disableioavprotection=any"
    " disablescriptscanning=any disableprivacymode=any disablearchivescanning=any disableemailscanning=any"
    " disableintrusionpreventionsystem=any disableremovabledrivescanning=any disablerestorepoint=any disablecatchupfullscan=any"
    " disablecatchupquickscan=any enablenetworkprotection=any enablecontrolledfolderaccess=any puaprotection=any mapsreporting=any"
    " submitsamplesconsent=any exclusionpath=any exclusionextension=any exclusionprocess=any exclusionipaddress=any"
    " attacksurfacereductionrules_ids=any attacksurfacereductionrules_actions=any attacksurfacereductiononlyexclusions=any"
    " signatureupdateinterval=any scanscheduleday=any scanavgcpuloadfactor=any lowthreatdefaultaction=any severethreatdefaultaction=any"
    " highthreatdefaultaction=any moderatethreatdefaultaction=any unknownthreatdefaultaction=any cloudblocklevel=any force"
)
_DISK = "^number,disknumber@0=any uniqueid=any friendlyname=any path=any inputobject=any removedata removeoem zerooutentiredisk passthru partitionnumber=any driveletter=any"
_VOLUME = "^driveletter@0=any objectid=any filesystemlabel,newfilesystemlabel=any path=any partition=any inputobject=any filesystem=any allocationunitsize=any full force compress shortfilenamesupport setintegritystreams=any newfilesystemlabel=any dedupmode=any"
_GROUP = "group,name@0=any sid=any member,members@1=any identity=any"
_USER = "name@0=any identity=any password=any nopassword fullname=any description=any disabled accountexpires=any accountneverexpires passwordneverexpires usermaynotchangepassword samaccountname=any enabled=any accountpassword=any path=any server=any credential=any inputobject=any sid=any"
_RULE = "name=any displayname=any direction=any action=any protocol=any localport=any remoteport=any localaddress=any remoteaddress=any program=any service=any profile=any enabled=any description=any group=any displaygroup=any inputobject=any all interfacealias=any edgetraversalpolicy=any"


def _account(options: str = _USER) -> Entry:
    return cmdlet(options, O.ACCOUNT_CHANGE)


_SQL = "query@0=sql inputfile=script serverinstance=host database=any username=any password=any connectionstring=any querytimeout=any trustservercertificate variable=any hostname=any encrypt=any credential=any"
# Modules of cloud providers: what is removed is gone with its data.
_CLOUD_REMOVALS = names(
    """remove-azresourcegroup remove-azresource remove-azvm remove-azstorageaccount remove-azstoragecontainer
    remove-azstorageblob remove-azsqldatabase remove-azsqlserver remove-azcosmosdbaccount remove-azkeyvault
    remove-azkeyvaultsecret remove-azkeyvaultkey remove-azaks remove-azakscluster remove-azwebapp remove-azfunctionapp
    remove-azdisk remove-azsnapshot remove-azvirtualnetwork remove-azcontainerregistry remove-azdnszone remove-azaduser
    remove-s3bucket remove-s3object remove-ec2instance remove-ec2volume remove-ec2snapshot remove-rdsdbinstance
    remove-rdsdbcluster remove-ddbtable remove-iamuser remove-iamrole remove-lmfunction remove-ekscluster remove-cfnstack
    remove-secsecret remove-gcsbucket remove-gceinstance"""
)
_CLOUD = "name,bucketname,instanceid,dbinstanceidentifier,stackname@0=any resourcegroupname,rg=any id,resourceid=any key=any servername=any databasename=any vaultname=any context=any container=any blob=any inputobject=any force asjob passthru deletebucketcontent skipfinalsnapshot region=any profilename=any subscriptionid=any"

CMDLETS = {
    **{name: cmdlet(_CLOUD, O.DELETE, traits=(Trait.DESTROYS_RESOURCE,)) for name in _CLOUD_REMOVALS},
    "invoke-sqlcmd": cmdlet(_SQL),
    "clear-disk": cmdlet(_DISK, O.WRITE, special=_clear_disk),
    "initialize-disk": cmdlet(f"{_DISK} partitionstyle=any", O.WRITE, O.DISK_WRITE),
    "remove-partition": cmdlet(_DISK, O.DELETE, O.DISK_WRITE),
    "format-volume": cmdlet(_VOLUME, O.WRITE, O.DISK_WRITE),
    "reset-physicaldisk": cmdlet(_DISK, O.WRITE, O.DISK_WRITE),
    "remove-virtualdisk": cmdlet(_DISK, O.DELETE, O.DISK_WRITE),
    "remove-storagepool": cmdlet(_DISK, O.DELETE, O.DISK_WRITE),
    "new-partition": cmdlet(f"{_DISK} usemaximumsize assigndriveletter size=any", O.CONFIG_CHANGE),
    "resize-partition": cmdlet(f"{_DISK} size=any", O.CONFIG_CHANGE),
    "set-volume": cmdlet(_VOLUME, O.CONFIG_CHANGE),
    "repair-volume": cmdlet(f"{_VOLUME} scan spotfix offlinescanandfix", O.CONFIG_CHANGE),
    "dismount-diskimage": cmdlet("imagepath@0=stat devicepath=any inputobject=any passthru"),
    "mount-diskimage": cmdlet("imagepath@0=read storagetype=any access=any nodriveletter inputobject=any passthru"),
    "disable-bitlocker": cmdlet("mountpoint@0=any", O.CONFIG_CHANGE, special=marked(Trait.PROTECTION_OFF)),
    "suspend-bitlocker": cmdlet("mountpoint@0=any rebootcount=any", O.CONFIG_CHANGE, special=marked(Trait.PROTECTION_OFF)),
    "enable-bitlocker": cmdlet("mountpoint@0=any encryptionmethod=any password=any recoverypasswordprotector passwordprotector tpmprotector startupkeyprotector startupkeypath=any usedspaceonly skiphardwaretest", O.CONFIG_CHANGE),
    "disable-computerrestore": cmdlet("drive@0=any", O.CONFIG_CHANGE, special=marked(Trait.PROTECTION_OFF)),
    "enable-computerrestore": cmdlet("drive@0=any", O.CONFIG_CHANGE),
    "restore-computer": cmdlet("restorepoint@0=any", O.CONFIG_CHANGE),
    "checkpoint-computer": cmdlet("description@0=any restorepointtype@1=any"),
    "set-mppreference": cmdlet(_MP, O.CONFIG_CHANGE, special=_defender),
    "add-mppreference": cmdlet(_MP, O.CONFIG_CHANGE, special=_exclusion),
    "remove-mppreference": cmdlet(_MP, O.CONFIG_CHANGE),
    "start-mpscan": cmdlet("scantype=any scanpath=any asjob"),
    "update-mpsignature": cmdlet("updatesource=any asjob"),
    "remove-mpthreat": cmdlet("threatid=any"),
    "set-processmitigation": cmdlet("name@0=any system enable=any disable=any policyfilepath=read reset remove force", O.CONFIG_CHANGE, special=_mitigation),
    "set-netfirewallprofile": cmdlet("name,profile@0=any all enabled=any defaultinboundaction=any defaultoutboundaction=any allowinboundrules=any notifyonlisten=any logfilename=any logallowed=any logblocked=any policystore=any gpobject=any", O.CONFIG_CHANGE, special=_firewall_profile),
    "new-netfirewallrule": cmdlet(_RULE, O.CONFIG_CHANGE, special=_lets_in),
    "set-netfirewallrule": cmdlet(_RULE, O.CONFIG_CHANGE, special=_lets_in),
    "enable-netfirewallrule": cmdlet(_RULE, O.CONFIG_CHANGE, special=_lets_in),
    "disable-netfirewallrule": cmdlet(_RULE, O.CONFIG_CHANGE, special=marked(Trait.PROTECTION_OFF)),
    "remove-netfirewallrule": cmdlet(_RULE, O.CONFIG_CHANGE, special=marked(Trait.PROTECTION_OFF)),
    "clear-eventlog": cmdlet("logname,ln@0=any computername@1=host", O.DELETE, special=marked(Trait.LOG_WIPE)),
    "remove-eventlog": cmdlet("logname@0=any computername@1=host source=any", O.DELETE, special=marked(Trait.LOG_WIPE)),
    "limit-eventlog": cmdlet("logname@0=any computername=host retentiondays=any overflowaction=any maximumsize=any", O.CONFIG_CHANGE),
    "new-eventlog": cmdlet("logname@0=any source=any computername=host categoryresourcefile=any messageresourcefile=any", O.CONFIG_CHANGE),
    "write-eventlog": cmdlet("logname@0=any source@1=any eventid@2=any entrytype@3=any message@4=text category=any computername=host rawdata=any"),
    "clear-history": cmdlet("id@0=any commandline=any count@1=any newest"),
    "set-psreadlineoption": cmdlet("historysavestyle=any historysavepath=any editmode=any predictionsource=any predictionviewstyle=any maximumhistorycount=any historynoduplicates colors=any bellstyle=any historysearchcursormovestoend showtooltips", special=_history),
    "add-localgroupmember": cmdlet(_GROUP, O.ACCOUNT_CHANGE, special=_membership),
    "remove-localgroupmember": _account(_GROUP),
    "new-localgroup": _account("name@0=any description=any"),
    "remove-localgroup": _account("name@0=any sid=any inputobject=any"),
    "new-localuser": _account(),
    "set-localuser": _account(),
    "remove-localuser": _account(),
    "enable-localuser": _account(),
    "disable-localuser": _account(),
    "add-adgroupmember": cmdlet("identity@0=any members@1=any server=any credential=any passthru partition=any membertimetolive=any authtype=any", O.ACCOUNT_CHANGE, special=_membership),
    "remove-adgroupmember": _account("identity@0=any members@1=any server=any credential=any"),
    "new-aduser": _account(),
    "set-aduser": _account(f"{_USER} add=any replace=any remove=any clear=any"),
    "remove-aduser": _account(),
    "set-adaccountpassword": _account("identity@0=any oldpassword=any newpassword=any reset server=any credential=any"),
    "unlock-adaccount": _account("identity@0=any server=any"),
    "disable-adaccount": _account("identity@0=any server=any"),
    "remove-adobject": cmdlet("identity@0=any recursive server=any credential=any", O.DELETE, O.ACCOUNT_CHANGE),
    "remove-adcomputer": cmdlet("identity@0=any server=any credential=any", O.DELETE, O.ACCOUNT_CHANGE),
    "get-adgroupmember": reader("identity@0=any recursive", O.LIST),
    "get-localgroupmember": reader("group@0=any", O.LIST),
    "get-localuser": reader("name@0=any", O.LIST),
    "get-localgroup": reader("name@0=any", O.LIST),
    "get-storedcredential": reader("target=any", O.CREDENTIAL_READ),
    "get-secret": reader("name@0=any vault@1=any asplaintext", O.CREDENTIAL_READ),
    "set-secret": cmdlet("name@0=any secret@1=any vault@2=any noclobber metadata=any securestringsecret=any"),
    "get-credential": reader("credential@0=any message=any username=any title=any"),
    "export-pfxcertificate": cmdlet("cert@0=any filepath@1=write password=any protectto=any chainoption=any nopropertiesexport force", O.CREDENTIAL_READ, O.WRITE),
    "import-pfxcertificate": cmdlet("filepath@0=read certstorelocation@1=any password=any exportable", O.CONFIG_CHANGE, special=_trust),
    "import-certificate": cmdlet("filepath@0=read certstorelocation@1=any", O.CONFIG_CHANGE, special=_trust),
    "export-certificate": cmdlet("cert@0=any filepath@1=write type=any force noclobber", O.WRITE),
    "new-selfsignedcertificate": cmdlet("type=any subject=any dnsname=any certstorelocation=any keyusage=any friendlyname=any notafter=any textextension=any keyexportpolicy=any keyspec=any keylength=any keyalgorithm=any hashalgorithm=any provider=any signer=any keyusageproperty=any"),
    "enable-windowsoptionalfeature": cmdlet("featurename@0=any online all norestart path=any source=any", O.CONFIG_CHANGE),
    "disable-windowsoptionalfeature": cmdlet("featurename@0=any online remove norestart path=any", O.CONFIG_CHANGE, special=_feature),
    "uninstall-windowsfeature": cmdlet("name@0=any restart remove includemanagementtools computername=host credential=any vhd=any logpath=log", O.CONFIG_CHANGE, special=_feature),
    "remove-windowsfeature": cmdlet("name@0=any restart includemanagementtools computername=host", O.CONFIG_CHANGE, special=_feature),
    "remove-windowscapability": cmdlet("name=any online", O.CONFIG_CHANGE, special=_feature),
    "install-windowsfeature": cmdlet("name@0=any restart includeallsubfeature includemanagementtools computername=host credential=any source=any vhd=any logpath=log", O.CONFIG_CHANGE),
    "add-windowscapability": cmdlet("name=any online source=any limitaccess", O.CONFIG_CHANGE),
    "remove-appxpackage": cmdlet("package@0=any allusers preserveapplicationdata user=any", O.DELETE),
    "add-appxpackage": cmdlet("path@0=read register forceapplicationshutdown dependencypath=any disabledevelopmentmode volume=any", O.WRITE),
    "set-date": cmdlet("date@0=any adjust=any displayhint=any", O.CONFIG_CHANGE),
    "set-timezone": cmdlet("name@0=any id=any inputobject=any passthru", O.CONFIG_CHANGE),
    "set-dnsclientserveraddress": cmdlet("interfacealias@0=any interfaceindex=any serveraddresses=any resetserveraddresses addressfamily=any", O.CONFIG_CHANGE),
    "new-netipaddress": cmdlet("ipaddress@0=any interfacealias=any interfaceindex=any prefixlength=any defaultgateway=any addressfamily=any", O.CONFIG_CHANGE),
    "disable-netadapter": cmdlet("name@0=any interfacedescription=any", O.CONFIG_CHANGE),
    "new-smbshare": cmdlet("name@0=any path@1=meta fullaccess=any readaccess=any changeaccess=any description=any", O.CONFIG_CHANGE),
    "new-psdrive": cmdlet("name@0=any psprovider@1=any root@2=any description=any scope=any persist credential=any"),
    "remove-psdrive": cmdlet("name@0=any psprovider=any scope=any force literalname=any"),
    "new-vm": cmdlet("name@0=any memorystartupbytes=any generation=any newvhdpath=any newvhdsizebytes=any vhdpath=any switchname=any path=any", O.CONFIG_CHANGE),
    "remove-vm": cmdlet("name@0=any vm=any force", O.DELETE),
    "stop-vm": cmdlet("name@0=any vm=any force turnoff save", O.PROCESS_KILL),
    "uninstall-module": cmdlet("name@0=any requiredversion=any minimumversion=any maximumversion=any allversions force allowprerelease inputobject=any", O.DELETE),
    "uninstall-package": cmdlet("name@0=any requiredversion=any allversions force inputobject=any", O.DELETE),
    "set-psrepository": cmdlet("name@0=any installationpolicy=any sourcelocation=any", O.CONFIG_CHANGE),
    "register-psrepository": cmdlet("name@0=any sourcelocation@1=any installationpolicy=any default", O.CONFIG_CHANGE),
    "set-wsmaninstance": cmdlet("resourceuri@0=any valueset=any selectorset=any", O.CONFIG_CHANGE),
}  # fmt: skip
