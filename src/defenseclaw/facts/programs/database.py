"""Database clients: SQL and commands given inline or on standard input."""

from __future__ import annotations

from defenseclaw.core.facts import IssueCode, OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E, Out, Style
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.programs.build import consume
from defenseclaw.facts.roles import apply_role, require
from defenseclaw.facts.script import Word
from defenseclaw.facts.table_reader import apply_roles


def _client(inv: Invocation) -> None:
    """A client: inline statements, script files, or its standard input."""
    apply_roles(inv)
    parsed = inv.parsed
    for word in parsed.all_values("file"):
        _script(inv, word)
    if parsed.has("command", "execute", "query", "Q", "version", "help", "list") or parsed.has("file"):
        return
    if inv.stdin.connected:
        consume(inv, "sql")


def _script(inv: Invocation, word: Word) -> None:
    """A file of statements: what this call wrote is read, anything else is opaque."""
    if word.value in ("-", "/dev/stdin"):
        consume(inv, "sql")
        return
    require(inv, word)
    before = len(inv.inputs)
    apply_role(inv, "read", word)
    text = inv.inputs[-1].text if len(inv.inputs) > before else None
    if text is not None:
        inv.builder.runner.language(inv, "sql", text, None)
    else:
        inv.partial(IssueCode.OPAQUE_ARTIFACT)


def _sqlite(inv: Invocation) -> None:
    """sqlite3 FILE [SQL…]"""
    operands = inv.parsed.operands
    for option, word in inv.parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    for word in operands[:1]:
        if word.value not in (":memory:", ""):
            apply_role(inv, "mkdir", word)
    for word in operands[1:]:
        inv.run_language("sql", word)
    if len(operands) < 2 and inv.stdin.connected and not inv.parsed.has("init", "version"):
        consume(inv, "sql")


def _redis(inv: Invocation) -> None:
    words = [(w.value or "").lower() for w in inv.parsed.operands]
    for index, word in enumerate(words[:2]):
        if word in ("flushall", "flushdb"):
            inv.trait(Trait.SQL_DROP)
        elif word == "shutdown":
            inv.op(O.PROCESS_KILL)
        elif word == "config" and "set" in words[index:]:
            inv.op(O.CONFIG_CHANGE)
    if words[:1] == ["eval"]:
        inv.trait(Trait.INLINE_CODE)
    if not words and inv.stdin.connected:
        consume(inv, "sql")


def _mongo(inv: Invocation) -> None:
    for option, word in inv.parsed.values:
        if option.name != "eval" and option.role != "word":
            apply_role(inv, option.role, word)
    code = inv.parsed.value("eval")
    if code is None:
        return
    inv.trait(Trait.INLINE_CODE)
    if code.value is None:
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    text = "".join(code.value.split()).lower()
    if "dropdatabase(" in text or ".drop(" in text:
        inv.trait(Trait.SQL_DROP)
    if any(mark in text for mark in ("deletemany({})", "remove({})", "deletemany()")):
        inv.trait(Trait.SQL_DELETE_ALL)


def _drop(inv: Invocation) -> None:
    inv.op(O.DELETE)
    inv.trait(Trait.SQL_DROP)


def _mysqladmin(inv: Invocation) -> None:
    words = [(w.value or "").lower() for w in inv.parsed.operands]
    if "drop" in words:
        _drop(inv)
    elif "shutdown" in words:
        inv.op(O.PROCESS_KILL)


_PSQL = ("a,echo-all A,no-align b c,command=sql d,dbname= e E f,file= F,field-separator= h,host= H,html l,list L,log-file=log n o,output=write p,port= P,pset= q,quiet R= s S t,tuples-only T= U,username= v,set,variable= V,version"
         " w,no-password W,password x,expanded X,no-psqlrc z 0 1,single-transaction csv")  # fmt: skip
_MYSQL = ("A auto-rehash B,batch C c D,database= e,execute=sql E,vertical f,force h,host= H,html i j=log L n N,skip-column-names O o p?,password? P,port= protocol= q,quick r,raw s,silent S,socket= t,table T U,safe-updates u,user= v,verbose w X,xml"
          " default-character-set= defaults-file=read defaults-extra-file=read init-command=sql ssl-mode= ssl-ca= column-names login-path= skip-ssl")  # fmt: skip
_DUMP = E("d,dbname= f,file=write F,format= h,host= p?,port= U,username= u,user= s,schema-only a,data-only t,table= T= n,schema= c,clean C O x no-owner no-acl no-privileges P= single-transaction all-databases databases routines triggers"
          " no-data j,jobs= Z= v W w r,result-file=write A B uri= out=write o,out=write archive?write gzip db= collection= host= port=", "word*", out=Out.CONTENT)  # fmt: skip

PROGRAMS = {
    "psql": E(_PSQL, "word*", special=_client, out=Out.CONTENT), "pgcli": E(_PSQL, special=_client), "mysql": E(_MYSQL, "word*", special=_client, out=Out.CONTENT), "mariadb": E(_MYSQL, "word*", special=_client, out=Out.CONTENT), "mycli": E(_MYSQL, special=_client),
    "sqlite3": E("init=read header separator= cmd=sql csv json column line list html markdown box readonly bail batch version newline= nullvalue= echo cmd=sql init=script noheader table", special=_sqlite, style=Style.SINGLE, out=Out.CONTENT),
    "duckdb": E("c=sql s=sql csv json markdown readonly init=script f=script", special=_sqlite, style=Style.SINGLE, out=Out.CONTENT), "sqlcmd": E("S= U= P= d= Q,query=sql q=sql i,file= o=write E b C N l= t= h= s= W v=", special=_client, out=Out.CONTENT),
    "redis-cli": E("h= p= a= n= u= r= i= s= raw no-raw csv scan pattern= bigkeys memkeys stat latency x eval=read cluster= c tls pipe askpass user= pass= no-auth-warning", "word*", special=_redis, ordered=True, out=Out.CONTENT),
    "valkey-cli": E("h= p= a= n= u=", special=_redis, ordered=True), "mongosh": E("eval= host= port= u,username= p,password= quiet nodb norc json authenticationDatabase= f,file=script tls", "word*", special=_mongo), "mongo": E("eval= host= port= u= p= quiet", "word*", special=_mongo),
    "clickhouse-client": E("q,query=sql h,host= port= u,user= password= d,database= multiquery n format= queries-file=script", special=_client, out=Out.CONTENT), "clickhouse": E("q,query=sql", "word*"), "cqlsh": E("e,execute=sql f,file= u= p= k= ssl", special=_client), "snowsql": E("q,query=sql f,file= a= u= d=", special=_client),
    "bqsql": E(), "trino": E("execute=sql f,file= server= catalog= schema= user=", special=_client), "influx": E("", "word*"), "etcdctl": E("endpoints= prefix from-key", verbs={"del": E("prefix from-key", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)), "*": E("prefix endpoints= w=")}),
    "dropdb": E("h= p= U= i,interactive f,force if-exists e W w", special=_drop), "dropuser": E("h= p= U= i e", special=_drop), "createdb": E("h= p= U= O= T= E= e", "word*"), "createuser": E("h= p= U= s d r P", "word*"), "mysqladmin": E("u= p? h= P= f,force S=", special=_mysqladmin, ordered=True),
    **dict.fromkeys(("pg_dump", "pg_dumpall", "mysqldump", "mariadb-dump", "mongodump", "mongoexport"), _DUMP), "pg_restore": E("d,dbname= c,clean h= p= U= 1 j= v a s t= n= O x if-exists C f=write l", "read", marks={"clean": (Trait.SQL_DROP,)}),
    "mongorestore": E("drop uri= db= archive? gzip host= nsInclude=", "word*", marks={"drop": (Trait.SQL_DROP,)}), "pg_isready": E("h= p= U= d= t= q"), "redis-server": E("port=", "word*"), "pg_ctl": E("D=list l=log m= t= w", "word*"), "initdb": E("D=mkdir", "mkdir"), "postgres": E(), "mysqld": E(), "mongod": E(),
    "mongoimport": E("file=read db= collection= type= drop uri= jsonArray host=", "word*"), "dbmate": E("u=", verbs={"drop": E(traits=(Trait.SQL_DROP,)), "*": E()}), "migrate": E("path=list database= source=", verbs={"drop": E("f", traits=(Trait.SQL_DROP,)), "*": E()}, style=Style.SINGLE), "flyway": E("", verbs={"clean": E(traits=(Trait.SQL_DROP,)), "*": E()}),
    "liquibase": E("", verbs={"drop-all": E(traits=(Trait.SQL_DROP,)), "dropall": E(traits=(Trait.SQL_DROP,)), "*": E()}), "sequelize": E("", verbs={"db:drop": E(traits=(Trait.SQL_DROP,)), "*": E()}), "knex": E(), "typeorm": E("", verbs={"schema:drop": E(traits=(Trait.SQL_DROP,)), "*": E()}), "drizzle-kit": E("", verbs={"drop": E(traits=(Trait.SQL_DROP,)), "*": E()}), "sqlx": E("", verbs={"database": E(verbs={"drop": E("y f", traits=(Trait.SQL_DROP,)), "reset": E("y f", traits=(Trait.SQL_DROP,)), "*": E()}), "*": E()}),
    "goose": E("dir=", "word*"), "atlas": E("", verbs={"schema": E(verbs={"clean": E("auto-approve url=", traits=(Trait.SQL_DROP,)), "*": E()}), "*": E()}), "dolt": E("", "word*"), "usql": E("c=sql f=script", "word*"),
}  # fmt: skip
