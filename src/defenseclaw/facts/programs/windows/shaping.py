"""Cmdlets that choose, sort, convert and show; none of them changes anything."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import OperationKind as O
from defenseclaw.facts.grammar import Entry, Out, names
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.programs.windows.cmdlet import bind, reader
from defenseclaw.facts.streams import NOTHING, Stream


def _chosen(inv: Invocation) -> None:
    """Some of what is piped in, in any order: names stay names."""
    bind(inv)
    stream = inv.stdin
    part = inv.parsed.has("first", "last", "skip", "unique", "index")
    text = None if part or inv.fact.program != "out-string" else stream.text
    inv.out = replace(stream, text=text, at=stream.at if text is not None else None)
    if part and stream.whole:
        inv.out = replace(inv.out, whole=False)


_OPTIONS = "property@0=any inputobject=any first=any last=any skip=any skiplast=any unique expandproperty=any excludeproperty=any index=any wait descending culture=any casesensitive stable top=any bottom=any"
CHOOSING = names("select-object sort-object get-unique out-string group-object")
# Shown or measured: what comes out says nothing that could be run or sent, but may be piped on.
SHAPING = names(
    """format-table format-list format-wide format-custom measure-object compare-object get-member convertto-json
    convertfrom-json convertto-csv convertfrom-csv convertto-html convertto-xml convertfrom-stringdata
    convertfrom-markdown convertto-securestring convertfrom-securestring out-host out-gridview get-random tee-variable
    set-clipboard show-command out-printer convertfrom-sddlstring join-string"""
)
# Information and settings of this session.
PLAIN = names(
    """get-date get-help help get-command get-alias get-module get-history get-host get-culture get-uiculture get-psdrive
    get-psprovider get-location get-variable get-job receive-job wait-job remove-job stop-job get-runspace get-event
    get-eventsubscriber unregister-event remove-event get-timezone get-uptime get-verb get-tracesource get-psbreakpoint
    set-psbreakpoint remove-psbreakpoint get-pscallstack get-executionpolicy get-psrepository get-package get-packageprovider
    get-packagesource find-package find-script get-installedmodule get-installedscript get-psresource find-psresource
    get-computerinfo get-hotfix get-eventlog get-winevent get-counter get-disk get-partition get-volume get-physicaldisk
    get-storagepool get-bitlockervolume get-netadapter get-netipaddress get-netipconfiguration get-nettcpconnection
    get-netudpendpoint get-netroute get-netfirewallrule get-netfirewallprofile get-dnsclientserveraddress get-dnsclientcache
    clear-dnsclientcache get-mppreference get-mpcomputerstatus get-mpthreat get-mpthreatdetection get-scheduledtask
    get-scheduledtaskinfo new-scheduledtaskprincipal new-scheduledtasksettingsset get-windowsfeature
    get-windowsoptionalfeature get-windowscapability get-appxpackage get-vm get-smbshare get-smbsession get-tpm
    get-pssession remove-pssession disconnect-pssession get-psreadlineoption get-psreadlinekeyhandler
    set-psreadlinekeyhandler get-error get-pnpdevice get-printer get-aduser get-adcomputer get-adgroup get-addomain
    get-pssnapin get-formatdata get-typedata update-typedata update-formatdata get-cimclass get-cimassociatedinstance
    new-cimsession get-cimsession new-cimsessionoption new-pssessionoption new-timespan new-guid new-event
    get-experimentalfeature get-markdownoption get-clipboard get-controlpanelitem get-dedupproperties get-wuapiversion
    get-wusettings clear-host start-sleep set-strictmode set-psdebug write-progress read-host pause wait-debugger
    wait-event set-location push-location pop-location set-alias new-alias remove-alias set-variable new-variable
    remove-variable clear-variable out-null export-modulemember invoke-history add-history get-psreadlinehistory
    invoke-pester new-pesterconfiguration invoke-scriptanalyzer test-modulemanifest new-modulemanifest
    remove-module get-packageversion export-alias import-alias add-member get-windowsupdatelog test-path-syntax
    set-markdownoption get-process-module wait-service prompt tabexpansion2 import-localizeddata
    add-pssnapin remove-pssnapin connect-pssession disable-psbreakpoint enable-psbreakpoint exit-pssession
    export-pssession import-pssession receive-pssession new-pssessionconfigurationfile suspend-job resume-job
    stop-transcript get-filesystem describe context it should beforeall aftereach invoke-build invoke-formatter
    get-azcontext get-azsubscription get-azresource get-azresourcegroup get-childitemcolor set-poshprompt
    get-azvm connect-azaccount get-mguser connect-mggraph import-vsenvironment enter-vsdevshell"""
)
_PATHS = {
    "invoke-pester": "path,script@0=run output=any tag=any",
    "invoke-scriptanalyzer": "path@0=search",
    "new-modulemanifest": "path@0=write",
    "test-modulemanifest": "path@0=read",
    "export-alias": "path@0=write",
    "import-alias": "path@0=run",
}


def _silent(inv: Invocation) -> None:
    bind(inv)
    inv.out = NOTHING


def _stored(inv: Invocation) -> None:
    """Get-Clipboard and Get-History give what people or programs left there."""
    bind(inv)
    inv.out = Stream(commands=(inv.fact.id,), connected=True)


def _plain(name: str) -> Entry:
    special = {"out-null": _silent, "get-clipboard": _stored}.get(name)
    return reader(_PATHS.get(name, ""), O.LIST, special=special)


CMDLETS = {
    **{name: _plain(name) for name in PLAIN},
    **{name: reader("property@0=any", out=Out.CONTENT) for name in SHAPING},
    **{name: reader(_OPTIONS, special=_chosen) for name in CHOOSING},
}
