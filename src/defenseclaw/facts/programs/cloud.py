"""Cloud command lines: verbs that read secrets or delete resources, and object storage copies."""

from __future__ import annotations

from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E, Out
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.network import Endpoint
from defenseclaw.facts.programs.transfer import upload
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import merge

_OBJECT_SCHEMES = ("s3://", "gs://", "az://", "oss://", "cos://", "b2://")
# Verbs that remove what other people may depend on; words that start a longer verb count too.
_DESTROY_VERBS = ("delete", "terminate", "destroy", "purge", "remove", "deregister", "drop", "rb", "rm", "wipe", "undelete-not")
_HARMLESS_DELETES = frozenset({"delete-message", "delete-message-batch", "remove-tags", "remove-tags-from-resource", "delete-tags", "undelete",
                               "remove-iam-policy-binding", "remove-labels"})  # fmt: skip
_SECRET_PATHS = frozenset(
    {"secretsmanager get-secret-value", "secretsmanager batch-get-secret-value", "ssm get-parameter", "ssm get-parameters",
     "ssm get-parameters-by-path", "sts get-session-token", "sts assume-role", "sts assume-role-with-web-identity", "sts get-federation-token",
     "ecr get-login-password", "ecr-public get-login-password", "rds generate-db-auth-token", "iam create-access-key", "configure export-credentials",
     "secrets versions access", "auth print-access-token", "auth print-identity-token", "auth application-default print-access-token",
     "auth application-default print-identity-token", "iam service-accounts keys create", "keyvault secret show", "keyvault secret download",
     "account get-access-token", "keyvault key download", "storage account keys list", "ad sp create-for-rbac", "acr credential show",
     "eks get-token", "codeartifact get-authorization-token"}
)  # fmt: skip
# Objects that come back by themselves or hold nothing: deleting them loses no work.
_MASS_NOUNS = ("bucket", "database", "db-instance", "db-cluster", "cluster", "stack", "project", "resource-group", "group", "vpc", "table",
               "file-system", "instances", "organization", "account", "hosted-zone", "zone", "user-pool", "key", "vault", "server", "disk", "volume")  # fmt: skip


def _cloud(inv: Invocation) -> None:
    """A service, a verb and its options: read the path of words before the first option."""
    words = [w.value or "" for w in inv.parsed.operands]
    path = words[:4]
    inv.fact.subcommand = " ".join(path[:3])
    if any(" ".join(path[:n]) in _SECRET_PATHS for n in (2, 3, 4)):
        inv.op(O.CREDENTIAL_READ)
    for option, word in inv.parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    if inv.parsed.has("dry-run", "dryrun", "generate-cli-skeleton") or "help" in path:
        inv.preview()
    _storage(inv, words)
    _destroy(inv, path)


def _destroy(inv: Invocation, path: list[str]) -> None:
    for index, word in enumerate(path):
        verb = word.lower()
        if not verb.startswith(_DESTROY_VERBS) or verb in _HARMLESS_DELETES or index == 0:
            continue
        inv.op(O.DELETE)
        inv.trait(Trait.DESTROYS_RESOURCE)
        noun = verb.partition("-")[2] or (path[index - 1] if index else "")
        if any(noun.rstrip("s") == n.rstrip("s") or noun.endswith(n) for n in _MASS_NOUNS):
            inv.trait(Trait.MASS)
        return


def _storage(inv: Invocation, words: list[str]) -> None:
    """Copies to and from object storage."""
    if not any(w.startswith(_OBJECT_SCHEMES) for w in words) or len(words) < 2:
        return
    verbs = set(words[:3])
    places = [w for w in inv.parsed.operands if "/" in (w.value or w.prefix) or w.value in (".", "-")]
    if inv.parsed.has("recursive", "r") and verbs & {"rm", "delete", "mv", "rb"}:
        inv.trait(Trait.RECURSIVE, Trait.MASS)
    if "sync" in verbs and inv.parsed.has("delete"):
        inv.op(O.DELETE)
        inv.trait(Trait.DESTROYS_RESOURCE)
    if not verbs & {"cp", "mv", "sync", "rsync", "copy"} or len(places) < 2:
        return
    target = places[-1]
    if (target.value or target.prefix).startswith(_OBJECT_SCHEMES):
        for word in places[:-1]:
            if not (word.value or "").startswith(_OBJECT_SCHEMES):
                apply_role(inv, "source", word)
        upload(inv, Endpoint("", "https"), merge(inv.inputs) if inv.inputs else inv.stdin)
    else:
        inv.op(O.FETCH)
        apply_role(inv, "write", Word(target.value, prefix=target.prefix, start=target.start, end=target.end))


_OPTIONS = ("profile= region= output= query=pattern endpoint-url= ca-bundle= color= cli-input-json= cli-input-yaml= cli-read-timeout= cli-connect-timeout= no-cli-pager no-paginate no-sign-request no-verify-ssl debug"
            " recursive r dryrun dry-run force f quiet q yes y only-show-errors acl= exclude= include= delete size-only exact-timestamps follow-symlinks storage-class= sse= content-type= cache-control= expires-in="
            " page-size= max-items= starting-token= secret-id= name= names= parameter-name= with-decryption version-stage= filters= instance-ids= stack-name= bucket= key= body=read cli-binary-format= payload=data"
            " function-name= template-body= template-file=read zip-file= parameters=text tags= policy-document= document= user-name= role-name= role-arn= role-session-name= group-name= cluster= service= task-definition="
            " log-group-name= log-stream-names= start-time= end-time= filter-pattern=pattern limit= db-instance-identifier= skip-final-snapshot no-delete-automated-backups image-ids= generate-cli-skeleton? human-readable summarize"
            " project= zone= account= configuration= format= verbosity= impersonate-service-account= flatten= filter= sort-by= uri async source=run allow-unauthenticated image= platform= port= memory= set-env-vars= secret="
            " data-file=read machine-type= network= subnet= resource-group= g,resource-group= n,name= subscription= vault-name= o,output= l,location= id= ids= s= no-wait query= location= sku= command=text file=write"
            " d i access-token-file=read quota= billing-project= tag= message=text subject=text topic-arn= queue-url= message-body=text item= table-name= index= delete-service all version-id= show-details expand")  # fmt: skip
_CLOUD = E(_OPTIONS, "word*", special=_cloud, out=Out.CONTENT, preview="help version")
_S3CMD = E("r,recursive f,force c=read acl-public dry-run n exclude= include= delete-removed", "word*", special=_cloud)

PROGRAMS = {
    "aws": _CLOUD, "gcloud": _CLOUD, "az": _CLOUD, "gsutil": E("m q o= D h=", "word*", special=_cloud, out=Out.CONTENT), "s3cmd": _S3CMD, "aliyun": _CLOUD, "oci": _CLOUD, "ibmcloud": _CLOUD,
    "doctl": _CLOUD, "hcloud": _CLOUD, "linode-cli": _CLOUD, "vultr-cli": _CLOUD, "scw": _CLOUD, "bq": E("f,force r,recursive d,dataset t,table use_legacy_sql? format= project_id= location=", "word*", special=_cloud, out=Out.CONTENT),
    "awslocal": _CLOUD, "mc": E("recursive force r dangerous insecure json", "word*", special=_cloud), "rclone-cloud": _CLOUD, "heroku": E("a,app= r= confirm=", "word*", special=lambda inv: _heroku(inv)), "openstack": _CLOUD,
    "flyctl": E("a,app= y,yes c=read", "word*", special=_cloud), "fly": E("a,app= y,yes c=read", "word*", special=_cloud), "wrangler": E("c=read e= env= name=", "word*", special=_cloud), "vercel": E("prod y,yes t,token= scope=", "word*", special=_cloud),
    "netlify": E("prod dir= site= force", "word*", special=_cloud), "firebase": E("P,project= only= force f y,yes", "word*", special=_cloud), "supabase": E("project-ref= linked local", "word*", special=lambda inv: _supabase(inv)),
    "railway": E("", "word*", special=_cloud), "render": E("", "word*", special=_cloud), "stripe": E("", "word*", special=_cloud), "planetscale": _CLOUD, "pscale": _CLOUD, "turso": _CLOUD, "neonctl": _CLOUD, "atlas": _CLOUD,
    "azcopy": E("recursive", "word*", special=_cloud), "tccli": _CLOUD, "exo": _CLOUD,
}  # fmt: skip


def _heroku(inv: Invocation) -> None:
    words = [w.value or "" for w in inv.parsed.operands]
    inv.fact.subcommand = words[0] if words else ""
    if words and words[0] in ("apps:destroy", "pg:reset", "pg:killall", "addons:destroy", "apps:delete"):
        inv.trait(Trait.DESTROYS_RESOURCE, Trait.MASS)


def _supabase(inv: Invocation) -> None:
    words = [w.value or "" for w in inv.parsed.operands]
    inv.fact.subcommand = " ".join(words[:2])
    if words[:2] == ["db", "reset"]:
        inv.trait(Trait.SQL_DROP)
    _destroy(inv, words[:4])

