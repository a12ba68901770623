"""Windows images made of bytes: a library of forwarded names, and a program that prints its call.

No Windows compiler is needed for either. A forwarding library stands in for ``python3.dll``, which
the published build leaves out. The printer takes the place of every program that a command names.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

IMAGE_BASE = 0x1_8000_0000  # any will do: no byte of these images depends on it
SECTION_ALIGN = 0x1000
FILE_ALIGN = 0x200
HEADER_SIZE = 0x400
MACHINE_X64 = 0x8664
EXECUTABLE, LIBRARY = 0x0022, 0x2022  # large-address-aware image; also a DLL
CONSOLE = 3
SECTION_RWX = 0xE0000060  # code and data in one section, as small as it gets
DIRECTORIES = 16
EXPORTS, IMPORTS = 0, 1
EXPORT_HEADER = struct.Struct("<IIHHIIIIIII")
FOLDER_SIZE = 1024  # characters; a folder of a test is far shorter


@dataclass
class Section:
    """The one section of an image: bytes with known addresses."""

    body: bytearray = field(default_factory=bytearray)

    def put(self, data: bytes, align: int = 8) -> int:
        """Append bytes; their relative virtual address."""
        self.body += bytes(-len(self.body) % align)
        at = SECTION_ALIGN + len(self.body)
        self.body += data
        return at

    def text(self, name: str) -> int:
        """Append a closed string."""
        return self.put(name.encode() + b"\0", 2)


def image(section: Section, kind: int, entry: int, tables: Mapping[int, tuple[int, int]]) -> bytes:
    """A PE32+ file with these directory tables."""
    raw = bytes(section.body) + bytes(-len(section.body) % FILE_ALIGN)
    mapped = len(raw) + (-len(raw) % SECTION_ALIGN)
    dos = b"MZ".ljust(60, b"\0") + struct.pack("<I", 64)
    coff = struct.pack("<4sHHIIIHH", b"PE", MACHINE_X64, 1, 0, 0, 0, 112 + 8 * DIRECTORIES, kind)
    optional = struct.pack(
        "<HBBIIIIIQIIHHHHHHIIIIHHQQQQII",
        0x20B, 14, 0, len(raw), 0, 0, entry, SECTION_ALIGN, IMAGE_BASE, SECTION_ALIGN, FILE_ALIGN,
        6, 0, 0, 0, 6, 0, 0, SECTION_ALIGN + mapped, HEADER_SIZE, 0, CONSOLE, 0,
        1 << 20, 1 << 12, 1 << 20, 1 << 12, 0, DIRECTORIES,
    )  # fmt: skip
    for number in range(DIRECTORIES):
        optional += struct.pack("<II", *tables.get(number, (0, 0)))
    header = struct.pack(
        "<8sIIIIIIHHI", b".all", mapped, SECTION_ALIGN, len(raw), HEADER_SIZE, 0, 0, 0, 0,
        SECTION_RWX,
    )  # fmt: skip
    return (dos + coff + optional + header).ljust(HEADER_SIZE, b"\0") + raw


# --- a library of forwarded names ---


def exported_names(library: Path) -> list[str]:
    """The names that a library exports, as its export table lists them."""
    data = library.read_bytes()
    pe = struct.unpack_from("<I", data, 0x3C)[0]
    count, optional_size = struct.unpack_from("<6xH12xH", data, pe)
    optional = pe + 24
    sections = [
        struct.unpack_from("<8x4I", data, optional + optional_size + 40 * number)
        for number in range(count)
    ]

    def at(address: int) -> int:
        return next(
            address - start + raw
            for size, start, raw_size, raw in sections
            if start <= address < start + max(size, raw_size)
        )

    table = at(struct.unpack_from("<I", data, optional + 112)[0])
    number, _, names = struct.unpack_from("<24xI2I", data, table)
    pointers = struct.unpack_from(f"<{number}I", data, at(names))
    return [data[(start := at(p)) : data.index(b"\0", start)].decode() for p in pointers]


def forwarding_library(name: str, target: str, names: Sequence[str]) -> bytes:
    """A library whose every name is that of another library."""
    section, ordered = Section(), sorted(names)
    # A name is forwarded if its address lies inside the export directory, so that is everything.
    section.put(bytes(EXPORT_HEADER.size))
    forwards = [section.text(f"{target}.{export}") for export in ordered]
    labels = [section.text(export) for export in ordered]
    count = len(ordered)
    functions = section.put(struct.pack(f"<{count}I", *forwards))
    pointers = section.put(struct.pack(f"<{count}I", *labels))
    ordinals = section.put(struct.pack(f"<{count}H", *range(count)))
    title = section.text(name)
    head = EXPORT_HEADER.pack(0, 0, 0, 0, title, 1, count, count, functions, pointers, ordinals)
    section.body[: len(head)] = head
    return image(section, LIBRARY, 0, {EXPORTS: (SECTION_ALIGN, len(section.body))})


# --- a program that prints its call ---


class Code:
    """Instructions of one function, with the places where addresses go."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.start = SECTION_ALIGN + len(section.body)

    def add(self, *parts: str | int) -> None:
        """Append bytes in hexadecimal; a number is an address, stored relative to what follows."""
        body = self.section.body
        for part in parts:
            if isinstance(part, str):
                body += bytes.fromhex(part)
            else:
                body += struct.pack("<i", part - (SECTION_ALIGN + len(body) + 4))


def add_imports(section: Section, library: str, names: Sequence[str]) -> dict[str, int]:
    """Import names of one library; where their pointers are, and "" for the table itself."""
    hints = [section.put(b"\0\0" + name.encode() + b"\0", 2) for name in names]
    thunks = struct.pack(f"<{len(names) + 1}Q", *hints, 0)
    lookup, pointers = section.put(thunks), section.put(thunks)
    table = section.put(struct.pack("<5I20x", lookup, 0, 0, section.text(library), pointers))
    return {"": table} | {name: pointers + 8 * at for at, name in enumerate(names)}


def printer(log: str, code: int) -> bytes:
    """A program that appends its command line and folder to a file, prints the line and exits.

    Both are UTF-16, each closed by a NUL.
    """
    section = Section()
    path = section.put(log.encode("utf-16-le") + b"\0\0")
    end = section.put(b"\r\n\0\0")
    folder = section.put(bytes(2 * FOLDER_SIZE))
    calls = ("GetCommandLineW", "CreateFileW", "lstrlenW", "WriteFile", "GetCurrentDirectoryW")
    wanted = (*calls, "GetStdHandle", "ExitProcess")
    at = add_imports(section, "KERNEL32.dll", wanted)
    section.body += bytes(-len(section.body) % 16)
    asm = Code(section)
    write = ("4c8d4c2440 48c744242000000000 ff15", at["WriteFile"])  # (…, …, …, &count, NULL)
    asm.add("4883ec58 ff15", at["GetCommandLineW"], "4889c3")  # rbx = the command line
    asm.add("488d0d", path, "ba04000000 41b803000000 4531c9")  # append, shared
    asm.add("48c744242004000000 48c744242880000000 48c744243000000000")  # open always, normal
    asm.add("ff15", at["CreateFileW"], "4889c7")  # rdi = the log
    asm.add("4889d9 ff15", at["lstrlenW"], "8d740002")  # esi = its size with the NUL
    asm.add("4889f9 4889da 4189f0", *write)
    asm.add("b9", f"{struct.pack('<I', FOLDER_SIZE).hex()}", "488d15", folder)
    asm.add("ff15", at["GetCurrentDirectoryW"], "448d440002")  # r8d = size with the NUL
    asm.add("4889f9 488d15", folder, *write)
    asm.add("b9f5ffffff ff15", at["GetStdHandle"], "4889c7")  # rdi = standard output
    asm.add("4889f9 4889da 448d46fe", *write)
    asm.add("4889f9 488d15", end, "41b802000000", *write)
    asm.add("b9", struct.pack("<I", code).hex(), "ff15", at["ExitProcess"])
    return image(section, EXECUTABLE, asm.start, {IMPORTS: (at[""], 40)})
