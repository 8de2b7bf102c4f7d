import signal
import socket
import subprocess
import sys
from argparse import ArgumentParser
from typing import Any

import waitress
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.wsgi import application


class Command(BaseCommand):
    help = "The web server and a worker beside it. Ctrl-C ends both."
    requires_migrations_checks = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--threads", type=int, default=8)
        parser.add_argument("--no-worker", action="store_true", help="workers run elsewhere")

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        require_free(host, port)
        # Ends like Ctrl-C when a process manager asks, so that the worker is ended too.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        worker = None if options["no_worker"] else start_worker()
        self.stdout.write(
            f"Touchstone {settings.VERSION} on http://{host}:{port}/ (Ctrl-C ends it)"
        )
        try:
            waitress.serve(application, host=host, port=port, threads=options["threads"])
        except KeyboardInterrupt:
            pass  # how people end it
        finally:
            if worker is not None:
                worker.terminate()
                worker.wait()
            self.stdout.write("Ended.")


def require_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"{host}:{port} cannot be used ({error.strerror}): is Touchstone running already?"
                " Choose another with --port"
            ) from error


def start_worker() -> subprocess.Popen[bytes]:
    """A Celery worker with its beat, in the same process group: one Ctrl-C reaches both."""
    level = ["--loglevel", "WARNING"]
    celery = [sys.executable, "-m", "celery", "--quiet", "--app", "config"]
    command = [*celery, "worker", "--beat", *level]
    return subprocess.Popen(command)  # noqa: S603  our own interpreter, fixed arguments
