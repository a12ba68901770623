"""What the library functions of Perl, Ruby, JavaScript, PHP and Lua do, by the name in a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from defenseclaw.core.facts import PathAccess as A

_READ, _WRITE, _DELETE, _MOVE = (A.READ,), (A.WRITE,), (A.DELETE,), (A.READ, A.DELETE)


@dataclass(frozen=True, slots=True)
class Language:
    """The reach of one language. Names are the last part of a dotted or arrowed call.

    ``runs_text`` give a text to a shell, ``runs_words`` start a list of words; ``files`` name paths by position;
    ``recursive`` cover folders; ``evaluate`` run text of the language; ``sockets`` connect;
    ``fetch`` obtain a URL; ``opaque`` may reach anything when their argument is not constant.
    ``needs`` are words without which the ambiguous names in ``only_with`` mean something harmless.
    """

    comment: str
    runs_text: frozenset[str] = frozenset()
    runs_words: frozenset[str] = frozenset()
    files: Mapping[str, tuple[tuple[int, tuple[A, ...]], ...]] = field(default_factory=dict)
    every_file: Mapping[str, tuple[A, ...]] = field(default_factory=dict)
    recursive: frozenset[str] = frozenset()
    openers: frozenset[str] = frozenset()
    evaluate: frozenset[str] = frozenset()
    sockets: frozenset[str] = frozenset()
    fetch: frozenset[str] = frozenset()
    opaque: frozenset[str] = frozenset()
    backquote: bool = False
    template: bool = False  # back quotes are strings
    needs: tuple[str, ...] = ()
    only_with: frozenset[str] = frozenset()
    block_safe: frozenset[str] = frozenset()  # harmless when a block follows instead of text
    sends: frozenset[str] = frozenset()  # a request to the address among the arguments
    readers: frozenset[str] = frozenset()  # calls whose first argument is a file that is read
    called: bool = False  # a function is only called with parentheses; a bare name hands it on
    named: bool = False  # the text of a name is as good as the function
    indexed: frozenset[str] = frozenset()  # tables whose members may be named at run time
    messages: bool = False  # `send(:name)` calls a function by its name
    constructors: bool = False  # `.constructor` leads to the function that evaluates


LANGUAGES: Mapping[str, Language] = {
    "perl": Language(
        comment="#",
        runs_text=frozenset({"system", "exec", "qx", "readpipe"}),
        every_file={"unlink": _DELETE, "rmdir": _DELETE, "rmtree": _DELETE, "remove_tree": _DELETE},
        files={"rename": ((0, _MOVE), (1, _WRITE)), "symlink": ((1, _WRITE),), "chmod": ((1, (A.METADATA,)),),
               "copy": ((0, _READ), (1, _WRITE)), "move": ((0, _MOVE), (1, _WRITE)), "opendir": ((1, (A.LIST,)),),
               "mkdir": ((0, _WRITE),), "link": ((1, _WRITE),), "truncate": ((0, _WRITE),), "chown": ((2, (A.METADATA,)),),
               "sysopen": ((1, (A.READ, A.WRITE)),), "make_path": ((0, _WRITE),), "mkpath": ((0, _WRITE),)},
        recursive=frozenset({"rmtree", "remove_tree"}),
        openers=frozenset({"open"}),
        evaluate=frozenset({"eval"}),
        sockets=frozenset({"socket", "connect", "INET", "INET6", "PeerAddr", "PeerHost"}),
        fetch=frozenset({"getstore", "mirror"}),
        opaque=frozenset({"do", "require", "syscall", "dump"}),
        sends=frozenset({"post", "post_form", "put", "patch", "mirror"}),
        backquote=True,
        block_safe=frozenset({"eval", "do"}),
    ),
    "ruby": Language(
        comment="#",
        runs_text=frozenset({"system", "exec", "spawn", "popen", "popen2", "popen3", "capture2", "capture2e", "capture3", "pipeline"}),
        every_file={"delete": _DELETE, "unlink": _DELETE, "rm": _DELETE, "rm_f": _DELETE, "rm_r": _DELETE, "rm_rf": _DELETE,
                    "remove_dir": _DELETE, "remove_entry": _DELETE, "rmtree": _DELETE, "rmdir": _DELETE, "safe_unlink": _DELETE},
        files={"write": ((0, _WRITE),), "binwrite": ((0, _WRITE),), "rename": ((0, _MOVE), (1, _WRITE)), "symlink": ((1, _WRITE),),
               "mv": ((0, _MOVE), (1, _WRITE)), "cp": ((0, _READ), (1, _WRITE)), "cp_r": ((0, _READ), (1, _WRITE)),
               "read": ((0, _READ),), "readlines": ((0, _READ),), "binread": ((0, _READ),), "foreach": ((0, _READ),),
               "chmod": ((1, (A.METADATA,)),), "truncate": ((0, _WRITE),), "mkdir": ((0, _WRITE),), "mkdir_p": ((0, _WRITE),),
               "touch": ((0, _WRITE),), "ln": ((1, _WRITE),), "ln_s": ((1, _WRITE),), "ln_sf": ((1, _WRITE),), "link": ((1, _WRITE),),
               "install": ((0, _READ), (1, _WRITE)), "chown": ((2, (A.METADATA,)),)},
        sends=frozenset({"post", "post_form", "put", "patch"}),
        readers=frozenset({"read", "binread"}),
        recursive=frozenset({"rm_r", "rm_rf", "remove_dir", "remove_entry", "rmtree"}),
        openers=frozenset({"open"}),
        evaluate=frozenset({"eval", "instance_eval", "class_eval", "module_eval"}),
        sockets=frozenset({"TCPSocket", "TCPServer", "Socket", "UDPSocket"}),
        fetch=frozenset({"get_response", "URI"}),
        opaque=frozenset({"send", "__send__", "public_send", "load", "const_get", "method", "fork", "syscall"}),
        backquote=True,
        block_safe=frozenset({"instance_eval", "class_eval", "module_eval"}),
        messages=True,
        only_with=frozenset({"delete", "write", "read", "rename", "foreach", "send", "method", "load", "unlink", "rmdir", "mkdir", "touch", "link", "install", "truncate"}),
        needs=("File", "FileUtils", "IO", "Dir", "Pathname", "Kernel"),
    ),
    "js": Language(
        comment="//",
        runs_text=frozenset({"exec", "execSync", "execa", "execaCommand", "execaSync"}),
        runs_words=frozenset({"spawn", "spawnSync", "execFile", "execFileSync", "fork"}),
        every_file={},
        files={**dict.fromkeys(("unlink", "unlinkSync", "rm", "rmSync", "rmdir", "rmdirSync", "remove", "removeSync", "emptyDirSync", "rimraf", "rimrafSync"), ((0, _DELETE),)),
               **dict.fromkeys(("writeFile", "writeFileSync", "createWriteStream", "outputFileSync", "truncateSync", "writeJsonSync", "mkdir", "mkdirSync", "mkdtempSync"), ((0, _WRITE),)),
               **dict.fromkeys(("symlink", "symlinkSync", "linkSync", "link"), ((1, _WRITE),)),
               **dict.fromkeys(("openSync",), ((0, (A.READ, A.WRITE)),)),
               **dict.fromkeys(("appendFile", "appendFileSync"), ((0, (A.APPEND,)),)),
               **dict.fromkeys(("readFile", "readFileSync", "createReadStream", "readJsonSync"), ((0, _READ),)),
               **dict.fromkeys(("rename", "renameSync", "moveSync"), ((0, _MOVE), (1, _WRITE))),
               **dict.fromkeys(("copyFile", "copyFileSync", "cpSync", "copySync"), ((0, _READ), (1, _WRITE))),
               **dict.fromkeys(("chmod", "chmodSync", "chownSync"), ((0, (A.METADATA,)),))},
        recursive=frozenset({"rmSync", "rm", "rmdirSync", "removeSync", "remove", "rimraf", "rimrafSync", "emptyDirSync"}),
        evaluate=frozenset({"eval", "Function", "runInThisContext", "runInNewContext", "runInContext", "compileFunction"}),
        sockets=frozenset({"createConnection", "connect"}),
        fetch=frozenset({"get", "request"}),
        opaque=frozenset({"binding", "dlopen", "importScripts", "mainModule", "Reflect", "_load", "_linkedBinding", "createRequire"}),
        sends=frozenset({"fetch", "post", "put", "patch"}),
        readers=frozenset({"readFileSync", "readFile", "createReadStream"}),
        called=True,
        constructors=True,
        template=True,
        needs=("child_process", "execa", "fs", "rimraf", "net", "tls", "http", "https", "vm", "zx", "shelljs"),
        only_with=frozenset({"exec", "fork", "spawn", "rm", "remove", "rename", "connect", "get", "request", "unlink", "rmdir", "read", "mkdir", "link", "symlink"}),
    ),
    "php": Language(
        comment="//",
        runs_text=frozenset({"system", "exec", "shell_exec", "passthru", "popen", "proc_open", "pcntl_exec"}),
        every_file={},
        files={"unlink": ((0, _DELETE),), "rmdir": ((0, _DELETE),), "file_put_contents": ((0, _WRITE),), "rename": ((0, _MOVE), (1, _WRITE)),
               "copy": ((0, _READ), (1, _WRITE)), "readfile": ((0, _READ),), "file": ((0, _READ),), "symlink": ((1, _WRITE),), "chmod": ((0, (A.METADATA,)),),
               "mkdir": ((0, _WRITE),), "touch": ((0, _WRITE),), "link": ((1, _WRITE),), "chown": ((0, (A.METADATA,)),),
               "move_uploaded_file": ((1, _WRITE),), "copy_file": ((1, _WRITE),)},
        openers=frozenset({"fopen"}),
        readers=frozenset({"file_get_contents"}),
        named=True,
        evaluate=frozenset({"eval", "assert", "create_function"}),
        sockets=frozenset({"fsockopen", "pfsockopen", "stream_socket_client", "socket_connect"}),
        fetch=frozenset({"file_get_contents", "curl_init", "get_headers"}),
        opaque=frozenset({"ReflectionFunction", "ReflectionMethod", "posix_kill", "forward_static_call", "register_shutdown_function", "FFI", "extract", "unserialize", "include", "include_once", "require", "require_once", "call_user_func", "call_user_func_array", "dl"}),
        backquote=True,
    ),
    "lua": Language(
        comment="--",
        runs_text=frozenset({"execute", "popen"}),
        files={"remove": ((0, _DELETE),), "rename": ((0, _MOVE), (1, _WRITE))},
        openers=frozenset({"open"}),
        evaluate=frozenset({"load", "loadstring"}),
        sockets=frozenset({"tcp", "connect"}),
        opaque=frozenset({"dofile", "loadfile", "loadlib", "_ENV", "ffi"}),
        indexed=frozenset({"os", "io", "_G", "_ENV", "package", "debug"}),
        only_with=frozenset({"remove", "rename", "open"}),
        needs=("os", "io"),
    ),
}  # fmt: skip
