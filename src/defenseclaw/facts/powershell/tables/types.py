"""Types by the namespace that ``using namespace`` lets a script leave out.

Those whose members mean something here; names are lower case and without ``system.``.
"""

from __future__ import annotations

from collections.abc import Mapping

_ROWS = """
io file directory path fileinfo directoryinfo driveinfo streamreader streamwriter filestream
io.compression zipfile gzipstream deflatestream
net webclient webrequest httpwebrequest dns networkcredential servicepointmanager webutility
net.http httpclient
net.sockets tcpclient tcplistener udpclient socket
net.mail smtpclient mailaddress
text encoding stringbuilder
text.regularexpressions regex
text.json jsonserializer jsondocument
diagnostics process processstartinfo stopwatch eventlog
reflection assembly
runtime.interopservices marshal
management.automation powershell scriptblock psobject
management.automation.runspaces runspacefactory
collections arraylist hashtable
collections.generic list dictionary hashset queue
security.cryptography sha256 sha1 md5 sha512 hashalgorithm aes
security.principal windowsidentity windowsprincipal windowsbuiltinrole
windows.forms clipboard messagebox sendkeys
microsoft.win32 registry registrykey
microsoft.visualbasic.fileio filesystem
web httputility
linq enumerable
globalization cultureinfo
numerics biginteger
threading thread
"""
NAMESPACES: Mapping[str, frozenset[str]] = {
    row.split()[0]: frozenset(row.split()[1:]) for row in _ROWS.strip().splitlines()
}
