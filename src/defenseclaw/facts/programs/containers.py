"""Containers and images: docker, podman, nerdctl, compose, crictl, ctr and relatives."""

from __future__ import annotations

from dataclasses import dataclass, replace

from defenseclaw.core.facts import CommandEffect, PathAccess
from defenseclaw.core.facts import NetworkAction as N
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import settled
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.network import Endpoint, canonical_host, parse_url, split_port
from defenseclaw.facts.programs.verbs import (
    after_dashes,
    apply_values,
    destroys,
    each,
    group,
    lists,
    plain,
    text_of,
)
from defenseclaw.facts.roles import Need, apply_role, require
from defenseclaw.facts.script import Link, SimpleCommand, Word
from defenseclaw.facts.tables.programs import MINERS

_INSIDE = How(remote=True)
_ENGINES = frozenset({"docker", "podman", "nerdctl", "crictl", "finch"})
# Host folders whose content decides over the whole machine.
_HOST_FOLDERS = frozenset({"/", "/etc", "/root", "/boot", "/usr", "/var", "/var/lib", "/var/lib/docker", "/proc", "/sys",
                           "/dev", "/bin", "/sbin", "/lib", "/home", "c:/windows", "c:/windows/system32", "c:/users", "c:/programdata",
                           "c:/program files", "c:/program files (x86)"})  # fmt: skip
_WIDE_CAPABILITIES = frozenset({"all", "sys_admin", "cap_sys_admin", "cap_all"})
# Images whose entry point is a program: the words after the image are its arguments.
_IMAGE_PROGRAMS = {
    "aws-cli": "aws", "azure-cli": "", "kubectl": "kubectl", "helm": "helm", "terraform": "terraform", "opentofu": "tofu",
    "pulumi": "pulumi", "mc": "mc", "rclone": "rclone", "restic": "restic", "curl": "curl", "git": "git", "alpine-git": "git",
    "vault": "vault", "skopeo": "skopeo", "crane": "crane", "trivy": "trivy", "shellcheck": "shellcheck", "yq": "yq", "jq": "jq",
    "flyway": "flyway", "liquibase": "liquibase", "golangci-lint": "", "nats-box": "", "pandoc": "pandoc",
}  # fmt: skip


# --- running something inside ---


def _switched_on(inv: Invocation, name: str) -> bool:
    """Whether a flag is given and its last value, if it has one, is a true one."""
    if not inv.parsed.has(name):
        return False
    value = inv.parsed.value(name)
    return value is None or (value.value or "").lower() in ("true", "t", "1")


def _inner(inv: Invocation, words: list[Word], program: str = "") -> None:
    """Run the words as a command inside; options alone belong to the image's own program."""
    entry = inv.parsed.value("entrypoint")
    if entry is not None and entry.value:
        words = [entry, *words]
    elif program and words and text_of(words[0]) != program:
        words = [Word(program), *words]
    if words and not text_of(words[0]).startswith("-"):
        inv.run(words, _INSIDE)


def _run(inv: Invocation) -> None:
    """run and create: mounts, privileges, and a command inside the new container."""
    apply_values(inv)
    if inv.fact.effect is CommandEffect.PREVIEW:
        return
    _privileges(inv, _mounts(inv))
    operands = inv.parsed.operands
    entry = inv.parsed.value("entrypoint")
    if entry is not None and text_of(entry).rpartition("/")[2].lower() in MINERS:
        inv.trait(Trait.CRYPTOMINER)
    if not operands:
        return
    base = image_name(operands[0])
    if base in MINERS:
        inv.trait(Trait.CRYPTOMINER)
    _inner(inv, operands[1:], _IMAGE_PROGRAMS.get(base, ""))


@settled
def _exec(inv: Invocation) -> None:
    """exec: a command inside a running container, whose name comes first."""
    apply_values(inv)
    _privileges(inv, root=False)
    if inv.fact.effect is not CommandEffect.PREVIEW:
        _inner(inv, inv.parsed.operands[1:])


def _ctr_run(inv: Invocation) -> None:
    """ctr run: image, container name, then the command."""
    apply_values(inv)
    _mounts(inv)
    _privileges(inv, root=True)  # ctr gives a privileged container every device of the host
    _inner(inv, inv.parsed.operands[2:])


def _first(inv: Invocation) -> None:
    """The operands themselves are a command inside."""
    apply_values(inv)
    _inner(inv, inv.parsed.operands)


def _bound(inv: Invocation) -> None:
    """apptainer: an image, then the command; the home and working folder are shared."""
    apply_values(inv)
    _mounts(inv)
    _inner(inv, inv.parsed.operands[1:])


def _dashed(inv: Invocation) -> None:
    """A name, and a command after ``--`` or simply after the name."""
    apply_values(inv)
    _inner(inv, after_dashes(inv) or inv.parsed.operands[1:])


def _vagrant(inv: Invocation) -> None:
    """vagrant ssh -c: shell text inside the machine."""
    command = inv.parsed.value("command")
    if command is not None:
        inv.run_code(command, _INSIDE)


def image_name(word: Word) -> str:
    """The last part of an image reference without tag and digest."""
    name = text_of(word).partition("@")[0].rpartition("/")[2]
    return name.partition(":")[0].lower()


def _privileges(inv: Invocation, root: bool) -> None:
    capabilities = {(w.value or "").lower() for w in inv.parsed.all_values("cap-add")}
    host_pids = any(w.value == "host" for w in inv.parsed.all_values("pid"))
    privileged = _switched_on(inv, "privileged")
    if privileged or host_pids or capabilities & _WIDE_CAPABILITIES:
        inv.trait(Trait.PRIVILEGED_CONTAINER)
    if privileged and root:
        inv.trait(Trait.CONTAINER_ESCAPE)


# --- mounts ---


@dataclass(frozen=True, slots=True)
class _Bind:
    """A folder of the host inside a container."""

    source: Word
    inside: str
    read_only: bool


def _mounts(inv: Invocation) -> bool:
    """Facts of all bind mounts; answers whether the host's root is among them."""
    binds = [_volume(w) for name in ("volume", "bind") for w in inv.parsed.all_values(name)]
    binds += [_mount_options(w) for w in inv.parsed.all_values("mount")]
    found = [_mount(inv, bind) for bind in binds if bind is not None]  # every one adds its facts
    return any(found)


def _has_drive(text: str) -> bool:
    return text[:1].isalpha() and text[1:3] in (":\\", ":/")


def _colon(text: str) -> int:
    """Where the first colon is that ends a path, not a drive; -1 without one."""
    return text.find(":", 2 if _has_drive(text) else 0)


def _volume(word: Word) -> _Bind | None:
    """``host:inside[:options]``; the beginning may be unknown."""
    text = text_of(word)
    at = _colon(text)
    if at < 0 and word.value is not None:
        return None
    rest = text[at + 1 :] if at >= 0 else word.suffix.removeprefix(":")
    end = _colon(rest)
    inside, options = (rest[:end], rest[end + 1 :]) if end >= 0 else (rest, "")
    known = word.value is not None or at >= 0
    return _bind(word, text[:at] if at >= 0 else text, known, (inside, "ro" in options.split(",")))


def _mount_options(word: Word) -> _Bind | None:
    """The same for ``type=bind,source=…,target=…``."""
    parts = dict(p.partition("=")[::2] for p in text_of(word).split(","))
    if parts.get("type", "bind") not in ("bind", "npipe"):
        return None
    source = parts.get("source", parts.get("src", ""))
    inside = next((parts[n] for n in ("target", "dst", "destination") if n in parts), "")
    known = word.value is not None or not text_of(word).endswith(f"={source}")
    return _bind(word, source, known, (inside, "readonly" in parts or "ro" in parts))


def _bind(word: Word, source: str, known: bool, rest: tuple[str, bool]) -> _Bind | None:
    """A bind mount; a plain name is a volume that the engine keeps."""
    if known and not source.startswith(("/", ".", "~", "\\")) and not _has_drive(source):
        return None
    place = replace(word, value=source if known else None, prefix="" if known else source)
    return _Bind(place, *rest)


def _mount(inv: Invocation, bind: _Bind) -> bool:
    require(inv, bind.source, Need.OUTSIDE)
    source = (bind.source.value or "").replace("\\", "/").lower()
    if source.endswith(".sock") or "/pipe/" in source:
        apply_role(inv, "socket", bind.source)
        return False
    fact = inv.path(bind.source, PathAccess.READ)
    if not bind.read_only:
        inv.path(bind.source, PathAccess.WRITE)
    folder = fact.resolved if fact is not None else ""
    if folder and bind.inside:
        inv.mount(bind.inside, folder)
    root = folder == "/" or folder[1:] == ":/"
    wide = root or folder.lower() in _HOST_FOLDERS
    if wide and (not bind.read_only or folder == "/root"):
        inv.trait(Trait.HOST_MOUNT)
    return root


# --- other verbs ---


def _engine(inv: Invocation) -> None:
    """Options before the verb: another engine to talk to."""
    for name in ("host", "url", "address"):
        for word in inv.parsed.all_values(name):
            text = text_of(word)
            endpoint = parse_url(text) if "://" in text else None
            if text.startswith(("unix://", "npipe://")):
                apply_role(inv, "socket", replace(word, value=_local(text)))
            elif endpoint is not None:
                inv.op(O.CONNECT)
                inv.network(N.CONNECT, endpoint)


def _local(text: str) -> str:
    """The socket or pipe of a local address; pipes are written with two slashes more or less."""
    scheme, _, place = text.partition("://")
    return place if scheme == "unix" else f"//{place.lstrip('/')}"


def _mass(inv: Invocation) -> None:
    """Words that come from the unfiltered list of all objects mean every object."""
    if any(w.value is None and _lists_all(inv, w) for w in inv.parsed.operands):
        inv.trait(Trait.MASS)


def _lists_all(inv: Invocation, word: Word) -> bool:
    if word.start >= 0:
        children = inv.frame.children.get(inv.command.id, ())
        inside = [
            c for c in children if c.link is Link.SUBSTITUTION and word.start <= c.start < word.end
        ]
        return any(_is_full_list(c) for c in inside)
    line = inv.fact.pipeline_id
    before = [c for c in inv.builder.facts.commands if line and c.pipeline_id == line]
    return any(c.program in _ENGINES and _full_words(c.argv) for c in before)


def _is_full_list(command: SimpleCommand) -> bool:
    values = [w.value or "" for w in command.words]
    return values[:1] != [] and values[0].rpartition("/")[2] in _ENGINES and _full_words(values)


def _full_words(argv: list[str]) -> bool:
    verbs = [a for a in argv[1:] if not a.startswith("-")]
    listing = bool(verbs) and verbs[-1] in ("ps", "ls", "list", "images")
    return listing and not any(a.startswith(("-f", "--filter")) for a in argv)


def _build(inv: Invocation) -> None:
    """build: a folder or a URL whose instructions run inside."""
    apply_values(inv)
    for word in inv.parsed.operands:
        if word.value != "-":
            apply_role(inv, "maybe-url" if "://" in text_of(word) else "inside", word)


def _copy(inv: Invocation) -> None:
    """cp: one side is inside a container, the other one here."""
    inv.op(O.COPY)
    for index, word in enumerate(inv.parsed.operands[:2]):
        if not is_inside(word) and word.value != "-":
            apply_role(inv, "write" if index else "source", word)


def is_inside(word: Word) -> bool:
    """Whether a word names something in a container: ``name:path``."""
    head, mark, _ = text_of(word).partition(":")
    if mark:
        return "/" not in head.removeprefix("pod/") and len(head) > 1 and not head.startswith(".")
    return word.value is None and ":" in word.suffix


@settled
def _registry(inv: Invocation) -> None:
    """pull and push: the registry is the first part of the reference if it looks like a host."""
    apply_values(inv)
    for word in inv.parsed.operands:
        first, slash, _ = text_of(word).removeprefix("docker://").partition("/")
        host, port = split_port(first)
        if slash and ("." in first or ":" in first) and canonical_host(host):
            inv.network(inv.network_action(), Endpoint(canonical_host(host), "https", port or 0))


def _pod(inv: Invocation) -> None:
    """kube play: manifests from files or URLs."""
    apply_values(inv)
    for word in inv.parsed.operands:
        apply_role(inv, "maybe-url" if "://" in text_of(word) else "settings", word)


# --- option tables ---

_RUN = (
    "a,attach= add-host= annotation= blkio-weight= blkio-weight-device= cap-add= cap-drop= cgroup-parent= cgroupns= cidfile=log cpu-count="
    " cpu-period= cpu-quota= c,cpu-shares= cpus= cpuset-cpus= cpuset-mems= d,detach detach-keys= device= device-cgroup-rule= dns="
    " dns-option= dns-opt= dns-search= domainname= e,env= entrypoint=must env-file=settings expose= gpus= group-add= health-cmd=must health-interval="
    " health-retries= health-timeout= health-start-period= h,hostname= init i,interactive ip= ip6= ipc= isolation= l,label= label-file=settings"
    " link= log-driver= log-opt= mac-address= m,memory= memory-reservation= memory-swap= mount= name= network= net= network-alias= no-healthcheck"
    " oom-kill-disable oom-score-adj= pid= pids-limit= platform= privileged p,publish= P,publish-all pull= q,quiet read-only restart= rm"
    " runtime= security-opt= shm-size= sig-proxy stop-signal= stop-timeout= storage-opt= sysctl= tmpfs= t,tty ulimit= u,user= userns= uts="
    " v,volume= volume-driver= volumes-from= w,workdir= replace pod= secret= systemd= authfile=settings tls-verify arch= os= infra requires="
    " preserve-fds= passwd-entry= umask= unsetenv= http-proxy image-volume= help use-api-socket"
)
_EXEC = "d,detach detach-keys= e,env= env-file=settings i,interactive privileged t,tty u,user= w,workdir= T,no-tty index= l,latest preserve-fds= help"
_BUILD = (
    "add-host= allow= annotation= attest= build-arg= build-context=must cache-from= cache-to= cgroup-parent= compress cpu-period= cpu-quota="
    " c,cpu-shares= cpuset-cpus= cpuset-mems= builder= call= check disable-content-trust f,file=settings force-rm iidfile=log isolation= label="
    " load m,memory= memory-swap= metadata-file=log network= no-cache no-cache-filter= o,output= platform= progress= provenance= pull push"
    " q,quiet rm sbom= secret= security-opt= shm-size= squash ssh= t,tag= target= ulimit= format= layers v,volume= authfile=settings manifest= jobs="
    " tls-verify cap-add= cap-drop= help"
)
_FILTER = "a,all f,filter= format= n,last= l,latest no-trunc q,quiet s,size digests tree external noheading sort= help"
_PRUNE = "a,all f,force filter= volumes keep-storage= verbose reserved-space= max-used-space= min-free-space= build external help"
_LOGS = "details f,follow since= n,tail= t,timestamps until= no-color no-log-prefix names l,latest index= help"
_UPDATE = "blkio-weight= cpu-period= cpu-quota= c,cpu-shares= cpus= cpuset-cpus= m,memory= memory-swap= pids-limit= restart= help"

_CONTAINER = {
    **each("run create", E(_RUN, ordered=True, ops=(O.CONTAINER_RUN,), special=_run)),
    "exec": E(_EXEC, ordered=True, ops=(O.WORKLOAD_EXEC,), special=_exec),
    **plain("attach", "detach-keys= no-stdin sig-proxy l,latest help"),
    **plain("start restart pause unpause wait rename port top stats", "a,attach i,interactive s,signal= t,timeout= time= f,format= no-stream no-trunc"
            " all l,latest detach-keys= ignore help"),
    "kill": E("s,signal= a,all l,latest cidfile= help", before=_mass, marks={"all": (Trait.MASS,)}),
    "stop": E("s,signal= t,timeout= time= a,all l,latest i,ignore help"),
    **each("rm remove", E("f,force l,link v,volumes a,all t,time= cidfile= i,ignore depend latest help", ops=(O.DELETE,), before=_mass,
                          marks={"all": (Trait.MASS,)})),
    "update": E(_UPDATE),
    **lists("ps ls list inspect diff", f"{_FILTER} type="),
    "logs": E(_LOGS, ops=(O.READ,)),
    "prune": E(_PRUNE, ops=(O.DELETE,)),
    "commit": E("a,author= c,change= m,message=text p,pause format= iidfile= include-volumes q,quiet squash help"),
    "cp": E("a,archive L,follow-link q,quiet overwrite help index= all", special=_copy),
    "export": E("o,output=write help"),
}  # fmt: skip
_PULL = E("a,all-tags disable-content-trust platform= q,quiet authfile=settings creds= cert-dir= tls-verify arch= os= policy= unpack= help",
          ops=(O.FETCH,), special=_registry)  # fmt: skip
_PUSH = E("a,all-tags disable-content-trust platform= q,quiet authfile=settings creds= cert-dir= tls-verify compress format= digestfile=log"
          " f remove-signatures sign-by= help", ops=(O.CONNECT,), special=_registry)  # fmt: skip
_IMAGE = {
    "build": E(_BUILD, ops=(O.CONTAINER_RUN,), special=_build),
    **lists("ls list images history inspect tree", f"{_FILTER} platform= H,human"),
    **each("rm remove rmi", E("f,force no-prune platform= a,all i,ignore help", ops=(O.DELETE,), before=_mass)),
    "prune": E(_PRUNE, ops=(O.DELETE,)),
    "pull": _PULL,
    "push": _PUSH,
    "save": E("o,output=write platform= format= m q,quiet compress help"),
    "load": E("i,input=read q,quiet platform= help"),
    "import": E("c,change= m,message=text platform= help", "maybe-url word"),
    **plain("tag untag mount unmount diff search sign trust exists", "a,all f,force l,latest format= limit= filter= no-trunc list-tags help"),
}  # fmt: skip
_IN_BOTH = frozenset({"ls", "list", "rm", "remove", "prune", "inspect", "diff", "tree"})
_VOLUME = group("",
    lists("ls list inspect exists", _FILTER),
    {"create": E("d,driver= label= o,opt= name= ignore help")},
    destroys("rm remove", "f,force a,all t,time= help", before=_mass),
    destroys("prune", _PRUNE, Trait.MASS),
    {"export": E("o,output=write help"), "import": E("", "word read"), "*": E()},
)  # fmt: skip
_NETWORK = group("",
    lists("ls list inspect exists", _FILTER),
    plain("create connect disconnect", "alias= ip= ip6= link= d,driver= subnet= gateway= internal ipv6 attachable label= o,opt= scope= f,force"
          " ip-range= aux-address= driver-opt= config-from= ingress interface-name= help"),
    each("rm remove prune", E(_PRUNE, ops=(O.DELETE,))),
    {"*": E()},
)  # fmt: skip
_SYSTEM = group("",
    lists("df info events", "v,verbose format= since= until= f,filter="),
    destroys("prune", _PRUNE),
    destroys("reset", "f,force", Trait.MASS),
    {"*": E("format= f,force a,all")},
)  # fmt: skip
_CONTEXT = group("", lists("ls list inspect show", _FILTER), each("rm remove", E("f,force", ops=(O.DELETE,))),
                 {"create": E("docker= description= from= kubernetes="), "export": E("", "word write"),
                  "import": E("", "word read"), "*": E()})  # fmt: skip
_SWARM_OBJECT = group("",
    lists("ls list inspect ps logs services tasks config", f"{_FILTER} pretty f,follow tail= timestamps since= no-resolve raw no-task-ids c,compose-file=settings"),
    plain("create update scale deploy up rollback promote demote", f"{_RUN} replicas= c,compose-file=settings prune with-registry-auth resolve-image="
          " image= force rollback update-delay= update-parallelism= mode= constraint= label-add= label-rm= env-add= env-rm= availability="
          " role= config= endpoint-mode= args= limit-cpu= limit-memory= reserve-cpu= reserve-memory= template-driver= driver="),
    destroys("rm remove down", "f,force"),
    {"*": E()},
)  # fmt: skip
_SWARM = group("", destroys("leave", "f,force"),
               plain("init join join-token update unlock unlock-key ca", "advertise-addr= listen-addr= token= q,quiet rotate autolock"
                     " force-new-cluster data-path-addr= availability= default-addr-pool= task-history-limit= cert-expiry="))  # fmt: skip
_BUILDX = group("builder= D,debug",
    each("build b", E(_BUILD, ops=(O.CONTAINER_RUN,), special=_build)),
    {"bake": E(f"{_BUILD} set= print list= var=", ops=(O.CONTAINER_RUN,), preview="help print list"),
     "rm": E("f,force all-inactive keep-daemon keep-state", ops=(O.DELETE,)),
     "prune": E(_PRUNE, ops=(O.DELETE,)),
     "*": E("driver= name= use bootstrap driver-opt= platform= config=settings format= append node= t,tag= f,file=settings raw")},
)  # fmt: skip


# --- compose ---

_UP = (
    "abort-on-container-exit abort-on-container-failure always-recreate-deps attach= attach-dependencies build d,detach exit-code-from="
    " force-recreate menu no-attach= no-build no-color no-deps no-log-prefix no-recreate no-start pull= quiet-build quiet-pull remove-orphans"
    " V,renew-anon-volumes scale= t,timeout= timestamps wait wait-timeout= w,watch y,yes dry-run help"
)
_COMPOSE_RUN = (
    "build cap-add= cap-drop= d,detach entrypoint=must e,env= env-from-file=settings i,interactive l,label= name= T,no-TTY no-tty no-deps p,publish= P"
    " pull= q,quiet quiet-build quiet-pull remove-orphans rm service-ports use-aliases u,user= v,volume= w,workdir= dry-run help"
)
_COMPOSE_GLOBALS = (
    "f,file=settings p,project-name= profile= env-file=settings project-directory= all-resources ansi= compatibility parallel= progress= verbose"
    " dry-run h,help v,version H,host=target c,context=place"
)
_SHORT_HELP = "t,timeout= no-deps s,signal= remove-orphans protocol= index= dry-run help"
_COMPOSE_VERBS = {
    **each("up create start watch scale", E(_UP, ops=(O.CONTAINER_RUN,))),
    "run": E(_COMPOSE_RUN, ordered=True, ops=(O.CONTAINER_RUN,), special=_run),
    "exec": E(f"{_EXEC} dry-run", ordered=True, ops=(O.WORKLOAD_EXEC,), special=_exec),
    "down": E("remove-orphans rmi= t,timeout= v,volumes dry-run help", ops=(O.DELETE,), marks={"volumes": (Trait.DESTROYS_RESOURCE,)}),
    "rm": E("f,force s,stop v,volumes all dry-run help", ops=(O.DELETE,)),
    **plain("stop restart pause unpause kill wait attach port top", _SHORT_HELP),
    "build": E("build-arg= builder= check m,memory= no-cache print provenance= pull push q,quiet sbom= ssh= with-dependencies parallel"
               " progress= force-rm no-rm dry-run help", ops=(O.CONTAINER_RUN,)),
    "pull": E("ignore-buildable ignore-pull-failures include-deps policy= q,quiet no-parallel dry-run help", ops=(O.FETCH,)),
    "push": E("ignore-push-failures include-deps q,quiet dry-run help", ops=(O.CONNECT,)),
    **lists("ps ls images events version config convert volumes stats", "a,all services volumes images profiles hash= o,output=log q,quiet format="
            " resolve-image-digests no-interpolate no-normalize no-path-resolution filter= orphans status= environment no-consistency"
            " lock-image-digests variables json short no-stream no-trunc dry-run"),
    "logs": E(f"{_LOGS} dry-run", ops=(O.READ,)),
    "cp": E("a,archive L,follow-link index= all dry-run help", special=_copy),
    "*": E(),
}  # fmt: skip
_COMPOSE = E(_COMPOSE_GLOBALS, verbs=_COMPOSE_VERBS, ordered=True)


# --- programs ---

_GLOBALS = "D,debug H,host=target c,context=place l,log-level= config= tls tlscacert=stat tlscert=stat tlskey=stat tlsverify api-cors-header= v,version h,help"
_PODMAN_GLOBALS = (
    "url= c,connection= identity=stat r,remote root= runroot= storage-driver= storage-opt= log-level= cgroup-manager= events-backend="
    " hooks-dir= module= network-cmd-path= noout out=log runtime= runtime-flag= ssh= syslog tmpdir= volumepath= v,version h,help conmon="
)
_NERDCTL_GLOBALS = (
    "a,address=target H,host=target n,namespace= data-root= snapshotter= storage-driver= debug debug-full cgroup-manager= cni-path= cni-netconfpath="
    " hosts-dir= insecure-registry v,version h,help"
)
_COMMON: dict[str, E] = {
    **_CONTAINER,
    **{name: entry for name, entry in _IMAGE.items() if name not in _IN_BOTH},
    "container": E(verbs={**_CONTAINER, "*": E()}),
    "image": E(verbs={**_IMAGE, "*": E()}),
    "volume": _VOLUME,
    "network": _NETWORK,
    "system": _SYSTEM,
    "context": _CONTEXT,
    **each("stack service node secret config", _SWARM_OBJECT),
    "swarm": _SWARM,
    "buildx": _BUILDX,
    "builder": group("", {"prune": E(_PRUNE, ops=(O.DELETE,)), "build": E(_BUILD, ops=(O.CONTAINER_RUN,), special=_build), "*": E()}),
    "compose": _COMPOSE,
    **lists("info version events search", f"{_FILTER} limit= since= until= automated"),
    **plain("login logout", "u,username= p,password= password-stdin get-login authfile= tls-verify v,verbose"),
    "plugin": group("", {"install": E("alias= disable grant-all-permissions", ops=(O.FETCH,)), "*": E("f,force")}),
    "manifest": group("", {"push": E("p,purge insecure all", ops=(O.CONNECT,)), "*": E("a,amend os= arch= variant= insecure v,verbose")}),
    "trust": E(verbs={"*": E()}),
    "help": E(),
    **plain("scout scan init debug model mcp desktop offload sandbox ai extension pass", ordered=True),
}  # fmt: skip
_PODMAN_ONLY: dict[str, E] = {
    "pod": group("", lists("ps ls list inspect logs stats top exists", f"{_FILTER} follow tail="), destroys("rm prune", "f,force a,all t,time= i,ignore"),
                 {"create": E(f"{_RUN} infra-image= share= infra-name= pod-id-file=", ops=(O.CONTAINER_RUN,)), "*": E("a,all l,latest t,time= s,signal=")}),
    **each("kube play", E(verbs={
        **each("play kube", E("build cert-dir= configmap=settings context-dir= down f,force log-driver= network= replace start userns= publish= wait"
                              " annotation= no-hosts q,quiet authfile=settings", special=_pod, ops=(O.CONTAINER_RUN,))),
        "down": E("f,force", special=_pod, ops=(O.DELETE,)), "generate": E("f,filename=write s,service type= r,replicas="),
        "apply": E("f,file=settings kubeconfig=settings ns= s,service"), "*": E()})),
    "generate": group("", {"kube": E("f,filename=write s,service"), "systemd": E("f,files n,name new restart-policy= t,time="), "*": E()}),
    "machine": group("", lists("ls list info inspect", _FILTER), destroys("rm reset", "f,force save-keys save-image save-ignition"),
                     {"ssh": E("username=", ordered=True, ops=(O.WORKLOAD_EXEC,), special=_dashed),
                      "*": E("cpus= m,memory= disk-size= now rootful image= v,volume= q,quiet")}),
    "unshare": E("rootless-netns", ordered=True, special=_first),
    **plain("healthcheck mount unmount umount auto-update farm artifact quadlet completion init", "a,all l,latest f,force"),
}  # fmt: skip


def _engine_table(options: str, more: dict[str, E]) -> E:
    return E(options, verbs={**_COMMON, **more}, before=_engine)


_DOCKER = _engine_table(_GLOBALS, {})
_PODMAN = _engine_table(_PODMAN_GLOBALS, _PODMAN_ONLY)
_NERDCTL = _engine_table(_NERDCTL_GLOBALS, {
    "namespace": group("", lists("ls list inspect"), destroys("rm remove", "c,cgroup"), {"*": E()}),
    **plain("apparmor ipfs internal completion"),
})  # fmt: skip
_CTR_RUN = (
    "rm null-io log-uri= d,detach fifo-dir= cgroup= platform= cni runc-binary= runc-root= runc-systemd-cgroup uidmap= gidmap= snapshotter="
    " snapshotter-label= config=settings cwd= env= env-file=settings label= annotation= mount= net-host privileged read-only runtime= with-ns= pid-file="
    " gpus= allow-new-privs memory-limit= device= cap-add= cap-drop= seccomp seccomp-profile= apparmor-default-profile= t,tty rootfs= no-pivot"
    " cpus= cpu-shares= exec-id= user="
)
_CTR_TASKS = group("", {"exec": E(_CTR_RUN, ordered=True, ops=(O.WORKLOAD_EXEC,), special=_exec)},
                   destroys("rm delete del remove kill", "f,force s,signal= a,all exec-id="), lists("ls list ps metrics metric"), {"*": E()})  # fmt: skip
_CTR_OBJECT = group("",
    lists("ls list check info inspect usage stat", "q,quiet"),
    each("rm remove delete del", E("sync", ops=(O.DELETE,))),
    {"pull": E("platform= all-platforms k,skip-verify plain-http u,user= hosts-dir= local", ops=(O.FETCH,), special=_registry),
     "push": E("platform= k,skip-verify plain-http u,user=", ops=(O.CONNECT,), special=_registry),
     "import": E("base-name= digests all-platforms platform= no-unpack", "read*"), "export": E("platform= all-platforms", "write word*"),
     "create": E(_CTR_RUN), "*": E()},
)  # fmt: skip
_CTR = E("a,address=target n,namespace= timeout= connect-timeout= debug", verbs={
    "run": E(_CTR_RUN, ordered=True, ops=(O.CONTAINER_RUN,), special=_ctr_run), **each("tasks task t", _CTR_TASKS),
    **each("images image i containers container c content snapshots snapshot leases namespaces namespace ns", _CTR_OBJECT), "*": E()})  # fmt: skip
_CRICTL = E("c,config=settings D,debug image-endpoint= r,runtime-endpoint= t,timeout= h,help v,version", verbs={
    "exec": E("i,interactive t,tty s,sync timeout= r,transport=", ordered=True, ops=(O.WORKLOAD_EXEC,), special=_exec),
    **each("rm rmp rmi stop stopp", E("f,force a,all prune q", ops=(O.DELETE,))),
    "pull": E("creds= auth= pod-config=settings", ops=(O.FETCH,), special=_registry),
    **plain("run runp create", "r,runtime= no-pull with-pull auth=", "settings*"),
    "*": E("a,all q,quiet o,output= p,pod= name= n,namespace= f,follow tail= since= v"),
})  # fmt: skip
_IMAGE_TOOL = E("debug override-os= override-arch= tls-verify policy=settings insecure-policy src-tls-verify dest-tls-verify a,all src-creds="
                " dest-creds= format= q,quiet authfile=settings", verbs={
    **each("copy cp sync pull", E("src= dest= scoped", ops=(O.FETCH,), special=_registry)), "push": E("", ops=(O.CONNECT,), special=_registry),
    **destroys("delete rm"), "*": E("raw config format= no-tags"),
})  # fmt: skip
_SCANNER = E("f,format= o,output=log s,severity= q,quiet ignore-unfixed exit-code= scanners= config=settings ignorefile=settings cache-dir="
             " no-progress skip-db-update vuln-type= input=read template= fail-on= add-cpes-if-none only-fixed c,cfg=settings skip-dirs= skip-files="
             " timeout= d,debug file= ignore= t,failure-threshold= no-fail trusted-registry= scope= platform= e", "list*")  # fmt: skip
_LXC = E("debug force-local project= q,quiet v,verbose", verbs={
    "exec": E("cwd= env= mode= n,disable-stdin t,force-interactive T,force-noninteractive user= group=", ops=(O.WORKLOAD_EXEC,), special=_dashed),
    **destroys("delete rm", "f,force i,interactive"), "file": E(verbs={"*": E("r,recursive p,create-dirs")}), "*": E(),
})  # fmt: skip
_APPTAINER = E("d,debug q,quiet s,silent v,verbose c,config=settings h,help version", verbs={
    **each("exec run shell test", E("B,bind= c,contain C,containall e,cleanenv f,fakeroot nv rocm w,writable writable-tmpfs pwd= H,home= env= no-home"
                                    " overlay= S,scratch= W,workdir= i,ipc p,pid u,userns env-file=settings app= no-mount= cwd= mount=",
                                    ordered=True, ops=(O.CONTAINER_RUN,), special=_bound)),
    "build": E("f,fakeroot F,force s,sandbox notest r,remote B,bind= section= update", "write maybe-url"),
    "pull": E("F,force dir= name= arch=", ops=(O.FETCH,)), "delete": E("F,force", ops=(O.DELETE,)), "*": E(),
})  # fmt: skip
_DEVCONTAINER = E(verbs={
    "exec": E("workspace-folder= container-id= config=settings remote-env= docker-path= log-level= id-label=", ordered=True, ops=(O.WORKLOAD_EXEC,), special=_first),
    "*": E("workspace-folder= config=settings image-name= push remove-existing-container"),
})  # fmt: skip
_VM = {
    "*": E(ordered=True),
    **destroys("delete rm reset factory-reset", "f,force data p,purge all"),
    "purge": E(ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)),
}
_VAGRANT = E(verbs={
    "ssh": E("c,command= p,plain", ops=(O.WORKLOAD_EXEC,), special=_vagrant), **destroys("destroy", "f,force g parallel"),
    "box": E(verbs={"remove": E("f,force all", ops=(O.DELETE,)), "*": E()}), "*": E(),
})  # fmt: skip

PROGRAMS: dict[str, E] = {
    "docker": _DOCKER,
    "podman": _PODMAN,
    **each("nerdctl finch", _NERDCTL),
    **each("docker-compose podman-compose", replace(_COMPOSE, before=_engine)),
    "dockerd": E("H,host=target D,debug data-root= config-file=settings"),
    "ctr": _CTR,
    "crictl": _CRICTL,
    **each("skopeo crane regctl oras", _IMAGE_TOOL),
    "buildah": E("root= storage-driver= log-level=", verbs={
        **each("bud build", E(_BUILD, ops=(O.CONTAINER_RUN,), special=_build)),
        "run": E(_RUN, ordered=True, ops=(O.CONTAINER_RUN,), special=_exec),
        **each("rm rmi", E("a,all f,force", ops=(O.DELETE,))), "push": _PUSH, "pull": _PULL, "*": E()}),
    **each("trivy grype syft hadolint dive docker-slim slim dockle clair kube-bench kubesec kube-score kubeconform kubeval", _SCANNER),
    "lazydocker": E(),
    "ctop": E(),
    "cosign": E("key=stat y,yes certificate= certificate-identity= certificate-oidc-issuer= output-file=log bundle=settings", verbs={"*": E()}),
    **each("lxc incus", _LXC),
    **each("apptainer singularity", _APPTAINER),
    "distrobox": E(verbs={"enter": E("n,name= r,root e= a,additional-flags=", special=_dashed), **destroys("rm", "f,force a,all"),
                          "*": E("n,name= i,image= Y,yes")}),
    "distrobox-enter": E("n,name= r,root a,additional-flags=", special=_dashed),
    "toolbox": E(verbs={"run": E("c,container= d,distro= r,release=", ordered=True, special=_first), "*": E()}),
    "devcontainer": _DEVCONTAINER,
    **each("colima orb orbctl rdctl", E(verbs=_VM)),
    "limactl": E(verbs={**_VM, "shell": E("workdir= shell=", ordered=True, ops=(O.WORKLOAD_EXEC,), special=_exec)}),
    "multipass": E(verbs={**_VM, "exec": E("d= n", special=_dashed, ops=(O.WORKLOAD_EXEC,))}),
    "vagrant": _VAGRANT,
}  # fmt: skip
