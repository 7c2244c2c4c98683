"""Packing: game files as gzip or xz, read without trusting their size."""

import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO, Final, cast

from typing_extensions import Buffer

from keylore_domain.errors import DataFileError

_GZIP: Final = b"\x1f\x8b"
_XZ: Final = b"\xfd7zXZ\x00"

MEMORY: Final = 128 * 1024 * 1024
"""The most that unpacking xz may take, whatever the file asks for."""

_CHUNK: Final = 64 * 1024


def packed(name: str, content: bytes) -> bytes:
    """*content* as the ending of *name* says: ``.xz``, ``.gz``, or as it is.

    The same content gives the same bytes: no time stands in them.
    """
    ending = name[name.rfind(".") :]
    return _PACK[ending](content) if ending in _PACK else content


@contextmanager
def unpacked(file: "io.BufferedReader[Any]") -> Iterator[BinaryIO]:
    """The content of an open *file*, whatever it is packed as.

    Raises:
        DataFileError: the packed data is damaged.
    """
    head = file.peek(len(_XZ))
    try:
        if head.startswith(_GZIP):
            yield cast("BinaryIO", gzip.GzipFile(fileobj=file))
        elif head.startswith(_XZ):
            yield cast("BinaryIO", io.BufferedReader(_Xz(file)))
        else:
            yield file
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataFileError("(file)", f"the gzip data is damaged: {error}") from error
    except lzma.LZMAError as error:
        raise DataFileError("(file)", f"the xz data is damaged: {error}") from error


class _Xz(io.RawIOBase):
    """Unpacks one xz stream piece by piece, within `MEMORY`."""

    def __init__(self, file: "io.BufferedReader[Any]") -> None:
        self._file = file
        self._unpack = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MEMORY)

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        """Fill *buffer* as far as possible; gives 0 at the end."""
        target = memoryview(buffer).cast("B")
        while not self._unpack.eof:
            data = self._file.read(_CHUNK) if self._unpack.needs_input else b""
            if not data and self._unpack.needs_input:
                msg = "it ends too early"
                raise lzma.LZMAError(msg)
            piece = self._unpack.decompress(data, len(target))
            if piece:
                target[: len(piece)] = piece
                return len(piece)
        if self._unpack.unused_data or self._file.read(1):
            msg = "something follows its end"
            raise lzma.LZMAError(msg)
        return 0


_PACK: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    ".gz": lambda content: gzip.compress(content, mtime=0),
    ".xz": lambda content: lzma.compress(content, preset=6 | lzma.PRESET_EXTREME),
}
