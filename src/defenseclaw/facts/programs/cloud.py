"""Cloud command lines: aws, gcloud, az, object stores and hosting platforms."""

from __future__ import annotations

import re
from collections.abc import Iterable

from defenseclaw.core.facts import CommandEffect
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, joined
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.network import Endpoint, canonical_host, parse_url
from defenseclaw.facts.programs.sending import ELSEWHERE, send, sends
from defenseclaw.facts.programs.transfer import upload
from defenseclaw.facts.programs.verbs import (
    REMOTE_TEXT,
    after_dashes,
    apply_values,
    destroys,
    each,
    lists,
    plain,
    run_there,
    text_of,
)
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import Stream, merge

# Verbs of command lines that say service, object, verb.
_DESTROYING = frozenset({"delete", "destroy", "remove", "rm", "del", "purge", "terminate", "teardown", "drop", "wipe", "erase", "rb",
                         "delete-batch", "bulk-delete", "delete-all", "untag", "deprovision", "shutdown-delete"})  # fmt: skip
# … whose object holds nothing: a rule, a binding or a label is made again with one command.
_LIGHT_OBJECTS = frozenset(
    {"tag", "tags", "labels", "label", "alias", "aliases", "collaborators", "members"}
)
# Verbs that end a verb path: a name follows.
_ACTING = frozenset(
    {"list", "ls", "describe", "show", "get", "info", "create", "add", "update", "edit", "set", "unset", "ssh", "scp", "cat", "cp", "mv",
     "rsync", "deploy", "run", "submit", "start", "stop", "restart", "reset", "resize", "enable", "disable", "export", "import", "call",
     "tail", "read", "write", "connect", "login", "logout", "print-access-token", "access", "activate", "rollback", "logs", "status",
     "open", "clone", "restore", "wait", "invoke", "view", "search", "publish", "push", "pull", "upload", "download", "validate", "roll"}
)  # fmt: skip
_ACTING_PREFIXES = ("get-", "set-", "add-", "remove-", "print-", "list-", "create-", "update-")
# … whose object is part of the verb; API names are spelled in one word.
_DESTROYING_OBJECT = re.compile(
    r"(?:delete|destroy|terminate|purge|kill)-[a-z-]+"
    r"|(?:[a-z]+-)*(?!soft-|auto-)[a-z]+-(?:delete|destroy|terminate)"
    r"|(?:Delete|Destroy|Terminate)[A-Z]\w+"
)
_VERB_WORD = re.compile(r"[a-z][a-z0-9_:-]*")
MAX_PATH_WORDS = 4
MAX_VERB_WORDS = 5  # deeper words are names; no command line of this kind nests further


def leading(inv: Invocation) -> list[str]:
    """The first static operands; what follows ``--`` is no part of a verb path."""
    found: list[str] = []
    tail = after_dashes(inv)[:1]
    for word in inv.parsed.operands[:MAX_VERB_WORDS]:
        if word.value is None or word.glob or (tail and word is tail[0]):
            break
        found.append(word.value)
    return found


def verb_path(words: list[str]) -> list[str]:
    """The words up to the first that acts; what looks like a name ends the path too."""
    found: list[str] = []
    for word in words[:MAX_PATH_WORDS]:
        if not _VERB_WORD.fullmatch(word):
            break
        found.append(word)
        if word in _ACTING or word.startswith(_ACTING_PREFIXES):
            break
    return found


def destroy(inv: Invocation, *traits: Trait) -> None:
    """The command deletes a resource."""
    inv.op(O.DELETE)
    inv.trait(Trait.DESTROYS_RESOURCE, *traits)


def set_path(inv: Invocation, words: Iterable[str]) -> None:
    """Replace the verb path by the words of a command line without verb tables."""
    inv.fact.subcommand = " ".join(words)


def actions(inv: Invocation) -> None:
    """Service, object and verb: which of the first words is a destroying verb."""
    apply_values(inv)
    words = [*inv.fact.subcommand.split(), *leading(inv)]
    if "help" in words[:1] + words[-1:]:
        inv.preview()
    for index, word in enumerate(words):
        if not _is_destroying(word) or (word not in _DESTROYING and _acts(words[:index])):
            continue
        set_path(inv, words[: index + 1])
        if index and words[index - 1].lower() in _LIGHT_OBJECTS:
            inv.op(O.CONFIG_CHANGE)
        else:
            destroy(inv)
        return
    set_path(inv, verb_path(words))


def _is_destroying(word: str) -> bool:
    verb = word.rpartition(":")[2]
    return verb.lower() in _DESTROYING or _DESTROYING_OBJECT.fullmatch(verb) is not None


def _acts(words: list[str]) -> bool:
    """Whether a verb came already, so that what follows is a name."""
    return any(word in _ACTING for word in words)


# --- copies to and from object storage ---

_BUCKET_SCHEMES = (
    "s3://",
    "gs://",
    "oss://",
    "cos://",
    "b2://",
    "az://",
    "s3n://",
    "s3a://",
    "oci://",
)


def _bucket(text: str) -> Endpoint | None:
    """The network target that a bucket URL stands for."""
    scheme, mark, rest = text.partition("://")
    name = rest.partition("/")[0]
    if not mark:
        return None
    if scheme in ("http", "https"):
        return parse_url(text)
    if scheme == "gs":
        return Endpoint("storage.googleapis.com", "https")
    host = canonical_host(f"{name}.s3.amazonaws.com") or "s3.amazonaws.com"
    return Endpoint(host, "https") if text.startswith(_BUCKET_SCHEMES) else None


def copy(inv: Invocation, words: list[Word]) -> None:
    """Sources and a destination, each local or a bucket; uploads carry what they read."""
    if inv.fact.effect is CommandEffect.PREVIEW or len(words) < 2:
        return
    target = _bucket(text_of(words[-1]))
    endpoint_url = inv.parsed.value("endpoint-url")
    if target is not None and endpoint_url is not None:
        target = parse_url(text_of(endpoint_url)) or target
    for word in words[:-1]:
        if _bucket(text_of(word)) is None:
            apply_role(inv, "source", word)
    inv.op(O.COPY)
    if target is None:
        inv.op(O.FETCH)
        network = Stream(network=True, commands=(inv.fact.id,), connected=True)
        inv.inputs.append(network)
        apply_role(inv, "write", words[-1])
        inv.out = network if words[-1].value == "-" else inv.out
    elif inv.inputs:
        upload(inv, target, merge(inv.inputs))


# --- aws ---

_AWS_SECRETS = frozenset(
    {"secretsmanager get-secret-value", "secretsmanager batch-get-secret-value", "ssm get-parameter", "ssm get-parameters",
     "ssm get-parameters-by-path", "sts get-session-token", "sts assume-role", "sts assume-role-with-web-identity",
     "sts assume-role-with-saml", "sts get-federation-token", "configure export-credentials", "iam create-access-key",
     "rds generate-db-auth-token", "codeartifact get-authorization-token", "redshift get-cluster-credentials"}
)  # fmt: skip
_AWS_DESTROYING = ("delete-", "batch-delete-", "terminate-", "deregister-", "purge-", "remove-", "destroy-", "schedule-key-deletion",
                   "bulk-delete", "force-delete-", "admin-delete-")  # fmt: skip
# Consuming a message and taking a label off lose nothing.
_AWS_LIGHT = frozenset({"delete-message", "delete-message-batch", "remove-tags", "remove-tags-from-resource", "delete-tags",
                        "remove-tags-from-certificate", "remove-tags-from-stream", "delete-tag"})  # fmt: skip
_AWS_CONFIGURED_SECRETS = frozenset(
    {"aws_secret_access_key", "aws_session_token", "aws_access_key_id"}
)


def _aws(inv: Invocation) -> None:
    """aws SERVICE OPERATION: the operation's name says what it does."""
    apply_values(inv)
    operands = inv.parsed.operands
    words = [text_of(w) for w in operands[:3]]
    set_path(inv, words[:2])
    if "help" in words:
        inv.preview()
    if inv.fact.subcommand in _AWS_SECRETS and not inv.parsed.has("generate-cli-skeleton"):
        inv.op(O.CREDENTIAL_READ)
    operation = words[1] if len(words) > 1 else ""
    if (operation.startswith(_AWS_DESTROYING) and operation not in _AWS_LIGHT) or (
        operation == "change-resource-record-sets" and _changes_delete(inv)
    ):
        destroy(inv)
    for word in operands[2:]:
        _parameter(inv, word)
    _AWS_SPECIAL.get(inv.fact.subcommand, _nothing)(inv)


def _nothing(inv: Invocation) -> None:
    """No more than the operation's name says."""


def _parameter(inv: Invocation, word: Word) -> None:
    """``file://x`` and ``fileb://x`` are read as a parameter."""
    for scheme in ("file://", "fileb://"):
        if text_of(word).startswith(scheme):
            apply_role(inv, "settings", joined(word, len(scheme)))


def _changes_delete(inv: Invocation) -> bool:
    return any('"DELETE"' in text_of(w).upper() for w in inv.parsed.operands[2:])


def _aws_configure(inv: Invocation) -> None:
    name = [text_of(w).rpartition(".")[2] for w in inv.parsed.operands[2:3]]
    if name and name[0] in _AWS_CONFIGURED_SECRETS:
        inv.op(O.CREDENTIAL_READ)


def _aws_get_object(inv: Invocation) -> None:
    if len(inv.parsed.operands) > 2:
        inv.op(O.FETCH)
        apply_role(inv, "write", inv.parsed.operands[-1])


def _aws_put_object(inv: Invocation) -> None:
    body = inv.parsed.value("body")
    bucket = inv.parsed.value("bucket")
    if body is not None:
        apply_role(inv, "source", body)
        upload(
            inv,
            _bucket(f"s3://{text_of(bucket or Word(''))}") or Endpoint("s3.amazonaws.com", "https"),
            merge(inv.inputs),
        )


def _aws_remote(inv: Invocation) -> None:
    """A command on an instance or in a task."""
    inv.op(O.WORKLOAD_EXEC)
    command = inv.parsed.value("command")
    if command is not None and command.value is not None:
        inv.run_code(command, REMOTE_TEXT)


_AWS_SPECIAL = {
    "configure get": _aws_configure,
    "s3api get-object": _aws_get_object,
    "s3api put-object": _aws_put_object,
    "lambda invoke": _aws_get_object,
    "ecs execute-command": _aws_remote,
    "ssm send-command": _aws_remote,
    "ssm start-session": _aws_remote,
}


def _s3(inv: Invocation) -> None:
    """aws s3: the verbs that look like file commands."""
    apply_values(inv)
    words = inv.parsed.operands
    verb = inv.fact.subcommand.rpartition(" ")[2]
    if any(w.value == "help" for w in words):
        inv.preview()
    if verb in ("rm", "rb") or (verb == "sync" and inv.parsed.has("delete")):
        destroy(inv, *((Trait.MASS,) if inv.parsed.has("recursive", "force", "delete") else ()))
    if verb in ("cp", "mv", "sync"):
        copy(inv, words)


_AWS_GLOBALS = (
    "ca-bundle=stat cli-connect-timeout= cli-read-timeout= cli-binary-format= cli-input-json= cli-input-yaml= color= endpoint-url=url output= profile=place"
    " query=pattern region=place page-size= max-items= starting-token= max-results= next-token= generate-cli-skeleton? debug no-verify-ssl no-paginate"
    " no-sign-request no-cli-pager cli-auto-prompt no-cli-auto-prompt v,version help dry-run,dryrun cli-error-format="
)
_AWS_OPTIONS = (
    "object-version,version= body= bucket= key= command= cluster= task= container= interactive secret-id= name= with-decryption no-with-decryption recursive no-recursive"
    " document-name= function-name= payload= force no-dry-run"
)
_S3_OPTIONS = (
    "recursive quiet only-show-errors no-progress force delete exclude= include= acl= follow-symlinks no-follow-symlinks no-guess-mime-type sse? sse-c?"
    " sse-c-key= sse-kms-key-id= storage-class= grants= website-redirect= content-type= cache-control= content-disposition= content-encoding="
    " content-language= expires= source-region= metadata= metadata-directive= copy-props= expected-size= size-only exact-timestamps human-readable"
    " summarize request-payer? expires-in= index-document= error-document= checksum-algorithm= checksum-mode= page-size= bucket-name-prefix= no-overwrite"
)
_S3 = E(
    _S3_OPTIONS,
    verbs={
        **each("cp mv rm rb sync", E(special=_s3)),
        **lists("ls", special=_s3),
        **plain("mb presign website", special=_s3),
        "*": E(special=_s3),
    },
)
_AWS = E(
    _AWS_GLOBALS,
    verbs={"s3": _S3, "*": E(_AWS_OPTIONS, special=_aws)},
    preview="help version dry-run generate-cli-skeleton",
)

# --- gcloud, gsutil, bq ---

_GCLOUD_SECRETS = frozenset(
    {"secrets versions access", "auth print-access-token", "auth print-identity-token", "auth application-default print-access-token",
     "config config-helper", "auth print-refresh-token"}
)  # fmt: skip
_GCLOUD_LIGHT = (
    "delete-access-config",
    "remove-iam-policy-binding",
    "remove-tags",
    "remove-labels",
)


def _gcloud_ssh(inv: Invocation) -> None:
    """compute ssh: one command on an instance, by option or after ``--``."""
    command = inv.parsed.value("command")
    run_there(inv, [command] if command is not None else after_dashes(inv))


def _gcloud_scp(inv: Invocation) -> None:
    """compute scp: files here and ``instance:path`` there."""
    words = inv.parsed.operands[2:]
    for word in words:
        if ":" not in text_of(word):
            apply_role(inv, "write" if word is words[-1] else "source", word)
    inv.op(O.COPY)
    if words and ":" in text_of(words[-1]) and inv.inputs:
        send(inv, ELSEWHERE)


_GCLOUD_MACHINES = {"ssh": _gcloud_ssh, "scp": _gcloud_scp}


def _gcloud(inv: Invocation) -> None:
    """gcloud GROUP … VERB: release tracks are no part of the path."""
    apply_values(inv)
    operands = inv.parsed.operands
    if operands and operands[0].value in ("alpha", "beta", "preview"):
        operands.pop(0)
    words = leading(inv)
    if words[:1] == ["help"]:
        inv.preview()
    set_path(inv, verb_path(words))
    for size in (2, 3):
        if " ".join(words[:size]) in _GCLOUD_SECRETS:
            set_path(inv, words[:size])
            inv.op(O.CREDENTIAL_READ)
    _gcloud_destroy(inv, words)
    if words[:2] == ["storage", "cat"]:
        inv.out = Stream(network=True, commands=(inv.fact.id,), connected=True)
    if words[:1] == ["storage"] and words[1:2] in (["cp"], ["mv"], ["rsync"]):
        set_path(inv, words[:2])
        copy(inv, operands[2:])
        if inv.parsed.has("delete-unmatched-destination-objects"):
            destroy(inv, Trait.MASS)
    _GCLOUD_MACHINES.get(" ".join(words[1:2]), _nothing)(inv)


def _gcloud_destroy(inv: Invocation, words: list[str]) -> None:
    for index, word in enumerate(words):
        if word in _DESTROYING or (
            word.startswith(("delete-", "bulk-delete")) and word not in _GCLOUD_LIGHT
        ):
            set_path(inv, words[: index + 1])
            if index:
                destroy(inv)
            return


_GCLOUD_OPTIONS = (
    "access-token-file=stat account=place billing-project= configuration= flags-file=settings flatten= format= impersonate-service-account= project=place quiet q,quiet"
    " trace-token= verbosity= user-output-enabled log-http help h,help version region=place zone= location= command= filter= limit= sort-by= page-size= uri"
    " cluster= secret= data-file=settings key= keyring= source= service-account= image= machine-type= recursive r R delete-unmatched-destination-objects"
    " ciphertext-file=read plaintext-file=read key-file=stat cred-file=stat member= role= iam-account= organization= folder= async"
    " tunnel-through-iap instance= database= service= version= tag= config=settings runtime= trigger-topic= entry-point= env-vars-file=settings"
    " allow= source-ranges= network= subnet= zone= n,no-clobber c,continue-on-error secret-filter= dry-run"
)
_GCLOUD = E(_GCLOUD_OPTIONS, special=_gcloud)


def _gsutil(inv: Invocation) -> None:
    apply_values(inv)
    if inv.fact.subcommand in ("cp", "mv", "rsync"):
        copy(inv, inv.parsed.operands)
    if inv.fact.subcommand == "rsync" and inv.parsed.has("d") and not inv.parsed.has("dry-run"):
        destroy(inv, Trait.MASS)


_GSUTIL = E("m q D o= h= i= u= DD version help", verbs={
    **destroys("rm", "r R f a I"), **destroys("rb", "f", preview="help"),
    **each("cp mv", E("r R a= A c D e I j= J L=log n p P s= S t U v Z z=", special=_gsutil)),
    "rsync": E("r R c d e i j= J n,dry-run p P u U x= y= C a= R", special=_gsutil),
    **lists("ls du stat hash version help", "l L a b d e h p= r R c s m"), "cat": E("h r=", ops=(O.READ,), out=Out.NETWORK),
    **plain("mb acl defacl iam cors lifecycle logging notification label web versioning rewrite retention requesterpays setmeta signurl test perfdiag config"
            " compose kms pap ubla rpo hmac bucketpolicyonly defstorageclass autoclass update", "c= l= p= s= b= a r R h= u= d= m= k= f", verbs={"*": E("r R d= u= a f")}),
})  # fmt: skip
_BQ_OPTIONS = (
    "f,force r,recursive d,dataset t,table m,model use_legacy_sql? nouse_legacy_sql format= project_id= location= dataset_id= max_results= n= q,quiet"
    " destination_table= replace append_table source_format= autodetect skip_leading_rows= schema= dry_run? parameter= batch? apilog= headless sync? job_id="
    " time_partitioning_field= allow_large_results view= description= expiration= label= display_name= help j a,all p,project_id="
)
_BQ = E(_BQ_OPTIONS, preview="help dry_run", verbs={
    "query": E("", "sql*"), **destroys("rm"), **lists("ls show head version info get-iam-policy"),
    **plain("mk cp load extract update insert partition cancel wait init shell set-iam-policy add-iam-policy-binding mkdef undelete truncate"), "*": E(),
})  # fmt: skip

# --- az ---

_AZ_SECRETS = frozenset(
    {
        "keyvault secret show",
        "keyvault secret download",
        "account get-access-token",
        "keyvault key download",
        "keyvault secret backup",
    }
)


def _before_options(inv: Invocation) -> list[str]:
    """The words before the first option, whatever options the table knows."""
    found: list[str] = []
    for word in inv.words[1:]:
        if word.value is None or word.value.startswith("-"):
            break
        found.append(word.value)
    return found


def _az(inv: Invocation) -> None:
    """az GROUP … VERB: all operands are part of the path, everything else is an option."""
    apply_values(inv)
    words = _before_options(inv) or leading(inv)
    path = " ".join(words[:3])
    set_path(inv, words)
    if path in _AZ_SECRETS or " ".join(words[:2]) in _AZ_SECRETS:
        inv.op(O.CREDENTIAL_READ)
    if words[-1:] and (words[-1] in _DESTROYING or words[-1].startswith("delete-")):
        destroy(inv)
    if (
        words[:1] == ["rest"]
        and text_of(inv.parsed.value("method") or Word("")).lower() == "delete"
    ):
        destroy(inv)
    if words[-1:] == ["invoke"] or words[-1:] == ["exec"]:
        _az_remote(inv)
    _az_blob(inv, words)


def _az_remote(inv: Invocation) -> None:
    for name in ("command", "scripts", "exec-command"):
        word = inv.parsed.value(name)
        if word is not None:
            inv.op(O.WORKLOAD_EXEC)
            inv.run_code(word, REMOTE_TEXT)


_AZ_TRANSFERS = ("upload", "upload-batch", "download", "download-batch", "sync", "copy")


def _az_blob(inv: Invocation, words: list[str]) -> None:
    """storage … upload and download."""
    if words[:1] != ["storage"] or words[-1] not in _AZ_TRANSFERS:
        return
    account = text_of(inv.parsed.value("account-name") or Word("storage"))
    local = (
        inv.parsed.value("file") or inv.parsed.value("source") or inv.parsed.value("destination")
    )
    if local is None:
        return
    if words[-1].startswith("download"):
        inv.op(O.FETCH)
        apply_role(
            inv, "write", inv.parsed.value("file") or inv.parsed.value("destination") or local
        )
        return
    apply_role(inv, "source", local)
    host = canonical_host(f"{account}.blob.core.windows.net")
    if host:
        upload(inv, Endpoint(host, "https"), merge(inv.inputs))


_AZ_OPTIONS = (
    "debug h,help only-show-errors o,output= query=pattern verbose subscription=place g,resource-group= n,name= l,location= id= ids= vault-name= f,file= y,yes no-wait"
    " account-name= account-key= sas-token= connection-string= c,container-name= auth-mode= command= scripts= exec-command= m,method= method= url= u,uri= b,body="
    " headers= s,source= d,destination= template-file=settings p,parameters= mode= tags= sku= resource= scope= role= assignee= version="
    " organization= org= project=place detect= username= password= tenant= service-principal identity allow-no-subscriptions use-device-code"
    " certificate=stat public-access= what-if"
)
_AZ = E(_AZ_OPTIONS, special=_az, preview="help version what-if")


def _azcopy(inv: Invocation) -> None:
    apply_values(inv)
    copy(inv, inv.parsed.operands)
    if (
        inv.fact.subcommand == "sync"
        and text_of(inv.parsed.value("delete-destination") or Word("")).lower() == "true"
    ):
        destroy(inv, Trait.MASS)


_AZCOPY_OPTIONS = (
    "recursive overwrite= include-pattern= exclude-pattern= include-path= exclude-path= delete-destination= dry-run log-level= cap-mbps= from-to= put-md5"
    " blob-type= block-blob-tier= content-type= preserve-smb-permissions output-type= output-level= check-md5= as-subdir list-of-files=settings with-status="
)
_AZCOPY = E(_AZCOPY_OPTIONS, verbs={**each("copy cp c sync", E(special=_azcopy)), **destroys("remove rm"), **lists("list ls"),
                                    "jobs": E(verbs={**each("remove rm clean", E(ops=(O.DELETE,))), "*": E()}), "*": E()})  # fmt: skip

# --- object stores without a cloud of their own ---


def _mc(inv: Invocation) -> None:
    """mc: ``alias/bucket`` beside local paths."""
    apply_values(inv)
    words = inv.parsed.operands
    verb = inv.fact.subcommand
    if verb == "mirror" and inv.parsed.has("remove"):
        destroy(inv, Trait.MASS)
    if verb in ("cp", "mv", "mirror", "put", "get") and len(words) > 1:
        for index, word in enumerate(words):
            if _is_local(word):
                apply_role(inv, "write" if index == len(words) - 1 else "source", word)
        inv.op(O.COPY, O.FETCH if _is_local(words[-1]) else O.UPLOAD)
        if inv.inputs and not _is_local(words[-1]):
            send(inv, ELSEWHERE)


def _is_local(word: Word) -> bool:
    text = text_of(word)
    return text.startswith(("/", ".", "~")) or "/" not in text


_B2_HOST = "api.backblazeb2.com"
# Generic commands of clouds whose option names a file that goes into a bucket.
_OBJECT_VERBS = ("put", "upload", "bulk-upload", "object-put", "part-upload")


def _b2_sync(inv: Invocation) -> None:
    """sync: a folder here and b2://bucket there, either way round."""
    copy(inv, inv.parsed.operands)


def _generic(inv: Invocation) -> None:
    """GROUP … VERB: putting an object sends the file that an option or operand names."""
    actions(inv)
    words = [text_of(w) for w in inv.parsed.operands]
    verb = next((w for w in words if w in _OBJECT_VERBS), "")
    if not verb or inv.fact.effect is CommandEffect.PREVIEW:
        return
    options = [
        w for name in ("file", "body", "src-dir", "source") for w in inv.parsed.all_values(name)
    ]
    for word in options or inv.parsed.operands[words.index(verb) + 1 :][:1]:
        apply_role(inv, "source", word)
    if inv.inputs:
        send(inv, ELSEWHERE)


_MC = E("C,config-dir= q,quiet disable-pager dp no-color json debug insecure limit-upload= limit-download= h,help v,version dry-run", verbs={
    **destroys("rm", "versions recursive r force dangerous incomplete fake stdin older-than= newer-than= bypass non-current rewind= version-id="),
    **destroys("rb", "force dangerous"), **destroys("undo"),
    **each("cp mv put get mirror pipe", E("recursive r remove overwrite watch w older-than= newer-than= storage-class= attr= encrypt-key= exclude= preserve a"
                                          " continue tags= active-active fake retry skip-errors region=place md5 part-size= parallel=", special=_mc)),
    **each("cat head", E("n,lines= rewind= version-id= encrypt-key= offset= tail= part-number=", ops=(O.READ,), out=Out.NETWORK)),
    **lists("ls tree find stat diff du watch ping ready", "recursive r versions name= older-than= newer-than= larger= smaller= exec=code print= incomplete rewind="),
    "find": E("name= older-than= newer-than= larger= smaller= exec=code print= watch path= regex= maxdepth= ignore=", ops=(O.LIST,)),
    "admin": E(special=actions), **each("ilm tag version replicate retention legalhold event anonymous policy encrypt idp support license quota", E("recursive force", special=actions)),
    "alias": E(verbs={**each("remove rm", E(ops=(O.CONFIG_CHANGE,))), "*": E("api= path=")}), **plain("mb share sql update batch license od cors", "region=place with-lock ignore-existing p", ordered=False), "*": E(),
})  # fmt: skip


def _s3cmd(inv: Invocation) -> None:
    apply_values(inv)
    if inv.fact.subcommand in ("put", "get", "sync", "cp", "mv"):
        copy(inv, inv.parsed.operands)
    if inv.fact.subcommand == "sync" and inv.parsed.has("delete-removed"):
        destroy(inv, Trait.MASS)


_S3CMD = E("c,config=settings r,recursive f,force n,dry-run e,encrypt acl-public acl-private P delete-removed skip-existing continue exclude= include= rexclude="
           " rinclude= mime-type= m= add-header= no-progress progress region=place host= host-bucket= access_key= secret_key= v,verbose d,debug p,preserve storage-class="
           " H,human-readable-sizes l,list-md5 bucket-location= requester-pays s,ssl no-ssl no-check-md5 limit-rate= max-delete= delete-after", verbs={
    **destroys("del rm rb multipart-abort"), **each("put get sync cp mv", E(special=_s3cmd)), **lists("ls la du info"), "*": E(),
})  # fmt: skip

# --- hosting platforms ---


def _shell_value(inv: Invocation) -> None:
    """ssh and run commands of hosting platforms: the words run in the application's machine."""
    apply_values(inv)
    command = inv.parsed.value("command")
    inv.op(O.WORKLOAD_EXEC)
    if command is not None:
        inv.run_code(command, REMOTE_TEXT)


def _run_inside(inv: Invocation) -> None:
    apply_values(inv)
    run_there(inv, inv.parsed.operands)


def _run_here(inv: Invocation) -> None:
    """The platform's variables, and a command here."""
    apply_values(inv)
    words = [w for w in inv.parsed.operands if w.value != "--"]
    if words:
        inv.run(words)


_HEROKU = E("a,app= r,remote= h,help json confirm= t,tail n,num= s,shell region=place stack= team= type= size= no-tty e,env= exit-code", verbs={
    **each("run run:detached run:inside", E(ordered=True, special=_run_inside)), **destroys("pg:reset", "", Trait.DESTROYS_DATABASE),
    "pg:psql": E("c,command=sql f,file=settings"), "local": E("f,procfile=settings e,env=settings p,port="), "*": E(special=actions),
})  # fmt: skip
_FLY = E("a,app= c,config=settings t,access-token= verbose debug o,org= y,yes r,region=place json j,json h,help", verbs={
    "ssh": E(verbs={"console": E("C,command= s,select u,user= machine= container= pty", special=_shell_value), **plain("sftp issue establish log")}),
    **each("console", E("C,command= machine= image=", special=_shell_value)),
    **each("machine machines m", E(verbs={"exec": E("timeout=", "word code", ops=(O.WORKLOAD_EXEC,)), "run": E("n,name= e,env= p,port= v,volume=", ops=(O.CONTAINER_RUN,)),
                                          "*": E("f,force", special=actions)})), "*": E("f,force image= n,now", special=actions),
})  # fmt: skip
_WRANGLER = E("c,config=settings cwd= e,env= j h,help v,version env-file=settings", verbs={
    "d1": E(verbs={"execute": E("command=sql file=settings local remote y,yes json persist-to= preview batch-size="), "*": E("local remote name=", special=actions)}),
    "rollback": E("name= message=text m=text y,yes", ops=(O.CONFIG_CHANGE,)), "*": E("name= namespace-id= binding= preview local remote persist-to= y,yes force dry-run outdir=mkdir"
                                                                                   " port= ip= message= compatibility-date= minify branch= project-name= path= ttl= file=settings", special=actions),
})  # fmt: skip
_SUPABASE = E("debug experimental workdir= project-ref= linked local db-url= p,password= yes dns-resolver= profile=place o,output= network-id= h,help", verbs={
    "db": E(verbs={**destroys("reset", "no-seed version= last=", Trait.DESTROYS_DATABASE), "push": E("include-all include-roles include-seed dry-run"),
                   "dump": E("f,file=write data-only schema= role-only dry-run use-copy x,exclude="), "*": E("f,file=write schema= use-migra from= level= fail-on=")}),
    "migration": E(verbs={"down": E("last=", traits=(Trait.DESTROYS_DATABASE,)), "*": E("status= include-all")}),
    "stop": E("no-backup project-id= all", marks={"no-backup": (O.DELETE, Trait.DESTROYS_RESOURCE)}), "secrets": E(verbs={"unset": E(ops=(O.DELETE,)), "*": E("env-file=settings")}),
    "*": E("no-verify-jwt import-map=settings env-file=settings x,exclude= lang= schema= f,force r,recursive", special=actions),
})  # fmt: skip
_FIREBASE = E("P,project=place account=place j,json token= non-interactive i,interactive debug c,config=settings only= except= force f,force m,message=text import=list export-on-exit?"
              " public= p,port= r,recursive y,yes all-collections shallow ui", verbs={
    "emulators:exec": E("", "code", ordered=False), **destroys("firestore:delete database:remove functions:delete hosting:disable hosting:sites:delete remoteconfig:rollback"
                                                             " extensions:uninstall hosting:channel:delete apphosting:backends:delete firestore:databases:delete", "", Trait.DESTROYS_DATABASE),
    **destroys("functions:delete hosting:disable hosting:sites:delete extensions:uninstall hosting:channel:delete apphosting:backends:delete"), "functions:secrets:access": E(ops=(O.CREDENTIAL_READ,)),
    "*": E(special=actions),
})  # fmt: skip
_RAILWAY = E("s,service= e,environment= p,project=place y,yes json", verbs={
    "run": E(ordered=True, special=_run_here), "ssh": E(ordered=True, special=_run_inside), **destroys("down delete unlink-all"), "*": E("f d,detach", special=actions),
})  # fmt: skip
_VERCEL = E("t,token= S,scope= T,team= A,local-config=settings Q,global-config= cwd= d,debug y,yes prod f,force e,env= b,build-env= m,meta= n,name= h,help v,version prebuilt"
            " no-wait l,listen= environment= git-branch= safe limit= target= archive= sensitive next=", verbs={
    **destroys("remove rm"), "env": E(verbs={"pull": E("", "write"), **destroys("rm remove"), "*": E()}), **plain("deploy dev build link login logout whoami inspect logs ls list pull init"
                                                                                                 " switch promote rollback redeploy bisect help open"), "*": E(special=actions),
})  # fmt: skip
_SQL_PLATFORM = E("org= database= f,format= project-id= context-file= o,output= api-key= branch= role-name= debug group= location= from-file=settings force y,yes", verbs={
    "shell": E("", "word word sql"), "db": E(verbs={"shell": E("", "word sql"), **destroys("destroy delete"), "*": E(special=actions)}), "*": E(special=actions),
})  # fmt: skip
_GENERIC_OPTIONS = (
    "o,output= output= format= project=place region=place zone= profile=place name= n,name= t,token= access-token= context= c,config=settings config=settings id= service-id= version="
    " yes y,yes f,force force json verbose q,quiet quiet dry-run no-header api-url=url app= team= site= dir=list d,dir=list prod message=text m,message=text all env="
    " environment= key= value= comment= query= cli-profile=place h,help p,project=place interactive auth= a,app="
)
_GENERIC_CLOUD = E(f"{_GENERIC_OPTIONS} file= body= src-dir= source=", special=_generic)
_SSH_PLATFORM = "ssh-key-path=stat ssh-command=must u= i=stat ssh-private-ip"


def _doctl_ssh(inv: Invocation) -> None:
    inv.op(O.WORKLOAD_EXEC)
    command = inv.parsed.value("ssh-command")
    if command is not None:
        inv.run_code(command, REMOTE_TEXT)


_DOCTL = E(f"{_GENERIC_OPTIONS} {_SSH_PLATFORM}", verbs={
    "compute": E(verbs={"ssh": E("ssh-command=must ssh-user= ssh-port= ssh-key-path=stat", special=_doctl_ssh), "*": E(special=actions)}),
    "auth": E(verbs={"token": E(ops=(O.CREDENTIAL_READ,)), "*": E()}), "*": E(special=actions),
})  # fmt: skip


_EB = E(f"{_GENERIC_OPTIONS} timeout= single l,label= staged", verbs={**destroys("terminate", "all force ignore-links"), "ssh": E("c,command= n,number= o,custom e,command=", special=_shell_value),
                                                                    "*": E(special=actions)})  # fmt: skip

PROGRAMS: dict[str, E] = {
    **each("aws awslocal aws2 tccli-aws", _AWS),
    "gcloud": _GCLOUD,
    "gsutil": _GSUTIL,
    "bq": _BQ,
    "az": _AZ,
    "azd": E(f"{_GENERIC_OPTIONS} C,cwd= e,environment= debug no-prompt", verbs={**destroys("down", "force purge"), "*": E(special=actions)}),
    "azcopy": _AZCOPY,
    "func": E("force python csharp javascript template=", verbs={"*": E(special=actions)}),
    "mc": _MC,
    "s3cmd": _S3CMD,
    "s5cmd": E("endpoint-url= no-sign-request profile=place numworkers= log= json dry-run stat retry-count=", verbs={
        **destroys("rm rb"), **each("cp mv sync", E("delete concurrency= n,no-clobber s u storage-class= acl= exclude= include= flatten f", special=_s3)), "*": E()}),
    **each("b2 b2v3 b2v4", E(f"{_GENERIC_OPTIONS} recursive threads=", verbs={
        **destroys("rm delete-bucket delete-file-version delete-key cancel-all-unfinished-large-files hide-file"), "sync": E("delete keepDays= replaceNewer dryRun", marks={"delete": (Trait.DESTROYS_RESOURCE,)}, special=_b2_sync, preview="help dryRun"),
        **sends("upload-file upload-unbound-stream", _B2_HOST, f"{_GENERIC_OPTIONS} threads= content-type= quiet", "word source word"),
        "file": E(verbs={**sends("upload", _B2_HOST, "content-type= quiet threads=", "word source word"), "*": E(special=actions)}), "bucket": E(special=actions), "key": E(special=actions), "*": E()})),
    "heroku": _HEROKU,
    **each("fly flyctl", _FLY),
    "wrangler": _WRANGLER,
    "vercel": _VERCEL,
    "now": _VERCEL,
    "supabase": _SUPABASE,
    "firebase": _FIREBASE,
    "railway": _RAILWAY,
    **each("pscale planetscale neonctl neon turso", _SQL_PLATFORM),
    "doctl": _DOCTL,
    "eb": _EB,
    **each("netlify render hcloud linode-cli vultr-cli scw ibmcloud oci aliyun tccli exo civo upctl openstack-cli fastly flarectl surge upstash amplify deployctl"
           " pagerduty cf stackit gridscale clever scalingo koyeb northflank porter zeabur koyeb-cli packet metal equinix akamai cloudsmith jfrog jf yc dokku coder devpod gitpod omnictl juju maas", _GENERIC_CLOUD),
}  # fmt: skip

__all__ = ["PROGRAMS", "actions", "copy", "destroy", "leading", "set_path"]
