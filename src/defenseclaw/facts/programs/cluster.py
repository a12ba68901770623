"""Kubernetes and infrastructure tools: kubectl, helm, terraform, pulumi, ansible and relatives."""

from __future__ import annotations

from defenseclaw.core.facts import (
    CommandEffect,
    Dialect,
)
from defenseclaw.core.facts import (
    NetworkAction as N,
)
from defenseclaw.core.facts import (
    OperationKind as O,
)
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Style, settled
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.network import parse_url
from defenseclaw.facts.programs.cloud import actions
from defenseclaw.facts.programs.sending import ELSEWHERE, send, url_host
from defenseclaw.facts.programs.verbs import (
    after_dashes,
    destroys,
    each,
    group,
    lists,
    plain,
    run_there,
    secrets,
    styled,
    text_of,
)
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import Word
from defenseclaw.facts.table_reader import apply_roles

_INSIDE = How(remote=True)


# --- manifests ---


def load(inv: Invocation, word: Word) -> None:
    """A manifest that a tool loads: a URL, a file or folder, or its standard input."""
    text = text_of(word)
    if text.startswith(("http://", "https://", "git::", "oci://")):
        endpoint = parse_url(text.removeprefix("git::"))
        inv.op(O.FETCH)
        if endpoint is not None:
            inv.network(N.DOWNLOAD, endpoint)
    elif text != "-" or word.value is None:
        apply_role(inv, "settings", word)


@settled
def apply_values(inv: Invocation) -> None:
    """Give the values of all options their roles; file lists may be URLs."""
    for option, word in inv.parsed.values:
        if option.name in ("filename", "kustomize"):
            load(inv, word)
        elif option.role != "word":
            apply_role(inv, option.role, word)


def _operands(inv: Invocation) -> None:
    apply_values(inv)
    for word in inv.parsed.operands:
        load(inv, word)


# --- kubectl ---

# Output forms that show the stored values; names and tables do not.
_VALUE_OUTPUTS = ("yaml", "json", "jsonpath", "jsonpath-as-json", "jsonpath-file", "go-template", "go-template-file", "template",
                  "templatefile", "custom-columns", "kyaml")  # fmt: skip


def _kube_get(inv: Invocation) -> None:
    """get: lists objects; with the right output form a secret's values too."""
    apply_values(inv)
    output = text_of(inv.parsed.value("output") or Word("")).partition("=")[0]
    template = inv.parsed.has("template")
    if (output in _VALUE_OUTPUTS or template) and _names_secret(inv):
        inv.op(O.CREDENTIAL_READ)


def _names_secret(inv: Invocation) -> bool:
    first = inv.parsed.operands[:1] + [w for w in inv.parsed.operands if "/" in text_of(w)]
    kinds = [
        k.partition("/")[0].partition(".")[0] for w in first for k in text_of(w).lower().split(",")
    ]
    return any(kind in ("secret", "secrets") for kind in kinds)


@settled
def _kube_exec(inv: Invocation) -> None:
    """exec and debug: a command inside a running workload."""
    apply_values(inv)
    if inv.fact.effect is CommandEffect.PREVIEW:
        return
    words = after_dashes(inv) or _after_name(inv)
    if words:
        inv.run(words, _INSIDE)


def _after_name(inv: Invocation) -> list[Word]:
    """The old form without ``--``: everything after the workload's name."""
    operands = inv.parsed.operands
    skip = (
        2
        if len(operands) > 1
        and operands[0].value in ("pod", "pods", "deploy", "deployment", "node")
        else 1
    )
    return operands[skip:] if inv.fact.subcommand == "exec" else []


def _kube_run(inv: Invocation) -> None:
    """run: a new workload, with a command after ``--``."""
    apply_values(inv)
    overrides = text_of(inv.parsed.value("overrides") or Word(""))
    if inv.parsed.has("privileged") or '"privileged":true' in overrides.replace(" ", ""):
        inv.trait(Trait.PRIVILEGED_CONTAINER)
    words = after_dashes(inv)
    if words and not text_of(words[0]).startswith("-"):
        inv.run(words, _INSIDE)


def _kube_copy(inv: Invocation) -> None:
    """cp: one side is inside a workload."""
    apply_values(inv)
    inv.op(O.COPY)
    for index, word in enumerate(inv.parsed.operands[:2]):
        head, mark, _ = text_of(word).partition(":")
        inside = mark and not head.startswith((".", "/")) and len(head) > 1
        if not inside and not (word.value is None and ":" in word.suffix):
            apply_role(inv, "write" if index else "source", word)
        elif index and inv.inputs:
            send(inv, ELSEWHERE)


def _chart_push(inv: Invocation) -> None:
    """helm push: a packaged chart goes to a registry."""
    apply_roles(inv, "source word")
    registry = [url_host(word) or ELSEWHERE for word in inv.parsed.operands[1:2]]
    send(inv, registry[0] if registry else ELSEWHERE)


def _kube_delete(inv: Invocation) -> None:
    apply_values(inv)
    if inv.parsed.has("all", "all-namespaces"):
        inv.trait(Trait.MASS)


def _kube_forward(inv: Invocation) -> None:
    """port-forward: brings a port of a workload here."""
    apply_values(inv)
    if any(w.value not in ("localhost", "127.0.0.1") for w in inv.parsed.all_values("address")):
        inv.op(O.LISTEN)


_KUBE_GLOBALS = (
    "n,namespace=place context=place cluster=place user= kubeconfig=settings s,server=url token= as= as-group= as-uid= as-user-extra="
    " certificate-authority=stat client-certificate=stat client-key=stat insecure-skip-tls-verify request-timeout= cache-dir="
    " match-server-version v= vmodule= profile=place profile-output=log proxy-url= tls-server-name= warnings-as-errors kuberc=settings"
    " disable-compression password= username= loglevel= h,help version"
)
_FILES = "f,filename= k,kustomize= R,recursive"
_OUT = "o,output= template= show-managed-fields allow-missing-template-keys"
_CHANGE = f"{_FILES} {_OUT} dry-run? field-manager= save-config validate? overwrite l,selector= all field-selector= local record resource-version= A,all-namespaces list"
_GET = (
    f"{_FILES} {_OUT} A,all-namespaces l,selector= w,watch watch-only field-selector= show-labels no-headers sort-by= L,label-columns="
    " output-watch-events raw= ignore-not-found chunk-size= subresource= show-kind server-print show-events use-openapi-print-columns"
)
_KUBE_EXEC = "c,container= i,stdin t,tty q,quiet f,filename= pod-running-timeout= image=must target= copy-to= share-processes profile=place attach env= same-node set-image=must replace custom=settings keep-labels T"
_CREATE = (
    f"{_CHANGE} edit raw= windows-line-endings from-file=settings from-literal= from-env-file=settings append-hash type= cert=stat key=stat"
    " docker-server= docker-username= docker-password= docker-email= image=must port= r,replicas= schedule= restart= from= clusterrole= role="
    " user= group= serviceaccount= verb= resource= resource-name= non-resource-url= aggregation-rule= tcp= node-port= clusterip= external-name="
    " class= rule= default-backend= annotation= hard= scopes= min-available= max-unavailable= value= global-default description= preemption-policy="
    " duration= audience= bound-object-kind= bound-object-name= bound-object-uid="
)
_RUN = (
    f"{_CHANGE} image=must i,stdin t,tty rm restart= command env= port= expose labels= l,labels= annotations= overrides= override-type= q,quiet privileged"
    " attach leave-stdin-open image-pull-policy= pod-running-timeout= cascade? force grace-period= timeout= wait requests= limits= serviceaccount="
)
_DELETE = f"{_FILES} {_OUT} all A,all-namespaces cascade? dry-run? force grace-period= i,interactive ignore-not-found now raw= l,selector= field-selector= timeout= wait"
_DRAIN = "dry-run? force ignore-daemonsets delete-emptydir-data delete-local-data grace-period= timeout= l,selector= pod-selector= disable-eviction chunk-size= skip-wait-for-delete-timeout= overwrite validate? all field-manager= show-managed-fields o,output="
_ROLLOUT = group(_FILES, lists("status history", "w,watch timeout= revision= l,selector= o,output="),
                 plain("restart pause resume", "l,selector= o,output= field-manager= dry-run?"),
                 {"undo": E("to-revision= dry-run? o,output= l,selector=")}, special=apply_values)  # fmt: skip


def _config_view(inv: Invocation) -> None:
    """config view hides the values unless asked for the raw file."""
    if not inv.parsed.has("raw", "flatten"):
        inv.fact.operations.remove(O.CREDENTIAL_READ)


_KUBE_CONFIG = group("",
    secrets("view", "flatten merge minify raw o,output= template=", before=_config_view),
    lists("current-context get-contexts get-clusters get-users", "o,output= no-headers"),
    plain("use-context set-context set set-cluster rename-context unset", "current n,namespace=place cluster=place user= set-raw-bytes embed-certs"
          " tls-server-name= proxy-url="),
    {"set-credentials": E("client-certificate=stat client-key=stat username= password= token= embed-certs exec-command=code exec-arg="
                          " exec-api-version= exec-env= auth-provider= auth-provider-arg=", ops=(O.CONFIG_CHANGE,))},
    each("delete-context delete-cluster delete-user", E(ops=(O.CONFIG_CHANGE,))),
    {"*": E()},
)  # fmt: skip


_KUBE_VERBS = {
    "get": E(_GET, ops=(O.LIST,), special=_kube_get),
    **lists("describe list explain api-resources api-versions version cluster-info top events options", f"{_GET} c,containers containers sort-by="
            " sum api-group= namespaced verbs= no-headers types= for= client output-version= short use-protocol-buffers", special=apply_values),
    "logs": E("f,follow p,previous c,container= tail= since= since-time= timestamps l,selector= all-containers all-pods prefix limit-bytes="
              " max-log-requests= ignore-errors pod-running-timeout= insecure-skip-tls-verify-backend", ops=(O.READ,)),
    **each("apply create replace patch edit label annotate set expose autoscale", E(f"{_CREATE} force force-conflicts server-side prune wait timeout=", special=apply_values)),
    "create": E(_CREATE, special=apply_values, verbs={
        "token": E(ops=(O.CREDENTIAL_READ,), special=apply_values), "secret": E(special=apply_values), "*": E(special=apply_values)}),
    "apply": E(f"{_CHANGE} force force-conflicts server-side prune prune-allowlist= prune-whitelist= applyset= wait timeout= cascade? grace-period="
               " openapi-patch subresource=", special=apply_values),
    "replace": E(f"{_CHANGE} force cascade? grace-period= timeout= wait raw= subresource=", special=apply_values),
    "patch": E(f"{_CHANGE} p,patch= patch-file=settings type= subresource=", special=apply_values),
    "scale": E(f"{_CHANGE} replicas= current-replicas= timeout=", special=apply_values),
    "autoscale": E(f"{_CHANGE} min= max= cpu= memory= cpu-percent= name=", special=apply_values),
    "expose": E(f"{_CHANGE} port= target-port= name= type= protocol= external-ip= load-balancer-ip= cluster-ip= session-affinity= labels= overrides=", special=apply_values),
    "set": E(f"{_CHANGE} e,env= from= prefix= keys= c,containers= limits= requests=", special=apply_values, verbs={"*": E(special=apply_values)}),
    **each("diff kustomize convert", E(f"{_FILES} {_OUT} server-side prune l,selector= field-manager= force-conflicts concurrency= enable-helm helm-command=must"
                                       " load-restrictor= reorder= enable-alpha-plugins network mount= e,env= output-version=", "word*", special=_operands)),
    "wait": E(f"{_FILES} {_OUT} for= timeout= l,selector= all A,all-namespaces field-selector=", special=apply_values),
    "delete": E(_DELETE, ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,), special=_kube_delete),
    "rollout": _ROLLOUT,
    **each("drain cordon uncordon taint", E(_DRAIN)),
    "exec": E(_KUBE_EXEC, ops=(O.WORKLOAD_EXEC,), special=_kube_exec),
    "attach": E(_KUBE_EXEC, ops=(O.WORKLOAD_EXEC,)),
    "debug": E(_KUBE_EXEC, ops=(O.WORKLOAD_EXEC,), special=_kube_exec),
    "run": E(_RUN, ops=(O.CONTAINER_RUN,), special=_kube_run),
    "cp": E("c,container= no-preserve retries=", special=_kube_copy),
    **each("port-forward proxy", E("address= p,port= pod-running-timeout= w,www= P,www-prefix= accept-hosts= accept-paths= reject-paths= api-prefix="
                                   " u,unix-socket= disable-filter keepalive=", ops=(O.TUNNEL,), special=_kube_forward)),
    "auth": group("", lists("can-i whoami", f"{_OUT} A,all-namespaces list no-headers q,quiet subresource="),
                  {"reconcile": E(f"{_CHANGE} remove-extra-permissions remove-extra-subjects", special=apply_values)}),
    "certificate": group("", plain("approve deny", f"{_FILES} {_OUT} force", special=apply_values)),
    "config": _KUBE_CONFIG,
    **plain("completion plugin alpha krew ctx ns neat tree view-secret options help", ordered=True),
}  # fmt: skip
_KUBE_VERBS["cluster-info"] = E(
    _GET,
    ops=(O.LIST,),
    verbs={"dump": E("output-directory=mkdir namespaces= A,all-namespaces", ops=(O.LIST,))},
)
_KUBECTL = E(_KUBE_GLOBALS, verbs=_KUBE_VERBS)


def _rsh(inv: Invocation) -> None:
    """oc rsh and debug: a name, then the command."""
    apply_values(inv)
    words = after_dashes(inv) or inv.parsed.operands[1:]
    if words:
        inv.run(words, _INSIDE)


_OC_VERBS = {
    **_KUBE_VERBS,
    **each("rsh debug", E(f"{_KUBE_EXEC} shell= as-root as-user= no-stdin no-tty one-container keep-annotations node-name= to-namespace=",
                          ops=(O.WORKLOAD_EXEC,), ordered=True, special=_rsh)),
    "whoami": E("t,show-token show-server show-context c,show-console", marks={"show-token": (O.CREDENTIAL_READ,)}),
    **plain("login logout project projects status new-app new-build new-project start-build cancel-build import-image tag expose process idle rollback observe"
            " request-project extract image secrets", "f,file= p,param= l,labels= u,username= certificate-authority=stat from-dir=list F,follow to=mkdir"
            " confirm keys= docker-image= name= image=must strategy= display-name= description= short q"),
    "rsync": E("delete exclude= include= no-perms q,quiet progress strategy= w,watch c,container=", special=_kube_copy),
    "adm": group("", {"policy": group("", plain("add-cluster-role-to-user add-cluster-role-to-group add-role-to-user add-role-to-group add-scc-to-user"
                                                " add-scc-to-group remove-cluster-role-from-user remove-role-from-user who-can scc-review",
                                                "z,serviceaccount= rolebinding-name= role-namespace= dry-run?"), {"*": E()}),
                      **each("drain cordon uncordon taint", E(_DRAIN)), "prune": group("", {"*": E("confirm keep-younger-than= keep-tag-revisions=", ops=(O.DELETE,))}),
                      "*": E(f"{_GET} dest-dir=mkdir")}),
}  # fmt: skip


def _k3s(inv: Invocation) -> None:
    """k3s kubectl …, k3s crictl …, k3s ctr …: the tool itself."""
    words = inv.parsed.operands
    if words and words[0].value in ("kubectl", "crictl", "ctr"):
        inv.run(words)


# --- helm and manifests ---

_HELM_GLOBALS = (
    "n,namespace=place kube-context=place kubeconfig=settings kube-apiserver= kube-as-group= kube-as-user= kube-ca-file=stat kube-token= kube-insecure-skip-tls-verify"
    " kube-tls-server-name= registry-config=settings repository-cache= repository-config=settings debug burst-limit= qps= content-cache= h,help"
)
_CHART = (
    "f,values= set= set-string= set-file= set-json= set-literal= version= repo= username= password= ca-file=stat cert-file=stat key-file=stat"
    " keyring= verify devel dependency-update insecure-skip-tls-verify plain-http pass-credentials name-template= g,generate-name"
    " create-namespace d,disable-openapi-validation description= dry-run? hide-secret enable-dns force force-replace force-conflicts i,install atomic"
    " rollback-on-failure cleanup-on-fail history-max= l,labels= no-hooks post-renderer=code post-renderer-args= render-subchart-notes replace reset-values"
    " reset-then-reuse-values reuse-values skip-crds skip-schema-validation take-ownership timeout= wait? wait-for-jobs o,output= a,api-versions="
    " include-crds is-upgrade kube-version= output-dir=mkdir release-name s,show-only= skip-tests validate server-side?"
    " allow-unreleased C,context=place detailed-exitcode three-way-merge suppress= no-color color strip-trailing-cr show-secrets normalize-manifests"
    " strict with-subcharts quiet api-versions= no-hooks context=place reset-values"
)


@settled
def _helm_chart(inv: Invocation) -> None:
    """install, upgrade, template …: values files and a chart that may be remote."""
    apply_values(inv)
    for word in inv.parsed.all_values("values"):
        load(inv, word)
    single = inv.fact.subcommand in ("install", "upgrade")  # a release's name stands before it
    for word in inv.parsed.operands[-1:] if single else inv.parsed.operands:
        if "://" in text_of(word):
            load(inv, word)


_HELM = E(_HELM_GLOBALS, verbs={
    **each("install upgrade", E(_CHART, operands="any* target", special=_helm_chart)),
    **each("template lint diff", E(_CHART, ops=(O.LIST,), operands="target*", special=_helm_chart)),
    "diff": E(_CHART, ops=(O.LIST,), verbs={"*": E(operands="target*", special=_helm_chart)}),
    **destroys("uninstall delete del un", "cascade= dry-run? keep-history no-hooks description= timeout= wait? ignore-not-found purge"),
    "rollback": E("cleanup-on-fail dry-run? force history-max= no-hooks recreate-pods timeout= wait? wait-for-jobs description="),
    **lists("list ls status history hist get search show inspect env version verify", f"{_CHART} A,all-namespaces a,all deployed failed m,max= date"
            " q,short short o,output= filter= pending r,reverse l,selector= offset= superseded uninstalled uninstalling max= revision= show-desc"
            " show-resources max-col-width= l,versions regexp client template= no-headers"),
    "get": group("", lists("all hooks manifest metadata notes values", "a,all o,output= revision= template=")),
    **each("pull fetch", E(f"{_CHART} d,destination=mkdir untar untardir=mkdir prov", ops=(O.FETCH,), operands="target*", special=_helm_chart)),
    "push": E(_CHART, ops=(O.CONNECT,), special=_chart_push),
    "repo": group("", {"add": E("username= password= force-update no-update allow-deprecated-repos timeout= ca-file=stat cert-file=stat key-file=stat"
                                " pass-credentials insecure-skip-tls-verify", "word url", ops=(O.CONNECT,)),
                       "update": E("fail-on-repo-update-fail timeout=", ops=(O.FETCH,)), **each("remove rm", E(ops=(O.CONFIG_CHANGE,))),
                       "index": E("url= merge=settings json", "mkdir"), "*": E("o,output=")}),
    **each("dependency dep dependencies", E(verbs={**each("build update up", E("skip-refresh verify keyring=", ops=(O.FETCH,))), "*": E()})),
    "plugin": group("", {"install": E("version= verify", ops=(O.FETCH,), operands="target*", special=_helm_chart), "*": E()}),
    "registry": group("", plain("login logout", "u,username= p,password= password-stdin insecure ca-file=stat")),
    "create": E("p,starter=", "mkdir"), "package": E("d,destination=mkdir app-version= version= sign key= keyring= u,dependency-update passphrase-file=settings", "list*"),
    "test": E("filter= logs timeout= hide-notes"), "*": E(_CHART, ordered=True),
}, ordered=True)  # fmt: skip
_HELMFILE = E("f,file=settings e,environment= l,selector= q,quiet n,namespace=place kube-context=place state-values-set= state-values-file=settings debug i,interactive"
              " allow-no-matching-release log-level= no-color disable-force-update b,helm-binary= chart= args= set= enable-live-output", verbs={
    **destroys("destroy delete", "skip-deps skip-charts concurrency= args= cascade= purge deleteWait"),
    **plain("apply sync", "skip-deps concurrency= args= set= values=settings wait suppress-secrets skip-diff-on-install include-needs detailed-exitcode context=place"),
    "*": E("skip-deps concurrency= args= output-dir=mkdir set= values=settings output="),
})  # fmt: skip
_FLUX = E(f"{_KUBE_GLOBALS} timeout= verbose", verbs={
    **destroys("delete", "s,silent"),
    "uninstall": E("dry-run keep-namespace s,silent", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)),
    "*": E("path= source= url= branch= interval= prune export A,all-namespaces with-source all wait"),
})  # fmt: skip
_ARGO_OBJECTS = {
    **destroys("delete rm", "cascade p,propagation-policy= y,yes wait l,selector= N,app-namespace=place"),
    "sync": E("prune force dry-run async revision= resource= l,selector= timeout= replace server-side local=list strategy= apply-out-of-sync-only retry-limit= N,app-namespace=place"),
    "rollback": E("prune timeout= N,app-namespace=place"), "terminate-op": E(), "delete-resource": E("kind= resource-name= namespace=place all force orphan", ops=(O.DELETE,),
                                                                                             traits=(Trait.DESTROYS_RESOURCE,)),
    **lists("list get diff history manifests wait resources logs ls", "o,output= l,selector= refresh hard-refresh local=list revision= show-operation f,follow tail="),
    "*": E("f,file=settings repo= path= dest-server= dest-namespace= project= sync-policy= helm-set= values=settings revision= p,parameter= upsert"
           " username= password= ssh-private-key-path=stat y,yes name= insecure-skip-server-verification"),
}  # fmt: skip
_ARGOCD = E("server=place auth-token= insecure grpc-web plaintext core port-forward port-forward-namespace= config=settings server-crt=stat client-crt=stat"
            " loglevel= logformat= kube-context=place H,header= http-retry-max= grpc-web-root-path=", verbs={
    **each("app appset cluster repo repocreds proj account cert gpg", E(verbs=_ARGO_OBJECTS)),
    "account": E(verbs={"generate-token": E("a,account= e,expires-in= id=", ops=(O.CREDENTIAL_READ,)), "*": E("current-password= new-password= account=")}),
    "admin": E(verbs={"initial-password": E(ops=(O.CREDENTIAL_READ,), verbs={"*": E("n,namespace=place", ops=(O.CREDENTIAL_READ,))}), "*": E()}), "*": E(),
})  # fmt: skip
_VELERO_OBJECT = {
    **destroys("delete", "all confirm l,selector="), "create": E("include-namespaces= exclude-namespaces= include-resources= l,selector= ttl= wait from-backup="
                                                                 " storage-location= schedule= snapshot-volumes? ordered-resources= o,output= from-schedule="),
    "*": E("o,output= details l,selector= follow"),
}  # fmt: skip
_VELERO = E(f"{_KUBE_GLOBALS} colorized features= log_dir=", verbs={
    **each("backup restore schedule backup-location snapshot-location repo", E(verbs=_VELERO_OBJECT)),
    **destroys("delete", "all confirm l,selector="),
    "uninstall": E("force wait", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)), "*": E("details o,output="),
})  # fmt: skip

# --- local clusters and cluster makers ---


def _local_kubectl(inv: Invocation) -> None:
    words = after_dashes(inv) or inv.parsed.operands
    inv.run([Word("kubectl"), *words])


def _ssh_words(inv: Invocation) -> None:
    apply_values(inv)
    run_there(inv, inv.parsed.operands)


_LOCAL = E("p,profile=place name= kubeconfig=settings v= q,quiet alsologtostderr verbosity= config=settings n,node= o,output= context=place", verbs={
    "kubectl": E("ordered", ordered=True, special=_local_kubectl),
    "ssh": E("n,node= native-ssh", ordered=True, special=_ssh_words, ops=(O.WORKLOAD_EXEC,)),
    "delete": E("all purge a", ops=(O.DELETE,)),
    "image": E(verbs={"load": E("overwrite daemon pull", "word*"), "build": E("t,tag= f,file=settings push", "list"), "*": E("format=")}),
    "cp": E("", "source word"), "mount": E("type= uid= gid= port= ip=", "list"),
    **plain("start stop pause unpause status ip service tunnel dashboard logs addons config profile node version update-check docker-env podman-env cache"
            " get create load export build completion cluster registry kubeconfig nodes node tool help", "image=must driver= memory= cpus= kubernetes-version="
            " nodes= wait= config=settings retain internal f,follow a,agents= s,servers= url shell= unset addons= disk-size= cni= container-runtime= force"
            " image=must install-addons api-port= port= volume= no-lb w,wait all images= c,config=settings k3s-arg= network= registry-use= timeout= U,unset"),
})  # fmt: skip


_MAKER = E("state= v= yes config=settings f,config-file=settings region=place profile=place timeout= approve cluster=place", verbs={
    **destroys("delete del", "n,name= r,region=place w,wait disable-nodegroup-eviction force approve cluster=place state= yes unregister"),
    "*": E("n,name= r,region=place w,wait o,output= nodes= node-type= fargate version= cloud= zones= master-size= node-size= node-count="),
})  # fmt: skip
_DEV_LOOP = E("f,filename=settings p,profile=place n,namespace=place d,default-repo= kube-context=place m,module= v,verbosity= port-forward? tail cache-artifacts? file=settings"
              " context=place host= port= legacy stream t,tag= i,images= b,build-artifacts= o,output= offline detect-minikube status-check?", verbs={
    **each("delete down", E("dry-run delete-namespaces", ops=(O.DELETE,))), "*": E("dry-run"),
})  # fmt: skip
_MESH = E(f"{_KUBE_GLOBALS} i,istioNamespace= l,linkerd-namespace= api-addr= verbose", verbs={
    **destroys("uninstall", "purge skip-confirmation y,skip-confirmation revision= f,filename= force"), "*": E("o,output= filename= f,filename= set= y,skip-confirmation"),
})  # fmt: skip


# --- terraform and relatives ---


def _terraform_globals(inv: Invocation) -> None:
    folder = (
        inv.parsed.value("chdir")
        or inv.parsed.value("terragrunt-working-dir")
        or inv.parsed.value("working-dir")
    )
    if folder is not None and folder.value:
        inv.cwd = inv.builder.locate(folder.value, inv.cwd).resolved or inv.cwd


def _tf(options: str = "", operands: str = "word*", **more: object) -> E:
    return E(options, operands, style=Style.SINGLE, **more)  # type: ignore[arg-type]


_TF_COMMON = "input= lock= lock-timeout= no-color compact-warnings json state=stat state-out=write backup=log var= var-file=settings target= parallelism= h,help replace= exclude="
_TF_APPLY = f"{_TF_COMMON} auto-approve destroy refresh-only refresh= show-sensitive allow-deferral"
_TF_STATE = f"{_TF_COMMON} id= ignore-remote-version dry-run force backup-out=log"
_TERRAFORM_VERBS = {
    "init": _tf(f"{_TF_COMMON} backend? backend-config=settings force-copy from-module= get? get-plugins= lockfile= migrate-state plugin-dir=list"
                " reconfigure upgrade? test-directory= verify-plugins=", ops=(O.FETCH,)),
    "plan": _tf(f"{_TF_COMMON} destroy detailed-exitcode generate-config-out=write out=write refresh-only refresh=", ops=(O.LIST,)),
    "apply": _tf(_TF_APPLY, "settings", marks={"destroy": (O.DELETE, Trait.DESTROYS_RESOURCE)}),
    "destroy": _tf(_TF_APPLY, ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)),
    "refresh": _tf(_TF_APPLY),
    "import": _tf(f"{_TF_COMMON} config=list allow-missing-config ignore-remote-version"),
    **each("taint untaint", _tf(f"{_TF_COMMON} allow-missing ignore-remote-version")),
    "state": _tf(verbs={
        **each("list show pull", _tf(_TF_STATE, ops=(O.LIST,))), **each("mv replace-provider", _tf(_TF_STATE)),
        "rm": _tf(_TF_STATE, ops=(O.DELETE,)), "push": _tf(_TF_STATE, "settings"), "identities": _tf(_TF_STATE)}),
    **each("workspace env", _tf(verbs={"delete": _tf(f"{_TF_COMMON} force", ops=(O.DELETE,)), "*": _tf(_TF_COMMON)})),
    "force-unlock": _tf("force"),
    "output": _tf("json raw state=stat no-color show-sensitive", ops=(O.LIST,)), "show": _tf("json no-color show-sensitive", "stat", ops=(O.LIST,)),
    "fmt": _tf("list= write= diff check recursive no-color", "format*"), "console": _tf(f"{_TF_COMMON} plan"),
    **each("validate graph providers version get metadata modules functions", _tf(f"{_TF_COMMON} update type= draw-cycles plan= module-depth= fs-mirror= net-mirror="
                                                                          " platform= no-tests test-directory= check-variables=", "word*", ops=(O.LIST,))),
    "test": _tf(f"{_TF_COMMON} filter= verbose test-directory= cloud-run= junit-xml=log"), **each("login logout", _tf()),
    "providers": _tf(_TF_COMMON, verbs={"lock": _tf("platform= fs-mirror= net-mirror="), "mirror": _tf("platform=", "mkdir"), "schema": _tf("json"), "*": _tf()}),
    "stacks": _tf(verbs={"*": _tf()}), "query": _tf(_TF_COMMON), "rpcapi": _tf(),
}  # fmt: skip
_TERRAFORM = _tf(
    "chdir=place h,help v,version", verbs=_TERRAFORM_VERBS, before=_terraform_globals, ordered=True
)
_TG_GLOBALS = (
    "chdir=place terragrunt-working-dir=place terragrunt-config=settings terragrunt-non-interactive terragrunt-log-level= terragrunt-source= terragrunt-include-dir="
    " terragrunt-exclude-dir= terragrunt-no-auto-init terragrunt-parallelism= terragrunt-source-update terragrunt-include-external-dependencies"
    " terragrunt-ignore-external-dependencies terragrunt-iam-role= working-dir= config=settings non-interactive log-level= all a graph h,help v,version"
    " queue-include-dir= queue-exclude-dir= parallelism= no-auto-init no-color source= terragrunt-strict-include queue-include-external"
)


def _terragrunt_all(inv: Invocation) -> None:
    """run-all and run --all: terraform verbs in every module."""
    _terraform_globals(inv)
    words = [w for w in inv.parsed.operands if w.value != "--"]
    verb = words[0].value or "" if words else ""
    inv.fact.subcommand = f"{inv.fact.subcommand} {verb}".strip()
    if verb == "destroy" or (verb == "apply" and inv.parsed.has("destroy")):
        inv.op(O.DELETE)
        inv.trait(Trait.DESTROYS_RESOURCE, Trait.MASS)


_TERRAGRUNT = _tf(_TG_GLOBALS, before=_terraform_globals, ordered=True, verbs={
    **_TERRAFORM_VERBS,
    **each("plan-all validate-all output-all", _tf(_TF_COMMON, ops=(O.LIST,))), "apply-all": _tf(_TF_APPLY, marks={"destroy": (Trait.DESTROYS_RESOURCE,)}),
    "destroy-all": _tf(_TF_APPLY, ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE, Trait.MASS)),
    **each("run-all run", _tf(f"{_TF_APPLY} out=write", special=_terragrunt_all)),
    **each("hclfmt hcl render-json render graph-dependencies output-module-groups terragrunt-info find list dag scaffold catalog stack info backend exec",
           _tf("check diff file= format= out=write")),
})  # fmt: skip
_TF_TOOL = E("config=settings recursive f,format= init force minimum-failure-severity= chdir=place filter= only= enable-rule= disable-rule= var-file=settings"
             " d,directory=list file=list framework= c,check= skip-check= o,output= compact quiet soft-fail path=list terraform-var-file=settings"
             " out-file=log show-skipped usage-file=settings no-color s,soft-fail tfvars-file=settings e,exclude= i,input= external-checks-dir= hard-fail-on="
             " download-external-modules baseline=settings create-baseline output-file-path=log output-file= output-mode= header-from=settings",
             "word*", ops=(O.LIST,))  # fmt: skip

# --- other infrastructure as code ---

_PULUMI_COMMON = (
    "s,stack= C,cwd= y,yes f,skip-preview skip-preview diff j,json json m,message=text p,parallel= r,refresh? t,target= target-dependents replace= target-replace="
    " config-file=settings c,config= config-path debug expect-no-changes show-config show-reads show-replacement-steps show-sames suppress-outputs"
    " suppress-permalink? exclude-protected preview-only d,debug logtostderr v,verbose= non-interactive e,emoji color= logflow profiling= tracing= policy-pack="
    " continue-on-error remove exclude= run-program"
)


def _pulumi_config(inv: Invocation) -> None:
    """config with --show-secrets prints decrypted values."""
    if inv.parsed.has("show-secrets"):
        inv.op(O.CREDENTIAL_READ)


_PULUMI = E(_PULUMI_COMMON, verbs={
    **each("destroy down dn", E(ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,))),
    **each("up update refresh import watch", E(f"{_PULUMI_COMMON} f,file=settings o,out=write", preview="help version dry-run preview-only")),
    **each("preview pre", E(f"{_PULUMI_COMMON} save-plan=write import-file=write", ops=(O.LIST,))),
    "stack": group("i,show-ids u,show-urls show-secrets",
                   destroys("rm remove", "f,force preserve-config remove-backups"), lists("ls list output history graph tag", "a,all show-secrets j,json shell o= t,tag="),
                   {"export": E("file=write show-secrets version=", marks={"show-secrets": (O.CREDENTIAL_READ,)}), "import": E("file=settings force"),
                    "*": E("secrets-provider= copy-config-from= no-select c,create")}),
    "state": group("", destroys("delete", "all target-dependents force"), {"*": E("all")}),
    "config": E("show-secrets j,json path plaintext secret f,force p,path all", special=_pulumi_config, verbs={"*": E(special=_pulumi_config)}),
    "new": E("n,name= d,description= dir=mkdir g,generate-only o,offline f,force l,list-templates t,template-mode secrets-provider="),
    "cancel": E(), "*": E(ordered=False),
})  # fmt: skip


_CDK = E("a,app=code c,context=place p,plugin= trace strict lookups ignore-errors j,json v,verbose debug profile=place proxy= ca-bundle-path=stat i,ec2creds"
         " version-reporting path-metadata asset-metadata r,role-arn= staging o,output=mkdir notices no-color ci unstable= b,build=code q,quiet h,help version", verbs={
    **destroys("destroy", "all f,force e,exclusively concurrency="), "gc": E("action= type= rollback-buffer-days= confirm", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)),
    **plain("deploy watch import rollback", "all require-approval= hotswap hotswap-fallback outputs-file=write f,force parameters= e,exclusively concurrency="
            " method= no-rollback R,rollback? progress= change-set-name= execute notification-arns= t,tags= build-exclude= asset-parallelism"),
    **lists("diff list ls synth synthesize metadata doctor docs notices context acknowledge", "l,long e,exclusively fail template= security-only strict"
            " context-lines= change-set q,quiet validation reset= clear"),
    **plain("bootstrap init migrate drift flags refactor", "l,language= list generate-only toolkit-stack-name= trust= cloudformation-execution-policies="
            " qualifier= show-template termination-protection b,bootstrap-bucket-name= dry-run template="),
})  # fmt: skip
_SERVERLESS_OPTIONS = (
    "s,stage= r,region=place c,config=settings t,template=settings template-file=settings aws-profile= verbose debug f,function= p,path= stack-name= profile=place no-prompts"
    " guided resolve-s3 s3-bucket= s3-prefix= capabilities= parameter-overrides= no-confirm-changeset no-fail-on-empty-changeset config-file=settings"
    " config-env= d,data= e,event=settings n,name= l,log type= param= use-container cached parallel b,build-dir=mkdir env-vars=settings port= docker-network="
    " tail filter= start-time= include-traces u= force no-progressbar runtime= app-template= dependency-manager= lint watch code tags= package= conceal"
)
_SERVERLESS = E(_SERVERLESS_OPTIONS, verbs={
    **destroys("remove destroy delete", "aws-s3-accelerate"), "deploy": E(verbs={"*": E()}), "plugin": E(verbs={"*": E()}),
    **plain("package print info metrics rollback invoke logs create config dev offline doctor slstats build validate local init sync list traces publish pipeline"
            " bind console shell diff secret tunnel unlock state version start state-machine add install cert shell"),
})  # fmt: skip
_ANSIBLE_OPTIONS = (
    "i,inventory=place inventory-file= l,limit= t,tags= skip-tags= e,extra-vars= vault-password-file=settings vault-id= ask-vault-pass J,ask-vault-password"
    " k,ask-pass K,ask-become-pass b,become become-user= become-method= become-password-file=settings c,connection= u,user= private-key=stat key-file=stat"
    " T,timeout= f,forks= v,verbose C,check D,diff syntax-check list-hosts list-tasks list-tags start-at-task= step flush-cache force-handlers M,module-path="
    " m,module-name= a,args= o,one-line B,background= P,poll= t,tree= playbook-dir=list ssh-common-args=must ssh-extra-args=must sftp-extra-args= scp-extra-args="
    " connection-password-file=settings h,help version graph list host= y,yaml toml vars export output="
)


def _ansible(inv: Invocation) -> None:
    """ansible PATTERN -m module -a arguments: one module on other hosts."""
    apply_values(inv)
    if inv.fact.effect is CommandEffect.PREVIEW or inv.parsed.has("list-hosts"):
        return
    module = text_of(inv.parsed.value("module-name") or Word("command")).rpartition(".")[2]
    arguments = inv.parsed.value("args")
    inv.op(O.WORKLOAD_EXEC)
    if module in ("command", "shell", "raw", "script") and arguments is not None:
        if module == "script":
            apply_role(inv, "run", arguments)
        else:
            inv.run_code(arguments, How(remote=True, wrapper=False, dialect=Dialect.POSIX))


def _playbook(inv: Invocation) -> None:
    """ansible-playbook runs the project's playbooks."""
    apply_values(inv)
    for word in inv.parsed.operands:
        apply_role(inv, "run", word)


_ANSIBLE_PREVIEW = "help version check syntax-check list-tasks list-tags list-hosts"
_ANSIBLE_VAULT = E("vault-password-file=settings vault-id= ask-vault-pass J output=write encrypt-vault-id= new-vault-id= new-vault-password-file=settings n,name= p,prompt v", verbs={
    **each("encrypt decrypt rekey edit", E("output=write", "format*")), **secrets("view", operands="read*"), "create": E("", "write"), "*": E(),
})  # fmt: skip
_PACKER = _tf("h,help v,version", verbs={
    **each("build", _tf("color= debug except= only= force machine-readable on-error= parallel-builds= timestamp-ui var= var-file=settings warn-on-undeclared-var use-sequential-evaluation", "settings")),
    **each("validate inspect fmt fix hcl2_upgrade", _tf("syntax-only except= only= var= var-file=settings check diff write= recursive evaluate-datasources with-annotations", "settings", ops=(O.LIST,))),
    "init": _tf("upgrade force", "settings", ops=(O.FETCH,)), "plugins": _tf(verbs={"*": _tf()}), **each("console version", _tf()),
}, ordered=True)  # fmt: skip

# --- cluster stores and schedulers ---

_HTTP_OPTIONS = "http-addr=url address= token= token-file=settings ca-file=stat ca-path= client-cert=stat client-key=stat tls-server-name= datacenter= namespace=place partition= region=place stale h,help"


def _consul_exec(inv: Invocation) -> None:
    words = inv.parsed.operands
    if words:
        inv.run(words, How(remote=inv.fact.subcommand == "exec", wrapper=True))


def _after_key(inv: Invocation) -> None:
    """consul lock PREFIX command: runs here while holding the lock."""
    words = inv.parsed.operands[1:]
    if words:
        inv.run(words)


_CONSUL = _tf(f"{_HTTP_OPTIONS} version", ordered=True, verbs={
    "kv": _tf(verbs={**each("delete", _tf("recurse cas modify-index=", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,))),
                     **each("get export", _tf("base64 detailed keys recurse separator=", ops=(O.READ,))), "put": _tf("acquire base64 cas flags= modify-index= release session=", "word data"),
                     "*": _tf()}),
    "snapshot": _tf(verbs={"save": _tf("", "write"), "restore": _tf("", "settings", traits=(Trait.DESTROYS_RESOURCE,)), "*": _tf()}),
    "operator": _tf(verbs={"raft": _tf(verbs={"remove-peer": _tf("address= id=", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)), "*": _tf()}), "*": _tf()}),
    "exec": _tf("node= service= tag= prefix= shell wait= wait-repl= verbose", ordered=True, ops=(O.WORKLOAD_EXEC,), special=_consul_exec),
    "lock": _tf("child-exit-code monitor-retry= n= name= pass-stdin shell try= verbose", ordered=True, special=_after_key),
    "acl": _tf(verbs={"*": _tf(verbs={**each("delete", _tf("id= name=", ops=(O.DELETE,))), "*": _tf()})}),
    "*": _tf("config-dir=list config-file=settings data-dir=mkdir dev server ui bind= client= node= join= retry-join= bootstrap-expect= wan status= detailed"),
})  # fmt: skip


_NOMAD_STOP = _tf(
    "detach purge yes global no-shutdown-delay verbose eval-priority=",
    ops=(O.DELETE,),
    marks={"purge": (Trait.DESTROYS_RESOURCE,)},
)


def _nomad_exec(inv: Invocation) -> None:
    words = inv.parsed.operands[1:]
    if words:
        inv.run(words, _INSIDE)


_NOMAD = _tf(f"{_HTTP_OPTIONS} version no-color", ordered=True, verbs={
    "job": _tf(verbs={"stop": _NOMAD_STOP, **each("plan validate inspect status history deployments", _tf("t= json diff verbose policy-override var= var-file=settings", "settings", ops=(O.LIST,))),
                      **each("run dispatch", _tf("detach verbose check-index= output var= var-file=settings policy-override meta= payload=", "settings")), "*": _tf("detach verbose")}),
    "stop": _NOMAD_STOP, **each("plan validate inspect status", _tf("verbose json short diff", "word", ops=(O.LIST,))), "run": _tf("detach verbose var= var-file=settings", "settings"),
    "system": _tf(verbs={"gc": _tf(ops=(O.DELETE,)), "*": _tf()}), "node": _tf(verbs={"drain": _tf("enable disable deadline= force self yes detach ignore-system m="), "*": _tf()}),
    "alloc": _tf(verbs={"exec": _tf("task= job i= t= e= group=", ordered=True, ops=(O.WORKLOAD_EXEC,), special=_nomad_exec), "*": _tf("f stderr stdout tail n= job task=")}),
    "var": _tf(verbs={"purge": _tf(ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)), "get": _tf("out= item= template=", ops=(O.CREDENTIAL_READ,)), "*": _tf("force in= out=")}),
    "namespace": _tf(verbs={"delete": _tf(ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)), "*": _tf()}),
    "volume": _tf(verbs={**each("delete deregister", _tf("secret= force", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,))), "*": _tf("verbose")}), "*": _tf(verbs={"*": _tf()}),
})  # fmt: skip


_ETCDCTL = E("endpoints= cacert=stat cert=stat key=stat user= password= w,write-out= command-timeout= dial-timeout= insecure-skip-tls-verify insecure-transport"
             " discovery-srv= debug hex h,help", verbs={
    "get": E("prefix from-key keys-only limit= order= sort-by= rev= consistency= count-only print-value-only", ops=(O.READ,)), "put": E("lease= prev-kv ignore-value ignore-lease"),
    **destroys("del", "prefix from-key prev-kv range"), "member": group("", destroys("remove"), {"*": E("peer-urls= learner")}),
    "snapshot": group("", {"save": E("", "write"), "restore": E("data-dir=mkdir name= initial-cluster= initial-cluster-token= initial-advertise-peer-urls= skip-hash-check",
                                                             "settings", traits=(Trait.DESTROYS_RESOURCE,)), "*": E("", "stat")}),
    **each("user role", E(verbs={"delete": E(ops=(O.DELETE,)), "*": E("new-user-password= no-password interactive")})),
    **plain("endpoint alarm watch lease lock elect auth compaction defrag version txn move-leader check", "cluster prefix interactive i,interactive"),
})  # fmt: skip


# --- programs ---


def _after_host(inv: Invocation) -> None:
    """tsh ssh HOST command: shell text on another machine."""
    apply_values(inv)
    run_there(inv, inv.parsed.operands[1:])


def _nuke(inv: Invocation) -> None:
    """Tools that empty a whole account; some only list unless told otherwise."""
    apply_values(inv)
    words = [text_of(w) for w in inv.parsed.operands[:1]]
    shows = words[:1] in (
        ["version"],
        ["resource-types"],
        ["inspect-aws"],
        ["explain-account"],
        ["explain-config"],
    )
    if not shows and (inv.fact.program != "aws-nuke" or inv.parsed.has("no-dry-run")):
        inv.op(O.DELETE)
        inv.trait(Trait.DESTROYS_RESOURCE, Trait.MASS)


def _openstack(inv: Invocation) -> None:
    """openstack OBJECT… VERB: the verb stands somewhere after the object."""
    words = [w.value or "" for w in inv.parsed.operands]
    for index, word in enumerate(words):
        if word in ("delete", "purge", "remove", "unset"):
            inv.fact.subcommand = " ".join(words[: index + 1])
            inv.op(O.DELETE)
            inv.trait(Trait.DESTROYS_RESOURCE)
            return
    inv.fact.subcommand = " ".join(words[:2])


PROGRAMS: dict[str, E] = {
    **each("kubectl kubecolor k", _KUBECTL),
    "oc": E(_KUBE_GLOBALS, verbs=_OC_VERBS),
    **each("k3s microk8s k0s", E(ordered=True, special=_k3s)),
    **each("microk8s.kubectl", _KUBECTL),
    "helm": _HELM,
    "helmfile": _HELMFILE,
    "kustomize": E("h,help", verbs={
        "build": E("o,output=write e,env= enable-helm enable-alpha-plugins enable-exec helm-command=must load-restrictor= mount= network reorder= as-current-user helm-kube-version=",
                   special=_operands), "edit": E(verbs={"*": E(verbs={"*": E()})}),
        "create": E("resources= autodetect recursive namespace=place namesuffix= nameprefix="), "*": E()}),
    "k9s": E("A,all-namespaces n,namespace=place context=place c,command= kubeconfig=settings readonly logLevel= l= r,refresh= headless", verbs={"*": E()}),
    **each("minikube kind k3d", _LOCAL),
    **each("eksctl kops rancher rke rosa eksctl-anywhere clusterctl clusterawsadm", _MAKER),
    "kubeadm": E("v= config=settings kubeconfig=settings", verbs={**destroys("reset", "f,force cri-socket= cleanup-tmp-dir"), "token": E(verbs={"*": E("print-join-command ttl=")}),
                                                               "*": E("pod-network-cidr= apiserver-advertise-address= discovery-token-ca-cert-hash= token= control-plane certificate-key=")}),
    **each("skaffold tilt devspace werf okteto garden telepresence", _DEV_LOOP),
    **each("istioctl linkerd cilium hubble", _MESH),
    "argocd": _ARGOCD,
    "argo": E(f"{_KUBE_GLOBALS} argo-server=", verbs={**destroys("delete", "all completed older= resubmitted prefix= l,selector= A,all-namespaces force dry-run"),
                                                  **each("cron template cluster-template archive", E(verbs={**destroys("delete", "all"), "*": E()})),
                                                  "*": E("w,watch l,selector= p,parameter= f,parameter-file=settings log serviceaccount= o,output= f,follow")}),
    "flux": _FLUX,
    "velero": _VELERO,
    **plain("stern kubetail", f"{_KUBE_GLOBALS} c,container= t,timestamps s,since= tail= o,output= l,selector= A,all-namespaces i,include= e,exclude= color= E,exclude-container=", ops=(O.READ,)),
    **plain("kubectx kubens kubie", "c,current u,unset d=", verbs={"exec": E("", ordered=True), "*": E()}),
    **plain("kubeseal ytt kapp kpt kbld vendir imgpkg kubent pluto popeye polaris datree kube-linter kube-capacity kwok kube-ps1 tkn knative kn",
            "f,file=settings o,output= format= cert=stat w,sealed-secret-file=write n,namespace=place y,yes a,app= diff-changes c,config=settings helm3"
            " controller-name= controller-namespace= raw from-file=settings name= scope= fetch-cert",
            verbs={**destroys("delete", "a,app= y,yes f,force"), "*": E()}),
    "conftest": E(verbs={"*": E("p,policy=list o,output= n,namespace=place all-namespaces d,data=list parser= combine")}),
    **each("terraform tofu tflocal", _TERRAFORM),
    "terragrunt": _TERRAGRUNT,
    **each("tflint tfsec checkov terrascan terraform-docs infracost tfsec-pr-commenter tfenv tfswitch tofuenv kics regula cfn-lint cfn_nag_scan driftctl atlantis", _TF_TOOL),
    "pulumi": _PULUMI,
    **each("cdk cdktf cdk8s cdklocal", _CDK),
    **each("sam samlocal serverless sls sst", _SERVERLESS),
    "ansible": E(_ANSIBLE_OPTIONS, special=_ansible, preview=_ANSIBLE_PREVIEW),
    "ansible-playbook": E(_ANSIBLE_OPTIONS, special=_playbook, preview=_ANSIBLE_PREVIEW),
    **plain("ansible-inventory ansible-doc ansible-lint ansible-config ansible-console ansible-test molecule yamllint", _ANSIBLE_OPTIONS),
    "ansible-galaxy": E("r,role-file=settings requirements-file=settings p,roles-path=mkdir collections-path=mkdir f,force force-with-deps i,ignore-errors s,server=place c,ignore-certs"
                        " token= v", verbs={**each("collection role", E(verbs={"install": E(ops=(O.FETCH,)), **each("remove", E(ops=(O.DELETE,))), "*": E()})),
                                            "install": E(ops=(O.FETCH,)), "*": E()}),
    "ansible-pull": E(f"{_ANSIBLE_OPTIONS} U,url=url d,directory=mkdir checkout= purge full clean accept-host-key", "run*", ops=(O.FETCH,)),
    "ansible-vault": _ANSIBLE_VAULT,
    "packer": _PACKER,
    "consul": _CONSUL,
    "nomad": _NOMAD,
    "etcdctl": _ETCDCTL,
    "zkcli": E("server=place", verbs={**destroys("delete deleteall rmr"), "*": E()}),
    **each("salt salt-call puppet bolt knife chef-client chef", E("c,config-dir= l,log-level= t,timeout= out= local", verbs={**destroys("delete"), "*": E(ordered=True)})),
    **plain("krew kubelogin kubescape kubebuilder operator-sdk crossplane kcl timoni goldilocks kube-hunter kubeaudit kyverno terraformer cf-terraforming terramate"
            " atmos localstack oci-env driftctl-scan bicep steampipe cloudquery", "f,file=settings o,output= n,namespace=place config=settings d,detach", "word*"),
    **each("talosctl kubeone temporal tctl dapr waypoint boundary teleport tctl-teleport nomad-pack levant", E(f"{_KUBE_GLOBALS} nodes= endpoints= talosconfig=settings o,output= f,file=settings",
                                                                                                      verbs={**destroys("reset", "graceful reboot wipe-mode= system-labels-to-wipe= user-disks-to-wipe= timeout="), "*": E(special=actions)})),
    "tsh": E("proxy= user= ttl= l,login= c,cluster=place d,debug insecure auth= h,help", verbs={
        "ssh": E("p,port= A,forward-agent L,forward= R,remote-forward= N t,tty o,option=", ordered=True, ops=(O.WORKLOAD_EXEC,), special=_after_host), "scp": E("P,port= r,recursive q", "source* word"), "*": E()}),
    **each("chalice zappa", E("stage= profile=place yes y,yes a,all s,settings_file=settings", special=actions)),
    **each("aws-nuke cloud-nuke gcp-nuke azure-nuke ekz-nuke", E("c,config=settings no-dry-run force profile=place region=place resource-type= older-than= dry-run", special=_nuke)),
    "openstack": E("os-cloud= os-auth-url= f,format= c,column= insecure debug q,quiet", special=_openstack),
}  # fmt: skip


__all__ = ["PROGRAMS", "apply_values", "load", "styled"]
