"""What the web server keeps of a body that arrives: in memory, from some size on in a file, or nothing."""

import contextlib
import errno
from typing import Any

from waitress.buffers import OverflowableBuffer
from waitress.utilities import Error

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class InsufficientStorageError(Error):  # type: ignore[misc]
    code = 507
    reason = "Insufficient Storage"


class Body(OverflowableBuffer):  # type: ignore[misc]
    """A body that is read to its end also where there is no room for it.

    Were the connection closed instead, the client would read no reply: what it still sends resets it.
    """

    buf: Any
    is_incomplete = False

    def append(self, part: bytes) -> None:
        """Keep the part; where the disk is full, keep nothing of the body from then on."""
        if self.is_incomplete:
            return
        try:
            super().append(part)
        except OSError as error:
            self._give_up(error)

    def flush(self) -> None:
        """Write what Python holds back of the file, so that it raises nothing later."""
        if self.overflowed and not self.is_incomplete:
            try:
                self.getfile().flush()
            except OSError as error:
                self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        if error.errno not in NO_ROOM:
            raise error
        self.is_incomplete = True
        kept, self.buf, self.strbuf = self.buf, None, b""
        # Closing writes once more what there was no room for.
        if kept is not None:
            with contextlib.suppress(OSError):
                kept.close()
