"""Database clients, dump and migration tools, queues and caches."""

from __future__ import annotations

import re

from defenseclaw.core.facts import ByteKind, CommandEffect, IssueCode
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, Style, joined
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.programs.cloud import actions, destroy
from defenseclaw.facts.programs.sending import ELSEWHERE, send
from defenseclaw.facts.programs.verbs import apply_values, destroys, each, lists, plain, text_of
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import Word

_INLINE = ("command", "execute", "query", "eval")


# --- clients of SQL databases ---


def consume(inv: Invocation, language: str) -> None:
    """The client takes statements from its standard input."""
    stream = inv.stdin
    if not stream.connected or inv.fact.effect is CommandEffect.PREVIEW:
        return
    inv.trait(Trait.STDIN_CODE)
    if stream.text is not None:
        inv.stdin_kind = ByteKind.EXECUTED
        run_text(inv, language, stream.text)
        return
    inv.stdin_kind = ByteKind.UNKNOWN
    inv.partial(IssueCode.OPAQUE_ARTIFACT if stream.files else IssueCode.UNSUPPORTED_CONSTRUCT)


def run_text(inv: Invocation, language: str, text: str) -> None:
    """Read statements of a language."""
    if language == "mongo":
        _mongo_text(inv, text)
    else:
        inv.builder.runner.language(inv, language, text, None)


def script_file(inv: Invocation, word: Word, language: str) -> None:
    """A project's file of statements; what this call wrote into it is read."""
    if word.value in ("-", "/dev/stdin"):
        consume(inv, language)
        return
    apply_role(inv, "run", word)
    located = inv.builder.locate(word.value, inv.cwd).resolved if word.value else ""
    written = inv.builder.files.get(located) if located else None
    if written is not None and written.text is not None:
        run_text(inv, language, written.text)
        return
    if written is not None and written.network:
        inv.trait(Trait.CODE_FROM_NETWORK)
    if word.value is not None:
        inv.partial(IssueCode.OPAQUE_ARTIFACT)  # as if it stood on standard input


def _targets(inv: Invocation) -> None:
    """A connection URL among the operands."""
    for word in inv.parsed.operands:
        if "://" in text_of(word):
            apply_role(inv, "url", word)


def _client(inv: Invocation) -> None:
    """A client of a server: inline statements, script files, or its standard input."""
    apply_values(inv)
    _targets(inv)
    if inv.fact.effect is CommandEffect.PREVIEW:
        return
    files = inv.parsed.all_values("file")
    for word in files:
        script_file(inv, word, "sql")
    if not files and not inv.parsed.has(*_INLINE, "list", "help"):
        consume(inv, "sql")


# A statement that changes the database file; PRAGMA and ATTACH alone change nothing in it.
_CHANGES = re.compile(
    r"(?:^|;)\s*(?:insert|update|delete|drop|alter|create|replace|vacuum|reindex)\b", re.IGNORECASE
)


def _embedded(inv: Invocation) -> None:
    """sqlite3 and duckdb: a database file, then statements."""
    apply_values(inv)
    if inv.fact.effect is CommandEffect.PREVIEW:
        return
    operands = inv.parsed.operands
    for word in operands[:1]:
        if word.value not in (":memory:", ""):
            apply_role(inv, "read", word)
    for word in operands[1:]:
        inv.run_language("sql", word)
        if _CHANGES.search(text_of(word)):
            apply_role(inv, "format", operands[0])
    for word in inv.parsed.all_values("file"):
        script_file(inv, word, "sql")
    if len(operands) < 2 and not inv.parsed.has(*_INLINE, "file"):
        consume(inv, "sql")


def _mysqladmin(inv: Invocation) -> None:
    words = [text_of(w).lower() for w in inv.parsed.operands]
    inv.fact.subcommand = words[0] if words else ""
    if words[:1] == ["drop"]:
        destroy(inv)
    elif "shutdown" in words:
        inv.op(O.PROCESS_KILL)


def _restore(inv: Invocation) -> None:
    apply_values(inv)
    for word in inv.parsed.operands:
        apply_role(inv, "settings", word)


# --- other languages ---

_MONGO_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_MONGO_DROP = re.compile(
    r"\.dropdatabase\(|\bdropdatabase\(|\.drop\(|\.dropindexes\(|dropcollection\("
)
_MONGO_EMPTY = re.compile(r"\.(?:deletemany|remove)\((?:\{\})?[,)]")
_MONGO_PROCESS = re.compile(r"\b(?:run|runprogram|child_process|execsync|spawnsync)\b")


def _mongo_text(inv: Invocation, text: str) -> None:
    """The shell's JavaScript: calls that drop or empty, and calls that leave it."""
    code = "".join(_MONGO_COMMENT.sub("", text).split()).lower()
    if _MONGO_DROP.search(code) or _MONGO_EMPTY.search(code):
        inv.trait(Trait.DESTROYS_DATABASE)
    if _MONGO_PROCESS.search(code):
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


def _mongo(inv: Invocation) -> None:
    """mongosh: --eval text, script files, or its standard input."""
    apply_values(inv)
    _targets(inv)
    if inv.fact.effect is CommandEffect.PREVIEW:
        return
    codes = inv.parsed.all_values("eval")
    for word in codes:
        inv.frame.paint(word.start, word.end, ByteKind.EXECUTED)
        if word.value is None:
            inv.trait(Trait.DYNAMIC_CODE)
            inv.partial(IssueCode.DYNAMIC_WORD)
        _mongo_text(inv, text_of(word))
    files = [w for w in inv.parsed.operands if text_of(w).endswith((".js", ".mongodb"))]
    for word in [*inv.parsed.all_values("file"), *files]:
        script_file(inv, word, "mongo")
    if not codes and not files and not inv.parsed.has("file"):
        consume(inv, "mongo")


_CYPHER_ALL = re.compile(
    r"match\s*\(\w*\)\s*(?:detach\s+)?delete\b|drop\s+database\b", re.IGNORECASE
)


def _cypher(inv: Invocation) -> None:
    """cypher-shell: a query as an operand; deleting whatever matches a bare node empties the graph."""
    apply_values(inv)
    texts = [text_of(w) for w in inv.parsed.operands]
    for word in inv.parsed.all_values("file"):
        script_file(inv, word, "sql")
    if not texts and inv.stdin.text is not None:
        inv.stdin_kind = ByteKind.EXECUTED
        texts = [inv.stdin.text]
    if any(_CYPHER_ALL.search(text) for text in texts):
        inv.trait(Trait.DESTROYS_DATABASE)


def _arango(inv: Invocation) -> None:
    """arangosh: JavaScript like that of the other document databases."""
    apply_values(inv)
    for word in inv.parsed.all_values("javascript.execute-string"):
        _mongo_text(inv, text_of(word))
    for word in inv.parsed.all_values("javascript.execute"):
        script_file(inv, word, "mongo")


def _hdfs(inv: Invocation) -> None:
    """hdfs dfs -rm …: file commands spelled as options."""
    apply_values(inv)
    if inv.parsed.has("rm", "rmr", "expunge"):
        inv.op(O.DELETE)
        if inv.parsed.has("r", "R", "rmr", "skipTrash"):
            inv.trait(Trait.DESTROYS_RESOURCE, Trait.RECURSIVE)
    if inv.parsed.has("put", "copyFromLocal", "moveFromLocal", "appendToFile"):
        for word in inv.parsed.operands[:-1]:
            apply_role(inv, "source", word)
        send(inv, ELSEWHERE)


_REDIS_FLUSH = frozenset({"flushall", "flushdb"})


def _redis(inv: Invocation) -> None:
    """redis-cli: one command as words, or many on standard input."""
    apply_values(inv)
    words = [text_of(w).lower() for w in inv.parsed.operands]
    inv.fact.subcommand = words[0] if words else ""
    if words[:1] == ["shutdown"]:
        inv.op(O.PROCESS_KILL)
    elif words[:2] in (["config", "set"], ["config", "rewrite"]):
        inv.op(O.CONFIG_CHANGE)
    elif words[:1] and words[0] in _REDIS_FLUSH:
        inv.op(O.DELETE)
    elif words[:1] in (["eval"], ["script"]):
        inv.trait(Trait.INLINE_CODE)
    if (
        not words
        and inv.stdin.connected
        and not inv.parsed.has("x", "pipe", "scan", "bigkeys", "stat", "latency")
    ):
        consume(inv, "sql")


def _influx(inv: Invocation) -> None:
    apply_values(inv)
    actions(inv)


# --- option tables ---

_PSQL = (
    "a,echo-all A,no-align b,echo-errors c,command=sql csv d,dbname= e,echo-queries E,echo-hidden f,file= F,field-separator= h,host=host H,html"
    " l,list L,log-file=log n,no-readline o,output=write p,port= P,pset= q,quiet R,record-separator= s,single-step S,single-line t,tuples-only"
    " T,table-attr= U,username= v,set,variable= V,version w,no-password W,password x,expanded X,no-psqlrc z,field-separator-zero"
    " 0,record-separator-zero 1,single-transaction help"
)
_MYSQL = (
    "A,no-auto-rehash auto-rehash B,batch b C,compress c,comments D,database= e,execute=sql E,vertical f,force G h,host=host H,html i j=log L n,unbuffered"
    " N,skip-column-names O o,one-database p,password? P,port= protocol= q,quick r,raw R s,silent S,socket= t,table T,debug-info tee=write"
    " U,safe-updates u,user= v,verbose V,version w,wait X,xml default-character-set= defaults-file=settings defaults-extra-file=settings"
    " init-command=sql ssl-mode= ssl-ca=stat ssl-cert=stat ssl-key=stat ssl column-names login-path= skip-ssl delimiter= pager=code connect-timeout="
    " max-allowed-packet= local-infile? binary-mode help no-defaults default-auth= get-server-public-key skip-column-names batch"
)
_SQLITE = (
    "init=settings header noheader separator= cmd=sql csv json column line list html markdown box quote ascii tabs table readonly bail batch version"
    " newline= nullvalue= echo interactive stats safe nofollow mmap= deserialize append zip help no-rowid-in-view memtrace vfs= escape="
)
_DUCKDB = "c,command=sql s=sql f,file= csv json markdown readonly init=settings box line list column table ascii html noheader header separator= cmd=sql no-stdin ui unsigned safe bail echo version newline= nullvalue= batch interactive help storage-version="
_DUMP = (
    "d,dbname= f,file=write F,format= h,host=host p,port= U,username= u,user= s,schema-only a,data-only t,table= T,exclude-table= n,schema="
    " N,exclude-schema= c,clean C,create O,no-owner x,no-privileges no-acl b,blobs B E,encoding= j,jobs= Z,compress= v,verbose V,version w,no-password"
    " W,password if-exists inserts column-inserts disable-triggers section= snapshot= role= no-comments g,globals-only r,roles-only no-role-passwords help"
)
_MYSQLDUMP = (
    "A,all-databases B,databases R,routines triggers E,events single-transaction d,no-data t,no-create-info n,no-create-db h,host=host P,port= u,user= p,password?"
    " S,socket= q,quick r,result-file=write T,tab=mkdir w,where= e,extended-insert C,compress v,verbose lock-tables skip-lock-tables add-drop-table"
    " add-drop-database set-gtid-purged= column-statistics= default-character-set= defaults-file=settings ignore-table= hex-blob no-tablespaces master-data?"
    " source-data? skip-triggers compact complete-insert flush-logs ssl-mode= protocol= login-path= defaults-extra-file=settings opt skip-opt tables f,force"
)
_MONGO = (
    "eval= f,file= host=host port= u,username= p,password= quiet nodb norc json? authenticationDatabase= authenticationMechanism= tls tlsCAFile=stat"
    " tlsCertificateKeyFile=stat tlsAllowInvalidCertificates ssl sslCAFile=stat shell version h,help verbose apiVersion= retryWrites? networkMessageCompressors="
)
_MONGO_DUMP = (
    "uri= host=host h,host=host port= d,db= c,collection= u,username= p,password= q,query= o,out=write archive?write gzip ssl authenticationDatabase="
    " numParallelCollections= excludeCollection= oplog f,fields= type= file=settings jsonArray drop headerline upsert mode= nsInclude= nsExclude= nsFrom="
    " nsTo= dir=list dryRun,dry-run restoreDbUsersAndRoles maintainInsertionOrder pretty sort= limit= skip= v,verbose quiet columnsHaveTypes stopOnError"
)
_REDIS = (
    "h=host p= s=stat a= user= pass= askpass u= r= i= n= 2 3 x X= d= D= c e raw no-raw quoted-input csv json quoted-json show-pushes? stat latency"
    " latency-history latency-dist lru-test= replica rdb=write functions-rdb=write pipe pipe-timeout= bigkeys memkeys memkeys-samples= hotkeys scan pattern= count="
    " quoted-pattern= intrinsic-latency= eval=settings ldb ldb-sync-mode cluster= verbose no-auth-warning tls sni= cacert=stat cert=stat key=stat insecure help version t="
)
_PG_TOOL = "h,host=host p,port= U,username= w,no-password W,password e,echo i,interactive f,force if-exists maintenance-db= O,owner= T,template= E,encoding= l,locale= D,tablespace= V,version help"

_CLICKHOUSE = E(
    "q,query=sql queries-file= h,host=host port= s,secure u,user= password= d,database= m,multiline n,multiquery f,format= format= t,time max_memory_usage= config-file=settings"
    " c,config-file=settings param_id= progress? stacktrace echo vertical E,vertical external file=settings name= structure= input-format= output-format= path= S= N= help version",
    special=_client, out=Out.CONTENT, verbs={})  # fmt: skip
_SQL_CLIENT = E(
    "e,execute=sql f,file= c,command=sql q,Q,query=sql i,input= o,output=write u,user= p,password= d,database= h,host= P,port= S,server= a,account= C U= k,keyspace= ssl"
    " cqlshrc=settings catalog= schema= output-format= no-rcfile set,variable= insecure url= format= s,silent server= W V,version w,warehouse= r,role=",
    special=_client, out=Out.CONTENT)  # fmt: skip

# --- migration tools: one verb forward, one verb that empties ---

_RESETS = (Trait.DESTROYS_DATABASE,)


def _resets(names: str, options: str = "") -> dict[str, E]:
    """Verbs that drop the tables of a database."""
    return each(names, E(options, ops=(O.DELETE,), traits=_RESETS))


def _downgrade(inv: Invocation) -> None:
    """Back to the beginning drops everything; one step back is undone by one step forward."""
    if any(w.value == "base" for w in inv.parsed.operands) and not inv.parsed.has("sql"):
        inv.op(O.DELETE)
        inv.trait(*_RESETS)


def _goose(inv: Invocation) -> None:
    apply_values(inv)
    if any(w.value == "reset" for w in inv.parsed.operands[:3]):
        inv.op(O.DELETE)
        inv.trait(*_RESETS)


_PRISMA = E("schema=settings h,help v,version config=settings telemetry-information=", verbs={
    "migrate": E(verbs={**_resets("reset", "f,force skip-generate skip-seed"), **plain("dev deploy status resolve diff", "n,name= create-only skip-generate skip-seed applied="
                                                                                  " rolled-back= from-empty from-schema-datamodel=settings to-schema-datamodel=settings script exit-code"
                                                                                  " from-migrations=list to-migrations=list shadow-database-url= from-url= to-url= o,output=write")}),
    "db": E(verbs={"push": E("force-reset accept-data-loss skip-generate", marks=dict.fromkeys(("force-reset", "accept-data-loss"), (O.DELETE, *_RESETS))),
                   "execute": E("file= url= stdin", special=_client), "seed": E(), "pull": E("force print composite-type-depth= schemas= local-d1"), "*": E()}),
    **plain("generate studio validate format init version debug platform mcp dev", "watch data-proxy accelerate no-engine no-hints generator= p,port= b,browser= n,hostname="
            " datasource-provider= url= with-model check sql allow-no-models"),
})  # fmt: skip
_ALEMBIC = E("c,config=settings n,name= x= raiseerr q,quiet", verbs={
    **plain("upgrade revision stamp merge current history heads branches show check init edit list_templates ensure_version", "sql tag= m,message=text autogenerate splice head= branch-label="
            " version-path= rev-id= depends-on= verbose v,verbose r,rev-range= i,indicate-current purge t,template= resolve-dependencies"),
    "downgrade": E("sql tag=", special=_downgrade),
})  # fmt: skip


_FLYWAY = E("url=url user= password= locations=list schemas= configFiles=settings target= baselineVersion= workingDirectory= environment= outOfOrder= cleanDisabled= X q v community"
            " dryRunOutput=write n password", style=Style.SINGLE, verbs={**_resets("clean"), "*": E(style=Style.SINGLE)})  # fmt: skip
_LIQUIBASE = E("changelog-file=settings changeLogFile=settings url=url username= password= defaults-file=settings classpath=list driver= log-level= contexts= tag= count= search-path=list"
               " reference-url= output-file=write force include-schema= schemas= label-filter= default-schema-name= logLevel= labels= liquibase-schema-name=", verbs={
    **_resets("drop-all dropall dropAll"), "*": E()})  # fmt: skip
_COLON_TOOL = E("env= knexfile=settings config=settings d,dataSource=settings dataSource=settings url= all to= name= migrations-path=list esm cwd= client= connection= x models-path= f force y,yes"
                " options-path= seeders-path= debug verbose stub= specific= filename= n= from= transaction= t,transaction= dir=list out=list schema=list dialect=", verbs={
    **_resets("db:drop db:reset db:purge db:migrate:undo:all db:fresh schema:drop migration:revert-all schema:fresh migration:fresh database:drop drop"),
    **plain("db:migrate:undo db:migrate migrate:rollback migrate:latest migrate:up migrate:down migrate:make seed:run migration:run migration:revert"
            " migration:generate migration:create schema:sync schema:log db:seed:all db:create generate push introspect check up"), "*": E(),
})  # fmt: skip
_SQLX = E("D,database-url= source=list y,yes f,force dry-run connect-timeout= ignore-missing", verbs={
    "database": E(verbs={**_resets("drop reset", "y f,force"), "*": E()}), "migrate": E(verbs={"*": E("r sequential timestamp target-version=")}), "*": E("workspace check all"),
})  # fmt: skip
_MIGRATE = E("path=list database=url source= verbose version help prefetch= lock-timeout=", style=Style.SINGLE, verbs={
    **each("drop", E("f", style=Style.SINGLE, ops=(O.DELETE,), traits=_RESETS)), "down": E("all", style=Style.SINGLE, marks={"all": (O.DELETE, *_RESETS)}), "*": E("ext= dir=mkdir seq digits= format= tz=", style=Style.SINGLE)})  # fmt: skip
_DBMATE = E(
    "u,url=url e,env= d,migrations-dir=list s,schema-file= no-dump-schema wait strict verbose v driver=",
    verbs={**_resets("drop"), "*": E()},
)
_GOOSE = E(
    "dir=list table= allow-missing v h version certfile=stat ssl-cert= no-versioning env=settings timeout=",
    style=Style.SINGLE,
    special=_goose,
)
_ATLAS_SCHEMA = {
    "clean": E("u,url=url auto-approve", ops=(O.DELETE,), traits=_RESETS),
    "*": E(
        "u,url=url f,file=settings to= dev-url= auto-approve dry-run format= s,schema= exclude= env="
    ),
}
_ATLAS = E("c,config=settings env= var= o,output= P,profile= projectId= force wait", verbs={
    "schema": E(verbs=_ATLAS_SCHEMA), "migrate": E(verbs={"*": E("u,url=url dir= dev-url= env= to= format= baseline= dry-run allow-dirty latest=")}), "*": E(special=actions)})  # fmt: skip


# --- queues and streams ---


def _kafka(inv: Invocation) -> None:
    """The kafka scripts act by option: --delete, --remove, --reset-offsets."""
    apply_values(inv)
    found = [
        n
        for n in ("delete", "remove", "reset-offsets", "delete-offsets", "execute")
        if inv.parsed.has(n)
    ]
    if not found:
        return
    if found == ["execute"] and not inv.parsed.has("reset-offsets"):
        return
    destroy(inv)


_KAFKA = E(
    "bootstrap-server=host broker-list= zookeeper= command-config=settings topic= group= create delete alter describe list partitions= replication-factor= config= delete-config= add-config="
    " entity-type= entity-name= entity-default if-exists if-not-exists force add remove operation= principal= allow-principal= deny-principal= allow-host= deny-host= cluster producer consumer"
    " reset-offsets to-earliest to-latest to-offset= shift-by= to-datetime= by-duration= to-current execute dry-run export all-topics all-groups from-file=settings from-beginning max-messages="
    " property= producer.config=settings consumer.config=settings producer-property= consumer-property= timeout-ms= partition= offset= formatter= topics-with-overrides verify"
    " reassignment-json-file=settings topics-to-move-json-file=settings generate throttle= offset-json-file=settings under-replicated-partitions members offsets state? verbose"
    " delete-offsets transactional-id= resource-pattern-type= authorizer-properties= yes at-min-isr-partitions bootstrap-controller= all-groups timeout= num-records= throughput= record-size=",
    special=_kafka)  # fmt: skip
_RPK = E("X= config=settings profile= brokers= v,verbose user= password= sasl-mechanism=", verbs={
    "topic": E(verbs={**destroys("delete", "r,regex"), "trim-prefix": E("offset= no-confirm", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)), "*": E("p,partitions= r,replicas= c,topic-config= f,format= n,num= o,offset= d= k,key=")}),
    "*": E(special=actions),
})  # fmt: skip
_KCAT = E(
    "b=host t= p= o= c= C P L Q K= D= G= X= f= F=settings e q u E J Z T l H= k= s= r= m= M= d V h O",
    "settings*",
)
_NATS = E("s,server= user= password= creds=stat nkey=stat tlscert=stat tlskey=stat tlsca=stat context= timeout= js-domain= trace connection-name=", verbs={
    **each("stream str consumer con kv object obj account acc server srv context ctx", E(verbs={**destroys("rm delete del purge", "f,force seq= keep= subject="), "*": E(
        "f,force subjects= storage= n,names json j a all retention= max-msgs= history= ttl= replicas= filter= pull ack= deliver= revision= raw O,output=write")})),
    "*": E("count= size= msgs= pub= sub= H,header= raw queue= reply replies= w,wait= sleep= js f,force"),
})  # fmt: skip
_RABBIT_DESTROYS = frozenset(
    {
        "reset",
        "force_reset",
        "force_boot",
        "purge_queue",
        "forget_cluster_node",
        "delete_queue",
        "delete_vhost",
        "delete_user",
        "delete_member",
    }
)


def _rabbitmqctl(inv: Invocation) -> None:
    apply_values(inv)
    words = [text_of(w) for w in inv.parsed.operands]
    inv.fact.subcommand = words[0] if words else ""
    if words and (words[0] in _RABBIT_DESTROYS or words[0].startswith("delete_")):
        destroy(inv)
    elif words[:1] == ["eval"]:
        inv.trait(Trait.INLINE_CODE)
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)
    elif words[:1] in (["stop"], ["stop_app"], ["shutdown"]):
        inv.op(O.PROCESS_KILL)


_RABBITMQCTL = E(
    "n,node= l,longnames q,quiet s,silent t,timeout= p,vhost= formatter= no-table-headers erlang-cookie= b,batch-size= offline remove-from-bound-queues all-feature-flags",
    special=_rabbitmqctl,
)
_RABBITADMIN = E("H,host=host P,port= u,username= p,password= V,vhost= N,node= f,format= c,config=settings s,ssl k,ssl-insecure d,depth= U,base-uri= q,quiet t,use-tls y,yes", verbs={
    **destroys("delete purge"), **lists("show list get export"), **plain("declare publish import close health_check definitions queues"), "*": E(special=actions)})  # fmt: skip
_SEARCH = E("profile= p,profile= application-id= api-key= y,confirm confirm output= o,output= F,file=settings", verbs={
    **each("indices index objects rules synonyms apikeys", E(verbs={**each("delete clear", E(ops=(O.DELETE,), traits=(Trait.DESTROYS_INDEX,))), "*": E()})), "*": E(),
})  # fmt: skip
_SERVER = E("D,data-dir=stat config-file=settings c,config-file=settings port= p,port= dbpath=stat logpath=log fork daemonize= bind= bind_ip= save= appendonly= requirepass= dir=stat defaults-file=settings"
            " datadir=stat initialize user= skip-grant-tables k= l,log=log m,mode= t,timeout= w,wait W,no-wait s,silent o,options= U,username= A,auth= E,encoding= locale= pwfile=settings h= d replSet= auth")  # fmt: skip

PROGRAMS: dict[str, E] = {
    **each("psql pgcli", E(_PSQL, special=_client, out=Out.CONTENT)),
    **each("mysql mariadb mycli", E(_MYSQL, special=_client, out=Out.CONTENT)),
    **each("sqlite3 sqlite sqlcipher litecli", E(_SQLITE, special=_embedded, style=Style.SINGLE, out=Out.CONTENT, ordered=False)),
    "duckdb": E(_DUCKDB, special=_embedded, style=Style.SINGLE, out=Out.CONTENT),
    **each("clickhouse-client chc", _CLICKHOUSE),
    **each("clickhouse clickhouse-local", E(_CLICKHOUSE.options, special=_client, out=Out.CONTENT)),
    **each("cqlsh snowsql snow trino presto beeline hive spark-sql usql cockroach ysqlsh impala-shell vsql exaplus sqlplus isql bcp mssql-cli pgbench", _SQL_CLIENT),
    **each("sqlcmd osql", E("Q,query=sql q,command=sql i,file= o,output=log S,server= d,database= U,user-name= P,password= E,use-trusted-connection C N? b h,headers= W w= s= v,variables= l= t= e r? I X? f= y= Y= m= V= a= H= A p? R k? x Z= z= L? K= G c= n", special=_client, out=Out.CONTENT, ordered=False)),
    "pg_dump": E(_DUMP, special=_restore, out=Out.CONTENT), "pg_dumpall": E(_DUMP, out=Out.CONTENT),
    "pg_restore": E(f"{_DUMP} 1,single-transaction e,exit-on-error l,list L,use-list=settings I,index= P,function= S,superuser= no-data-for-failed-tables", "settings",
                    marks={"clean": (O.DELETE,)}, preview="help list"),
    "pg_basebackup": E("D,pgdata=mkdir F,format= X,wal-method= h,host=host p,port= U,username= P,progress R,write-recovery-conf z,gzip v,verbose w W"),
    **each("createdb createuser pg_isready vacuumdb reindexdb clusterdb pg_config pg_controldata pg_test_timing pg_archivecleanup pg_amcheck",
           E(f"{_PG_TOOL} d,dbname= s,superuser r,createrole P,pwprompt t,timeout= q,quiet a,all z,analyze v,verbose j,jobs= bindir")),
    **each("dropdb dropuser", E(_PG_TOOL, ops=(O.DELETE,))),
    **each("pg_ctl initdb postgres mysqld mariadbd mysqld_safe mongod mongos redis-server valkey-server etcd influxd clickhouse-server pg_ctlcluster pg_upgrade", _SERVER),
    **each("mysqldump mariadb-dump mydumper", E(_MYSQLDUMP, out=Out.CONTENT)),
    **each("mysqladmin mariadb-admin", E(f"{_MYSQL} f,force b,no-beep i,sleep= t,timeout=", ordered=False, special=_mysqladmin)),
    **each("mysqlimport mysqlcheck mysqlshow mysqlslap mysqlbinlog mysql_upgrade mysqltuner mysqlsh", E(_MYSQL)),
    **each("mongosh mongo", E(_MONGO, special=_mongo, out=Out.CONTENT)),
    **each("mongodump mongoexport", E(_MONGO_DUMP, out=Out.CONTENT)),
    "mongorestore": E(_MONGO_DUMP, "settings*", marks={"drop": (O.DELETE,)}),
    "mongoimport": E(_MONGO_DUMP, marks={"drop": (O.DELETE,)}),
    **each("mongostat mongotop bsondump mongofiles", E(_MONGO_DUMP, "settings*")),
    **each("redis-cli valkey-cli keydb-cli iredis", E(_REDIS, ordered=True, special=_redis, out=Out.CONTENT)),
    **plain("redis-benchmark memcached memcstat redis-check-aof redis-check-rdb redis-sentinel", _REDIS),
    **each("influx influx3", E("host= token= o,org= b,bucket= f,file=settings precision= execute= database= username= password= p,precision= json hide-headers skip-verify url= start= stop= predicate= c,active-config=",
                               special=_influx)),
    "prisma": _PRISMA,
    "alembic": _ALEMBIC,
    "flyway": _FLYWAY,
    "liquibase": _LIQUIBASE,
    **each("knex sequelize sequelize-cli typeorm mikro-orm drizzle-kit umzug db-migrate node-pg-migrate objection kysely", _COLON_TOOL),
    "sqlx": _SQLX,
    "diesel": E("database-url= migration-dir=list config-file=settings", verbs={"database": E(verbs={**_resets("reset drop"), "*": E()}), "*": E(verbs={"*": E("a,all n,number=")})}),
    **each("sea-orm-cli", E("u,database-url= v,verbose d,migration-dir=list", verbs={"migrate": E(verbs={**_resets("fresh reset refresh"), "*": E("n,num=")}), "*": E()})),
    **each("migrate golang-migrate", _MIGRATE),
    "dbmate": _DBMATE,
    "goose": _GOOSE,
    "atlas": _ATLAS,
    **each("sqitch skeema sqlfluff sqlfmt sqruff pgloader sqlc squawk pg_format pgformatter bytebase schemaspy tbls dbt dagster meltano airbyte",
           E("dialect= config=settings f,force target= profiles-dir=list project-dir=list s,select= m,models= full-refresh vars= t= exclude= y,y verify file=settings", "list*")),
    "airflow": E(verbs={"db": E(verbs={**_resets("reset", "y,yes s,skip-init"), **each("clean", E("y,yes", ops=(O.DELETE,))), "*": E("y,yes")}), **each("dags tasks", E(verbs={
        "delete": E("y,yes", ops=(O.DELETE,)), "*": E("t,tag= o,output= e= subdir=")})), "*": E()}),
    "superset": E(verbs={"*": E()}),
    "dolt": E("user= password= host= port= no-tls data-dir= use-db=", verbs={"sql": E("q,query=sql f,file= r,result-format= b,batch", special=_client), "reset": E("hard soft", marks={"hard": (Trait.DISCARD_WORK,)}),
                                                                          "push": E("f,force u,set-upstream", marks={"force": (Trait.REWRITE_REMOTE,)}), "*": E("m,message=text b,branch= d D a all f")}),
    **each("kafka-topics kafka-consumer-groups kafka-acls kafka-configs kafka-console-producer kafka-console-consumer kafka-delete-records kafka-reassign-partitions"
           " kafka-producer-perf-test kafka-run-class kafka-server-start kafka-server-stop kafka-storage kafka-metadata-quorum kafka-log-dirs kafka-features"
           " kafka-topics.sh kafka-consumer-groups.sh kafka-acls.sh kafka-configs.sh kafka-console-producer.sh kafka-console-consumer.sh kafka-delete-records.sh", _KAFKA),
    **each("kcat kafkacat", _KCAT),
    **each("kaf kafkactl", E("b,brokers= c,cluster= v,verbose f,follow o,output=", special=actions)),
    "rpk": _RPK,
    **each("nats nats-cli", _NATS),
    "rabbitmqctl": _RABBITMQCTL,
    **each("rabbitmq-diagnostics rabbitmq-plugins rabbitmq-queues rabbitmq-upgrade rabbitmq-streams", _RABBITMQCTL),
    **each("rabbitmqadmin rabbitmqadmin-ng", _RABBITADMIN),
    "pulsar-admin": E("admin-url=url auth-params= auth-plugin=", special=actions),
    "mosquitto_sub": E("h=host p= t= q= u= P= i= v d C= F= W= cafile=stat cert=stat key=stat"),
    **each("cypher-shell", E("a,address= u,username= p,password= d,database= f,file= format= P,param= encryption= fail-fast fail-at-end non-interactive", special=_cypher, out=Out.CONTENT)),
    **each("arangosh", E("server.endpoint= server.username= server.password= server.database= javascript.execute-string= javascript.execute= quiet", special=_arango, style=Style.SINGLE)),
    **each("nodetool", E("h,host=host p,port= u,username= pw= password=", verbs={**destroys("removenode decommission clearsnapshot"), "*": E("t,tag= a,all cf= k")})),
    **each("couchbase-cli", E("c,cluster= u,username= p,password= bucket=", verbs={**destroys("bucket-delete bucket-flush node-reset"), "*": E(
        "cluster-ramsize= bucket-type= bucket-ramsize= wait force get set delete services= server-add=")})),
    **plain("cbq cbimport cbexport cbbackupmgr neo4j neo4j-admin solr zkserver.sh kafka-connect ksql ksqldb-cli debezium questdb vmctl vmalert thanos cortex pgbackrest wal-g wal-e barman xtrabackup mariabackup",
            "h,host= u,user= p,password= f,file=settings config=settings stanza= type= set= target-dir=mkdir backup prepare copy-back"),
    **each("zookeeper-shell zkcli.sh zookeeper-client", E("server= timeout=", "word", special=actions)),
    **each("hdfs hadoop", E("config= loglevel=", verbs={**each("dfs fs", E("rm rmr r R f skipTrash ls lsr cat put get copyFromLocal copyToLocal mkdir p mv cp du h s count text tail chmod chown test e d z touchz expunge"
                                                                            " stat getmerge head moveFromLocal appendToFile setrep w", style=Style.SINGLE, special=_hdfs)),
                                                         **each("namenode", E("format", style=Style.SINGLE, marks={"format": (O.DELETE, Trait.DESTROYS_DATABASE)})), "*": E(ordered=True)})),
    **each("spark-submit", E("class= master= deploy-mode= name= jars= packages= py-files= files= conf= properties-file=settings driver-memory= executor-memory= executor-cores= num-executors="
                             " total-executor-cores= queue= principal= keytab=stat verbose", "run any*", ordered=True)),
    **each("ceph rados rbd gluster", E("p,pool= n,name= id= c,conf=settings m= k,keyring=stat f,format= cluster= yes-i-really-really-mean-it mode= no-progress", special=actions)),
    **plain("trdsql textql dsq rsql octosql", "i,input= o,output= icsv ijson ih oh ocsv ojson omd oat driver= dsn= header pretty=", "sql"),
    "algolia": _SEARCH,
    **each("elasticdump multielasticdump", E("input= output= type= limit= delete", marks={"delete": (O.DELETE, Trait.DESTROYS_INDEX)})),
    "meilisearch": E("db-path= master-key= http-addr= env="),
}  # fmt: skip

__all__ = ["PROGRAMS", "consume", "joined", "run_text", "script_file"]
