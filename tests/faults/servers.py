"""A web server that can be killed in the midst of its work and started again."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from subprocess import Popen

from tests.config import processes
from tests.config.serving import free_port, serving, status, until
from tests.faults.fault_installation import FaultInstallation


class Server:
    """`serve` without a worker, always on the same port."""

    process: Popen[bytes]

    def __init__(self, installation: FaultInstallation) -> None:
        self.port = free_port()
        self._installation = installation
        self._running = ExitStack()
        self._log = installation.data / "serve.log"

    def start(self) -> None:
        self.process = self._running.enter_context(
            serving(self._installation.environment, self.port, self._log, "--no-worker")
        )
        until(self._answers, "the web server")

    def kill(self) -> None:
        """kill -9 to each of its processes, as a power cut would."""
        self._running.close()

    def kill_the_first(self) -> None:
        """kill -9 to the one process that was started, as when memory runs out: the others go by themselves."""
        self.process.kill()
        self.process.wait()
        until(lambda: not processes.in_session(self.process.pid), "the end of every process")
        self._running.close()

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def log(self) -> str:
        """Since it was started last."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def _answers(self) -> bool:
        assert self.is_alive(), f"the web server ended:\n{self.log()[-3000:]}"
        return status(self.port, "/sign-in/") == 200


@contextmanager
def served(installation: FaultInstallation) -> Iterator[Server]:
    server = Server(installation)
    try:
        server.start()
        yield server
    finally:
        server.kill()
