"""Containers, clusters and infrastructure tools."""

from __future__ import annotations

from defenseclaw.core.facts import Dialect, NetworkAction as N, OperationKind as O, PathAccess
from defenseclaw.core.labels import PathLabel, Trait
from defenseclaw.facts.grammar import Entry as E, Out, Style
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.network import parse_url
from defenseclaw.facts.roles import apply_role, require
from defenseclaw.facts.script import Word

def _values(inv: Invocation) -> None:
    for option, word in inv.parsed.values:
        if option.role == "manifest":
            _manifest(inv, word)
        elif option.role != "word":
            apply_role(inv, option.role, word)


def _manifest(inv: Invocation, word: Word) -> None:
    """A manifest: a file, a folder, a URL, or standard input."""
    if word.value is None:
        require(inv, word)
    elif "://" in word.value:
        apply_role(inv, "url", word)
    elif word.value != "-":
        apply_role(inv, "read", word)


def _endpoint(inv: Invocation) -> None:
    """A daemon elsewhere: a socket path or a network address."""
    for word in inv.parsed.all_values("host") + inv.parsed.all_values("url"):
        text = word.value or ""
        if text.startswith("unix://"):
            inv.op(O.CONNECT)
            inv.path_value(text[7:], PathAccess.CONNECT)
        else:
            endpoint = parse_url(text)
            if endpoint is not None:
                inv.op(O.CONNECT)
                inv.network(N.CONNECT, endpoint)


def _run(inv: Invocation) -> None:
    """docker run: mounts, privileges, the image, and the command inside it."""
    _endpoint(inv)
    inv.op(O.CONTAINER_RUN)
    root = _mounts(inv)
    privileged = _flag(inv, "privileged")
    host_space = any((w.value or "") == "host" for n in ("pid", "ipc", "uts", "userns") for w in inv.parsed.all_values(n))
    caps = {(w.value or "").upper().removeprefix("CAP_") for w in inv.parsed.all_values("cap-add")}
    if root and (privileged or host_space or {"ALL", "SYS_ADMIN"} & caps):
        inv.trait(Trait.CONTAINER_ESCAPE)
    if host_space:
        inv.trait(Trait.HOST_NAMESPACE)
    _values(inv)
    operands = inv.parsed.operands
    if not operands:
        return
    image = (operands[0].value or "").rpartition("/")[2].partition(":")[0].partition("@")[0]
    entry = inv.parsed.value("entrypoint")
    names = {image, ((entry.value or "") if entry is not None else "").rpartition("/")[2]}
    if names & _MINERS:
        inv.trait(Trait.CRYPTOMINER)
    _inside(inv, operands[1:], entry)


_MINERS = frozenset({"xmrig", "xmrig-proxy", "minerd", "cpuminer", "cpuminer-multi", "ethminer", "cgminer", "bfgminer", "t-rex", "lolminer",
                     "nbminer", "teamredminer", "phoenixminer", "nanominer"})  # fmt: skip


def _flag(inv: Invocation, name: str) -> bool:
    """A switch that may be joined with a truth value; the last one wins."""
    value = inv.parsed.value(name)
    if value is not None:
        return (value.value or "").lower() in ("true", "1", "t")
    return inv.parsed.has(name)


def _inside(inv: Invocation, words: list[Word], entry: Word | None) -> None:
    """The command runs in the container: elsewhere, as far as paths are concerned."""
    if entry is not None and entry.value:
        words = [entry, *words]
    if words and not (words[0].value or "x").startswith("-"):
        inv.run(words, How(remote=True))


def _mounts(inv: Invocation) -> bool:
    """Bind mounts give the container host files; answers whether the whole root is among them."""
    root = False
    for word in inv.parsed.all_values("volume"):
        parts = (word.value or word.prefix).split(":")
        if len(parts) > 1 and parts[0][:1] in ("/", ".", "~"):
            root = _mount(inv, word, parts[0], "ro" in parts[2:]) or root
    for word in inv.parsed.all_values("mount"):
        fields = dict(p.partition("=")[::2] for p in (word.value or "").split(","))
        source = fields.get("source") or fields.get("src") or ""
        if fields.get("type", "bind") == "bind" and source:
            root = _mount(inv, word, source, "readonly" in fields or "ro" in fields) or root
    for word in inv.parsed.all_values("device"):
        source = (word.value or "").partition(":")[0]
        if source:
            inv.path_value(source, PathAccess.WRITE)
    return root


def _mount(inv: Invocation, word: Word, source: str, read_only: bool) -> bool:
    fact = inv.path_value(source, PathAccess.READ, recursive=True)
    if fact is None:
        return False
    if PathLabel.CONTAINER_SOCKET in fact.labels:
        inv.op(O.CONNECT)
        inv.path_value(source, PathAccess.CONNECT)
    elif not read_only:
        inv.path_value(source, PathAccess.WRITE, recursive=True)
    return fact.resolved == "/"


def _exec(inv: Invocation) -> None:
    """docker exec, kubectl exec: a command in a running workload."""
    _endpoint(inv)
    inv.op(O.WORKLOAD_EXEC)
    _values(inv)
    words = inv.parsed.operands[1:]
    if words and words[0].value == "--":
        words = words[1:]
    if words:
        inv.run(words, How(remote=True))
    elif inv.fact.program in ("kubectl", "oc", "k9s"):
        inv.trait(Trait.INTERACTIVE_SHELL)


def _copy(inv: Invocation) -> None:
    """docker cp, kubectl cp: one side is inside."""
    _endpoint(inv)
    inv.op(O.COPY)
    operands = inv.parsed.operands
    for index, word in enumerate(operands[:2]):
        head, mark, _ = (word.value or word.prefix).partition(":")
        if mark and "/" not in head:
            continue
        apply_role(inv, "source" if index == 0 else "write", word)


def _compose(inv: Invocation) -> None:
    _endpoint(inv)
    _values(inv)
    if inv.parsed.has("volumes", "rmi"):
        inv.trait(Trait.DESTROYS_RESOURCE)


def _prune(inv: Invocation) -> None:
    _endpoint(inv)
    inv.op(O.DELETE)
    inv.trait(Trait.DESTROYS_RESOURCE, Trait.MASS)


def _remove(inv: Invocation) -> None:
    _endpoint(inv)
    inv.op(O.DELETE)
    inv.trait(Trait.DESTROYS_RESOURCE)
    if any(w.value is None for w in inv.parsed.operands):
        inv.trait(Trait.MASS)


def _look(inv: Invocation) -> None:
    _endpoint(inv)
    _values(inv)


_GLOBALS = "H,host= url= a,address= c,context= connection= l,log-level= D,debug tls tlsverify config= tlscacert= tlscert= tlskey= r,remote v,version help"
_RUN = ("a,attach= add-host= annotation= blkio-weight= cap-add= cap-drop= cgroup-parent= cidfile=write cpus= c,cpu-shares= cpuset-cpus= d,detach device= dns= dns-search= e,env= env-file=read"
        " entrypoint= expose= gpus= h,hostname= init i,interactive ip= ipc= l,label= label-file=read link= log-driver= log-opt= m,memory= memory-swap= mount= name= network= net= network-alias= no-healthcheck"
        " oom-kill-disable pid= pids-limit= platform= p,publish= P,publish-all privileged? pull= q,quiet read-only restart= rm runtime= security-opt= shm-size= stop-signal= stop-timeout= sysctl= tmpfs= t,tty"
        " ulimit= u,user= userns= uts= v,volume= volumes-from= w,workdir= group-add= health-cmd= health-interval= replace pod= userns= tz=")  # fmt: skip
_EXEC = "d,detach detach-keys= e,env= env-file=read i,interactive privileged t,tty u,user= w,workdir= T index= c,container= n,namespace= stdin tty q,quiet no-TTY"
_BUILD = ("add-host= build-arg= build-context= builder= cache-from= cache-to= f,file=script iidfile=log label= load metadata-file=log network= no-cache o,output= platform= progress= pull push q,quiet rm"
          " secret= shm-size= squash ssh= t,tag= target= provenance= sbom= allow= isolation= m= force-rm memory=")  # fmt: skip
_LIST = "a,all f,filter= format= n,last= l,latest no-trunc q,quiet s,size tail= since= until= follow timestamps t no-stream details digests tree services status= orphans"
_look_e = E(_LIST + " f,follow", special=_look, out=Out.CONTENT)
_rm_e = E("f,force v,volumes l,link a,all filter= i t= time= no-prune", special=_remove)
_prune_e = E("a,all f,force filter= volumes keep-storage=", special=_prune)
_GROUP = {"rm": _rm_e, "remove": _rm_e, "prune": _prune_e, "ls": _look_e, "list": _look_e, "*": _look_e}
_COMPOSE_OPTIONS = "f,file=script profile= project-directory= p,project-name= env-file=read parallel= all-resources ansi= compatibility progress= verbose dry-run"
_COMPOSE = {
    "up": E("d,detach build no-build force-recreate no-recreate no-deps remove-orphans V,renew-anon-volumes wait wait-timeout= scale= t,timeout= abort-on-container-exit exit-code-from= quiet-pull"
            " no-start attach= no-attach= pull= w,watch no-color no-log-prefix", special=_compose, ops=(O.CONTAINER_RUN,)),
    "down": E("v,volumes rmi= remove-orphans t,timeout=", special=_compose), "run": E(_RUN + " T no-deps use-aliases service-ports build remove-orphans quiet-pull", special=None, ordered=True),
    "exec": E(_EXEC, special=_exec, ordered=True), "rm": E("f,force s,stop v,volumes", special=_remove), "cp": E("", special=_copy), "*": _look_e,
    "build": E(_BUILD, "word*"),
}  # fmt: skip
_VERBS = {
    "run": E(_RUN, special=_run, ordered=True), "create": E(_RUN, special=_run, ordered=True), "exec": E(_EXEC, special=_exec, ordered=True),
    "cp": E("a L q", special=_copy), "build": E(_BUILD, "word*", special=_look), "buildx": E("builder=", verbs={"build": E(_BUILD, "word*"), "prune": _prune_e, "rm": _rm_e, "*": E(_BUILD)}),
    "rm": _rm_e, "rmi": _rm_e, "kill": E("s,signal= a", special=_look, ops=(O.PROCESS_KILL,)), "stop": E("t,time= a s=", special=_look), "push": E("a q", ops=(O.UPLOAD,)), "pull": E("a q platform= policy=", ops=(O.FETCH,)),
    "login": E("u,username= p,password= password-stdin", ops=(O.CONFIG_CHANGE,)), "save": E("o,output=write", out=Out.CONTENT), "export": E("o,output=write", out=Out.CONTENT),
    "load": E("i,input=read q"), "import": E("c= m= platform=", "read word"), "compose": E(_COMPOSE_OPTIONS, verbs=_COMPOSE),
    "system": E(verbs={"prune": _prune_e, "reset": _prune_e, "*": _look_e}), "builder": E(verbs=_GROUP),
    **{g: E(verbs={**_GROUP, **({"run": E(_RUN, special=_run, ordered=True), "exec": E(_EXEC, special=_exec, ordered=True), "create": E(_RUN, special=_run, ordered=True)} if g == "container" else {}),
                   **({"create": _look_e} if g in ("volume", "network") else {})})
       for g in ("container", "image", "volume", "network", "context", "secret", "config", "service", "node", "stack", "swarm", "plugin", "manifest", "machine", "pod", "trust")},
    "swarm": E(verbs={"leave": E("f,force", traits=(Trait.DESTROYS_RESOURCE,)), "*": _look_e}), "attach": E("", ops=(O.WORKLOAD_EXEC,)), "*": _look_e,
}  # fmt: skip
_DOCKER = E(_GLOBALS, verbs=_VERBS)


# --- Kubernetes ---


def _kubectl_delete(inv: Invocation) -> None:
    _values(inv)
    if any((w.value or "") in ("client", "server") for w in inv.parsed.all_values("dry-run")):
        inv.preview()
    inv.op(O.DELETE)
    inv.trait(Trait.DESTROYS_RESOURCE)
    kinds = (inv.parsed.operands[0].value or "").lower().split(",") if inv.parsed.operands else []
    kinds = [k.partition("/")[0] for k in kinds]
    if inv.parsed.has("all", "all-namespaces") or any(k in ("ns", "namespace", "namespaces", "all", "pv", "crd", "crds") for k in kinds):
        inv.trait(Trait.MASS)


def _kubectl_apply(inv: Invocation) -> None:
    _values(inv)
    if inv.parsed.has("dry-run"):
        inv.preview()
    if inv.parsed.has("prune", "force") and inv.fact.subcommand in ("apply", "replace"):
        inv.trait(Trait.DESTROYS_RESOURCE)


def _kubectl_scale(inv: Invocation) -> None:
    replicas = inv.parsed.value("replicas")
    if replicas is not None and replicas.value == "0" and inv.parsed.has("all"):
        inv.trait(Trait.MASS)


def _kubectl_drain(inv: Invocation) -> None:
    inv.trait(Trait.DESTROYS_RESOURCE)


def _kubectl_run(inv: Invocation) -> None:
    _values(inv)
    inv.op(O.CONTAINER_RUN)
    if inv.parsed.operands[1:]:
        _inside(inv, [w for w in inv.parsed.operands[1:] if w.value != "--"], None)


_K = ("as= as-group= cache-dir= certificate-authority= client-certificate= client-key= cluster= context= kubeconfig=read n,namespace= request-timeout= s,server= tls-server-name= token= user= v= insecure-skip-tls-verify"
      " o,output= l,selector= f,filename=manifest k,kustomize=manifest A,all-namespaces w,watch all force grace-period= wait? timeout= dry-run? field-selector= show-labels sort-by= no-headers template= R,recursive"
      " ignore-not-found cascade= now server-side prune validate= record overwrite c,container= p,previous tail= since= since-time= timestamps follow all-containers prefix replicas= type= patch=text patch-file=read"
      " i,stdin t,tty image= env= port= restart= rm command labels= overrides= limits= requests= expose address= from-literal=text from-file=read from-env-file=read raw= to-revision= ignore-daemonsets"
      " delete-emptydir-data delete-local-data disable-eviction pod-selector= x=")  # fmt: skip
_k = E(_K.replace("w,watch", "w,watch").replace("follow", "follow"), "word*", special=_look, out=Out.CONTENT)
_k_del = E(_K, special=_kubectl_delete)
_KUBECTL = E(_K, verbs={
    "delete": _k_del, "exec": E(_K.replace("f,filename=manifest", "f,filename=word"), special=_exec, ordered=False), "rsh": E(_K, special=_exec, ordered=True, ops=(O.WORKLOAD_EXEC,)),
    "debug": E(_K + " profile= target= copy-to= share-processes", special=_exec), "attach": E(_K, ops=(O.WORKLOAD_EXEC,)), "cp": E(_K, special=_copy), "port-forward": E(_K, ops=(O.TUNNEL,)), "proxy": E(_K, ops=(O.TUNNEL,)),
    **dict.fromkeys(("get", "describe", "explain", "api-resources", "api-versions", "top", "version", "cluster-info", "events", "wait", "diff", "auth", "config", "completion"), E(_K, "word*", special=_look, ops=(O.LIST,), out=Out.CONTENT)),
    "logs": E(_K.replace("f,filename=manifest", "f,filename"), "word*", ops=(O.READ,), out=Out.CONTENT), "log": E(_K.replace("f,filename=manifest", "f,filename"), "word*", ops=(O.READ,), out=Out.CONTENT),
    **dict.fromkeys(("apply", "create", "replace", "patch", "edit", "set", "label", "annotate", "expose", "autoscale", "kustomize", "certificate", "taint", "uncordon", "convert"), E(_K, "word*", special=_kubectl_apply)),
    "scale": E(_K, special=_kubectl_scale), "drain": E(_K, special=_kubectl_drain), "cordon": E(_K), "run": E(_K, special=_kubectl_run), "rollout": E(verbs={"*": E(_K)}), "*": _k,
})  # fmt: skip
_HELM = E("n,namespace= kube-context= kubeconfig=read debug registry-config=read repository-cache=", verbs={
    **dict.fromkeys(("uninstall", "delete", "del", "un"), E("dry-run keep-history timeout= wait", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,))),
    **dict.fromkeys(("install", "upgrade", "template"), E("f,values=read set=text set-string=text set-file=read version= i,install create-namespace wait timeout= dry-run? atomic repo= post-renderer=exec a= reset-values reuse-values", "word*")),
    "*": E("o,output= a all max= f= version= u,username= p,password= revision=", "word*"),
})  # fmt: skip


# --- Terraform and relatives ---


def _destroy(inv: Invocation) -> None:
    _values(inv)
    inv.op(O.DELETE)
    inv.trait(Trait.DESTROYS_RESOURCE)
    if not inv.parsed.has("target"):
        inv.trait(Trait.MASS)


def _apply(inv: Invocation) -> None:
    _values(inv)
    if inv.parsed.has("destroy"):
        _destroy(inv)


_TF_OPTIONS = ("chdir= var= var-file=read target= out=write state=stat state-out=write backup= auto-approve destroy input? lock? lock-timeout= no-color parallelism= refresh? replace= upgrade reconfigure migrate-state"
               " backend? backend-config= json compact-warnings detailed-exitcode refresh-only force recursive check diff write? raw from-module= get? plugin-dir= lockfile= help version generate-config-out=write")  # fmt: skip
_TERRAFORM = E(_TF_OPTIONS, style=Style.SINGLE, verbs={
    "destroy": E(_TF_OPTIONS, style=Style.SINGLE, special=_destroy), "apply": E(_TF_OPTIONS, "read", style=Style.SINGLE, special=_apply),
    "state": E(_TF_OPTIONS, style=Style.SINGLE, verbs={"rm": E(_TF_OPTIONS, style=Style.SINGLE, traits=(Trait.DESTROYS_RESOURCE,)), "push": E(_TF_OPTIONS, style=Style.SINGLE, traits=(Trait.DESTROYS_RESOURCE,)), "*": E(_TF_OPTIONS, style=Style.SINGLE)}),
    "workspace": E(_TF_OPTIONS, style=Style.SINGLE, verbs={"delete": E(_TF_OPTIONS, style=Style.SINGLE, traits=(Trait.DESTROYS_RESOURCE,)), "*": E(style=Style.SINGLE)}),
    "plan": E(_TF_OPTIONS, style=Style.SINGLE, special=_values), "taint": E(_TF_OPTIONS, style=Style.SINGLE), "force-unlock": E("force", style=Style.SINGLE), "*": E(_TF_OPTIONS, style=Style.SINGLE),
})  # fmt: skip
_stack_verbs = {**dict.fromkeys(("destroy", "down"), E("y,yes f,force s,stack= skip-preview target= t= all a auto-approve", special=_destroy)),
                "state": E(verbs={"delete": E("force y", traits=(Trait.DESTROYS_RESOURCE,)), "*": E()}), "stack": E(verbs={"rm": E("f y force yes", traits=(Trait.DESTROYS_RESOURCE,)), "*": E()}),
                "remove": E("s,stage= stage=", special=_destroy), "*": E("y,yes f s,stack= stage= require-approval= all", "word*")}  # fmt: skip


def _ansible(inv: Invocation) -> None:
    """ansible -m shell -a: a command on every host."""
    _values(inv)
    module = inv.parsed.value("module-name")
    arguments = inv.parsed.value("args")
    name = (module.value or "command") if module is not None else "command"
    if arguments is not None and name.rpartition(".")[2] in ("shell", "command", "raw"):
        inv.run_code(arguments, How(remote=True, dialect=Dialect.POSIX))


PROGRAMS = {
    "docker": _DOCKER, "podman": _DOCKER, "nerdctl": _DOCKER, "docker-compose": E(_COMPOSE_OPTIONS, verbs=_COMPOSE), "podman-compose": E(_COMPOSE_OPTIONS, verbs=_COMPOSE),
    "crictl": E("r,runtime-endpoint=", verbs={"exec": E(_EXEC, special=_exec, ordered=True), **dict.fromkeys(("rm", "rmi", "rmp"), _rm_e), "*": E()}), "ctr": E("n= a,address=", verbs={"tasks": E(verbs={"exec": E(_EXEC + " exec-id=", special=_exec, ordered=True), "*": E()}),
           "task": E(verbs={"exec": E(_EXEC + " exec-id=", special=_exec, ordered=True), "*": E()}), "run": E(_RUN, special=_run, ordered=True), "*": E()}),
    "buildah": E("", verbs={"run": E(_RUN, special=_exec, ordered=True), "*": E()}), "skopeo": E("", "word*"), "dive": E("", "word*"), "lazydocker": E(), "dockle": E(), "cosign": E("", "word*"), "crane": E("", "word*"), "oras": E("", "word*"),
    "apptainer": E("", verbs={**dict.fromkeys(("exec", "run", "shell"), E("B,bind= c e nv w H= pwd= env= cleanenv contain writable", special=_exec, ordered=True)), "*": E()}),
    "lxc": E("", verbs={"exec": E("t T env= cwd= user=", special=_exec, ordered=True), **dict.fromkeys(("delete", "rm"), _rm_e), "*": E()}), "incus": E("", verbs={"exec": E("", special=_exec, ordered=True), "delete": _rm_e, "*": E()}),
    "distrobox": E("", "word*"), "toolbox": E("", "word*"), "devcontainer": E("", verbs={"exec": E("workspace-folder= container-id=", ordered=True, special=_exec), "*": E("workspace-folder=")}), "colima": E("", "word*"), "limactl": E("", "word*"), "multipass": E("", "word*"),
    "kubectl": _KUBECTL, "oc": _KUBECTL, "k": _KUBECTL, "kubecolor": _KUBECTL, "kustomize": E("", "word*"), "kubens": E(), "kubectx": E(), "stern": E(), "k9s": E(), "kubeadm": E("", verbs={"reset": E("f,force", traits=(Trait.DESTROYS_RESOURCE,)), "*": E()}),
    "kind": E("", verbs={"delete": E(verbs={"cluster": E("n,name="), "clusters": E("all"), "*": E()}), "*": E()}), "minikube": E("p,profile=", verbs={"ssh": E("", ordered=True, special=_exec), "*": E()}), "k3d": E("", "word*"), "skaffold": E("", "word*"), "tilt": E("", "word*"),
    "helm": _HELM, "helmfile": E("f=read e= l=", verbs={**dict.fromkeys(("destroy", "delete"), E(traits=(Trait.DESTROYS_RESOURCE, Trait.MASS))), "*": E()}), "argocd": E("", verbs={"app": E(verbs={"delete": _k_del, "*": E()}), "*": E()}), "flux": E("", "word*"), "velero": E("", "word*"), "istioctl": E("", "word*"),
    "eksctl": E("", verbs={"delete": E("name= region= f=read", traits=(Trait.DESTROYS_RESOURCE, Trait.MASS), ops=(O.DELETE,)), "*": E()}),
    "terraform": _TERRAFORM, "tofu": _TERRAFORM, "terragrunt": _TERRAFORM, "pulumi": E("C= s,stack= y,yes", verbs=_stack_verbs), "cdk": E("a,app= c= profile=", verbs=_stack_verbs), "serverless": E("", verbs=_stack_verbs), "sls": E("", verbs=_stack_verbs),
    "sam": E("", verbs={"delete": E("no-prompts stack-name= region=", special=_destroy), "*": E()}), "copilot-aws": E("", verbs=_stack_verbs), "packer": E("", "word*"), "nomad": E("", verbs={"job": E(verbs={"stop": E("purge", traits=(Trait.DESTROYS_RESOURCE,)), "*": E()}), "*": E()}), "consul": E("", verbs={"kv": E(verbs={"delete": E("recurse", traits=(Trait.DESTROYS_RESOURCE,)), "*": E()}), "*": E()}),
    "ansible": E("i,inventory=read m,module-name= a,args=word b,become u,user= l,limit= e,extra-vars=text f= k K C,check v", "word", special=_ansible), "ansible-playbook": E("i,inventory=read l,limit= t,tags= e,extra-vars=text b C,check D v k K u= skip-tags= list-tasks syntax-check vault-password-file=read", "run*"),
    "ansible-galaxy": E("", "word*"), "ansible-vault": E("", "word*"), "ansible-lint": E("", "word*"), "ansible-inventory": E("", "word*"), "salt": E("", "word code*", special=None), "chef-client": E(), "puppet": E("", "word*"), "infracost": E("", "word*"),
}  # fmt: skip
