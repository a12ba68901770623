"""What Python's library functions do, by dotted name. ``*`` arguments are by position."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.facts import NetworkAction as N
from defenseclaw.core.facts import PathAccess as A

# Functions that give their first argument to a shell.
SHELL = frozenset(
    {"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput",
     "commands.getoutput", "commands.getstatusoutput", "asyncio.create_subprocess_shell",
     "popen2.popen2", "popen2.popen3", "pexpect.run", "pexpect.spawn", "posix.system",
     "nt.system", "IPython.get_ipython.system", "sh.sh", "invoke.run", "fabric.run"}
)  # fmt: skip
# Functions that start a list of words, or a shell text with shell=True.
SUBPROCESS = frozenset(
    {"subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output",
     "subprocess.Popen"}
)  # fmt: skip
# Functions whose arguments are the words: (index of the first word, whether they are one list).
ARGV: Mapping[str, tuple[int, bool]] = {
    "os.execv": (1, True), "os.execve": (1, True), "os.execvp": (1, True), "os.execvpe": (1, True),
    "os.execl": (1, False), "os.execle": (1, False), "os.execlp": (1, False),
    "os.execlpe": (1, False), "os.spawnv": (2, True), "os.spawnve": (2, True),
    "os.spawnvp": (2, True), "os.spawnl": (2, False), "os.spawnlp": (2, False),
    "os.spawnvpe": (2, True), "os.spawnle": (2, False), "os.spawnlpe": (2, False),
    "os.posix_spawn": (1, True), "os.posix_spawnp": (1, True), "os.startfile": (0, False),
    "asyncio.create_subprocess_exec": (0, False), "pty.spawn": (0, True),
}  # fmt: skip
# Those of them whose last argument is the environment.
WITH_ENVIRONMENT = frozenset({"os.execle", "os.execlpe", "os.spawnle", "os.spawnlpe"})
# Path arguments: (position, keyword, accesses, covers everything below).
FILES: Mapping[str, tuple[tuple[int, str, tuple[A, ...], bool], ...]] = {
    "os.remove": ((0, "path", (A.DELETE,), False),),
    "os.unlink": ((0, "path", (A.DELETE,), False),),
    "os.rmdir": ((0, "path", (A.DELETE,), False),),
    "os.removedirs": ((0, "name", (A.DELETE,), False),),
    "shutil.rmtree": ((0, "path", (A.DELETE,), True),),
    "send2trash.send2trash": ((0, "paths", (A.DELETE,), True),),
    "os.rename": ((0, "src", (A.READ, A.DELETE), False), (1, "dst", (A.WRITE,), False)),
    "os.replace": ((0, "src", (A.READ, A.DELETE), False), (1, "dst", (A.WRITE,), False)),
    "shutil.move": ((0, "src", (A.READ, A.DELETE), True), (1, "dst", (A.WRITE,), False)),
    "shutil.copy": ((0, "src", (A.READ,), False), (1, "dst", (A.WRITE,), False)),
    "shutil.copy2": ((0, "src", (A.READ,), False), (1, "dst", (A.WRITE,), False)),
    "shutil.copyfile": ((0, "src", (A.READ,), False), (1, "dst", (A.WRITE,), False)),
    "shutil.copytree": ((0, "src", (A.READ,), True), (1, "dst", (A.WRITE,), True)),
    "os.truncate": ((0, "path", (A.WRITE,), False),),
    "os.chmod": ((0, "path", (A.METADATA,), False),),
    "os.chown": ((0, "path", (A.METADATA,), False),),
    "os.symlink": ((1, "dst", (A.WRITE,), False),),
    "os.link": ((1, "dst", (A.WRITE,), False),),
    "os.listdir": ((0, "path", (A.LIST,), False),),
    "os.scandir": ((0, "path", (A.LIST,), False),),
    "os.walk": ((0, "top", (A.LIST,), False),),
    "os.mkdir": ((0, "path", (A.WRITE,), False),),
    "os.makedirs": ((0, "name", (A.WRITE,), False),),
    "os.mkfifo": ((0, "path", (A.WRITE,), False),),
    "os.rmtree": ((0, "path", (A.DELETE,), True),),
    "os.renames": ((0, "old", (A.READ, A.DELETE), False), (1, "new", (A.WRITE,), False)),
    "os.open": ((0, "path", (A.READ, A.WRITE), False),),
    "os.mknod": ((0, "path", (A.WRITE,), False),),
    "os.lchown": ((0, "path", (A.METADATA,), False),),
    "shutil.copymode": ((1, "dst", (A.METADATA,), False),),
    "shutil.chown": ((0, "path", (A.METADATA,), False),),
    "shutil.unpack_archive": (
        (0, "filename", (A.READ,), False),
        (1, "extract_dir", (A.WRITE,), True),
    ),
    "numpy.save": ((0, "file", (A.WRITE,), False),),
    "runpy.run_path": ((0, "path_name", (A.EXECUTE,), False),),
}
# Methods of path objects.
PATH_METHODS: Mapping[str, tuple[A, ...]] = {
    "unlink": (A.DELETE,), "rmdir": (A.DELETE,), "rmtree": (A.DELETE,),
    "write_text": (A.WRITE,), "write_bytes": (A.WRITE,), "touch": (A.WRITE,),
    "read_text": (A.READ,), "read_bytes": (A.READ,), "chmod": (A.METADATA,),
    "rename": (A.READ, A.DELETE), "replace": (A.READ, A.DELETE),
    "symlink_to": (A.WRITE,), "hardlink_to": (A.WRITE,), "mkdir": (A.WRITE,), "lchmod": (A.METADATA,),
}  # fmt: skip
# Methods that only path objects have: whose object is not known, the file is not either.
PATH_ONLY = frozenset(
    {"unlink", "rmdir", "rmtree", "write_text", "write_bytes", "symlink_to", "hardlink_to"}
)
# Methods whose first argument is another path, which they write.
PATH_TARGETS = frozenset({"rename", "replace"})
# Methods of archives: where they put what they hold.
EXTRACTORS = frozenset({"extractall", "extract"})
# Constructors of path objects.
PATH_TYPES = frozenset(
    {"pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath", "pathlib.PurePosixPath",
     "pathlib.WindowsPath"}
)  # fmt: skip
OPENERS = frozenset(
    {"open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open", "builtins.open"}
)

NETWORK: Mapping[str, N] = {
    "urllib.request.urlopen": N.DOWNLOAD, "urllib.urlopen": N.DOWNLOAD,
    "urllib2.urlopen": N.DOWNLOAD, "urllib.request.urlretrieve": N.DOWNLOAD,
    "urllib.request.Request": N.CONNECT, "requests.get": N.DOWNLOAD, "requests.head": N.CONNECT,
    "requests.options": N.CONNECT, "requests.post": N.UPLOAD, "requests.put": N.UPLOAD,
    "requests.patch": N.UPLOAD, "requests.delete": N.CONNECT, "httpx.get": N.DOWNLOAD,
    "httpx.head": N.CONNECT, "httpx.post": N.UPLOAD, "httpx.put": N.UPLOAD,
    "httpx.patch": N.UPLOAD, "httpx.delete": N.CONNECT, "httpx.stream": N.DOWNLOAD,
    "wget.download": N.DOWNLOAD, "urllib3.request": N.CONNECT, "requests.request": N.CONNECT,
    "httpx.request": N.CONNECT,
}  # fmt: skip
# Methods of HTTP sessions and clients, whose first argument is a URL.
URL_METHODS: Mapping[str, N] = {
    "get": N.DOWNLOAD, "head": N.CONNECT, "options": N.CONNECT, "delete": N.CONNECT,
    "post": N.UPLOAD, "put": N.UPLOAD, "patch": N.UPLOAD, "stream": N.DOWNLOAD,
}  # fmt: skip
# Methods of connections that send what they are given.
SENDERS = frozenset(
    {
        "send",
        "sendall",
        "sendto",
        "sendfile",
        "request",
        "sendmail",
        "send_message",
        "storbinary",
        "storlines",
        "write",
    }
)
# Methods that run text of a database's language.
STATEMENTS = frozenset({"execute", "executescript", "executemany"})
# Constructors that take a host and maybe a port.
HOSTS: Mapping[str, str] = {
    "http.client.HTTPConnection": "http", "http.client.HTTPSConnection": "https",
    "ftplib.FTP": "ftp", "smtplib.SMTP": "tcp", "smtplib.SMTP_SSL": "tls",
    "telnetlib.Telnet": "tcp", "socket.create_connection": "tcp",
}  # fmt: skip
DECODERS = frozenset(
    {"base64.b64decode", "base64.standard_b64decode", "base64.urlsafe_b64decode", "bytes.fromhex",
     "binascii.unhexlify", "binascii.a2b_base64", "codecs.decode", "zlib.decompress"}
)  # fmt: skip
# Code that is evaluated, and names behind which any function may stand.
EVALUATORS = frozenset(
    {
        "exec",
        "eval",
        "builtins.exec",
        "builtins.eval",
        "timeit.timeit",
        "timeit.repeat",
        "pdb.run",
        "pdb.runeval",
        "cProfile.run",
        "profile.run",
    }
)
OPAQUE = frozenset(
    {"importlib.import_module", "__import__", "marshal.loads", "types.FunctionType",
     "code.interact", "code.InteractiveInterpreter", "ctypes.CDLL", "ctypes.cdll.LoadLibrary", "cffi.FFI",
     "imp.load_source", "sys.settrace", "pickle.loads", "dill.loads", "cloudpickle.loads", "pickle.load", "code.InteractiveConsole", "breakpoint", "builtins.__import__", "operator.methodcaller", "operator.attrgetter",
     "types.CodeType", "sys.setprofile", "marshal.load", "setattr", "inspect.getmembers", "gc.get_objects"}
)  # fmt: skip
# Modules that reach the machine past every name in these tables.
FOREIGN = frozenset({"ctypes", "cffi", "_ctypes", "builtins", "posix", "nt", "_posixsubprocess"})
# Attributes behind which any function may stand, and calls that give the names of a scope.
HIDDEN = frozenset(
    {"__dict__", "__globals__", "__builtins__", "__subclasses__", "__mro__", "__bases__", "__code__", "__getattribute__",
     "__loader__", "__closure__", "__reduce__", "f_globals", "f_locals", "f_builtins", "gi_frame", "tb_frame"}
)  # fmt: skip
SCOPES = frozenset({"globals", "locals", "vars"})
# Everything that reaches files, programs, code or the network: a name that is handed on reaches it later.
REACHES = frozenset(
    {
        *SHELL,
        *SUBPROCESS,
        *ARGV,
        *FILES,
        *EVALUATORS,
        *OPAQUE,
        "os.kill",
        "os.killpg",
        "compile",
        "getattr",
    }
)
