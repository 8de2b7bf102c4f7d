"""All settings. A checkout runs as it is; docs/settings.md says what each environment variable changes."""

import os
import secrets
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = "0.1.0"


def env_text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def env_flag(name: str, *, default: bool = False) -> bool:
    return env_text(name, "1" if default else "0").lower() in {"1", "true", "yes", "on"}


def env_seconds(name: str, default: float) -> float:
    text = env_text(name, str(default))
    try:
        return float(text)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}={text}: give a number of seconds") from error


def env_list(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in env_text(name, default).split(",") if part.strip()]


def secret_key(folder: Path) -> str:
    """The key that TOUCHSTONE_SECRET_KEY names, or one made once and kept in the data folder.

    Two processes that start together must agree: the file is created exclusively, and who comes
    second reads what the first wrote.
    """
    if given := env_text("TOUCHSTONE_SECRET_KEY"):
        return given
    path = folder / "secret_key"
    fresh = folder / f"secret_key.{os.getpid()}"
    if not path.exists():
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(50), encoding="ascii")
        try:
            path.hardlink_to(fresh)
        except FileExistsError:
            pass  # another process was faster; its key is the key
        finally:
            fresh.unlink()
    return path.read_text(encoding="ascii")


# Where run-time files lie: database, uploads, broker folders, secret key.
DATA_DIR = Path(env_text("TOUCHSTONE_DATA", str(BASE_DIR / "var"))).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)

SECRET_KEY = secret_key(DATA_DIR)
DEBUG = env_flag("TOUCHSTONE_DEBUG")
ALLOWED_HOSTS = env_list("TOUCHSTONE_HOSTS", "127.0.0.1,localhost,[::1]")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "config",
    "accounts",
    "activity",
    "corpus",
    "scoring",
    "sampling",
    "annotation",
    "exports",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# SQLite as a server would want it: readers never wait for the writer (WAL), a transaction takes the
# write lock when it begins (IMMEDIATE: no upgrade, no deadlock), who comes second waits, and what was
# committed survives a power cut (synchronous FULL).
SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 30,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
}


def database() -> dict[str, Any]:
    url = env_text("DATABASE_URL", f"sqlite:///{DATA_DIR / 'touchstone.sqlite3'}")
    settings: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=60))
    if settings["ENGINE"] == "django.db.backends.sqlite3":
        settings["OPTIONS"] = SQLITE_OPTIONS
    return settings


DATABASES = {"default": database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.RealPeopleBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"

# The broker only wakes workers; what is to be done stands in the database (activity.Job).
BROKER_URL = env_text("BROKER_URL", "filesystem://localhost/")
BROKER_FOLDER = DATA_DIR / "broker"
# A chunk whose worker has not been heard of for this long is given to another one.
JOB_LEASE_SECONDS = env_seconds("TOUCHSTONE_LEASE_SECONDS", 60)
# How often a worker looks for work that nobody holds, were the wake-up lost.
JOB_WAKE_SECONDS = env_seconds("TOUCHSTONE_WAKE_SECONDS", 10)
# What each kind of job does, imported when one runs (activity/handlers.py).
JOB_KINDS = {
    "import_dataset": "corpus.jobs.IMPORT_DATASET",
    "import_run": "corpus.jobs.IMPORT_RUN",
    "score": "scoring.jobs.SCORE",
    "find_evidence": "sampling.jobs.FIND_EVIDENCE",
}

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env_flag("TOUCHSTONE_SECURE_COOKIES", default=False)
SESSION_COOKIE_HTTPONLY = True
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env_text("TOUCHSTONE_LOG_LEVEL", "WARNING")},
}
