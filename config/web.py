"""One process of the web server, on a socket that `serve` opens and shares.

    python -m config.web FD THREADS FOLDER

FOLDER is where it counts what it does, beside the other processes.

Ends on SIGTERM after the current responses, and by itself when its parent has ended.
"""

import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any
from wsgiref.types import WSGIApplication

import waitress
from django.conf import settings
from django.urls import get_resolver

from monitoring import process_files
from pages import temporary_files

logger = logging.getLogger(__name__)

LOOK_EVERY = 1.0  # seconds


def main(fd: int, threads: int, folder: Path) -> None:
    is_counted = process_files.use(folder)
    # This says where the settings are.
    from config.wsgi import application  # noqa: PLC0415

    if not is_counted:
        logger.warning("this process is missing in the metrics: there is no room in %s", folder)

    temporary_files.use_data_folder()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    threading.Thread(target=end_with_parent, args=(os.getppid(),), daemon=True).start()
    server = create_server(application, socket.socket(fileno=fd), threads)
    exempt_modules_from_collection()
    try:
        server.run()
    except KeyboardInterrupt:
        pass  # how it is ended
    finally:
        server.task_dispatcher.shutdown()


def create_server(application: WSGIApplication, listening: socket.socket, threads: int) -> Any:
    """Return a server of waitress with our limits."""
    # They import models, which the application makes ready.
    from config import connection_limits  # noqa: PLC0415
    from pages.middleware import MB  # noqa: PLC0415

    server = waitress.create_server(
        application,
        sockets=[listening],
        threads=threads,
        # What is a little too large gets a page that says so; what is more, a bare refusal.
        max_request_body_size=2 * settings.MOST_UPLOAD_MB * MB,
        **connection_limits.options(),
        **proxy_options(),
    )
    server.channel_class = connection_limits.Channel
    return server


def exempt_modules_from_collection() -> None:
    """Import what pages are made with, and let the garbage collector pass over it from now on.

    A page that reads many rows sets off collections, which would look through all of it each time.
    """
    _ = get_resolver().url_patterns
    gc.collect()
    gc.freeze()


def end_with_parent(parent: int) -> None:
    """End this process when its parent has ended."""
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY)
    os.kill(os.getpid(), signal.SIGTERM)


def proxy_options() -> dict[str, Any]:
    """Return waitress's options that trust settings.N_PROXIES proxies, or none."""
    if not settings.N_PROXIES:
        return {}
    return {
        "trusted_proxy": "*",
        "trusted_proxy_count": settings.N_PROXIES,
        "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"},
    }


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
