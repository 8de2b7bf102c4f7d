"""All settings. A checkout runs without changes; docs/settings.md lists the environment variables.

An invalid variable raises ImproperlyConfigured with its name; manage.py prints the message.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from config import environment, file_places, private_files
from config.queues import queue_name

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = "0.2.0"

YEAR = 365 * environment.A_DAY  # seconds

DATA_DIR = private_files.data_folder(BASE_DIR / "var")
SECRET_KEY = private_files.secret_key(DATA_DIR)
DEBUG = environment.flag("TOUCHSTONE_DEBUG")
ALLOWED_HOSTS = environment.texts("TOUCHSTONE_HOSTS", "127.0.0.1,localhost,[::1]")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "csp",
    "django_htmx",
    "axes",
    "config",
    "pages",
    "accounts",
    "jobs",
    "audit",
    "corpus",
    "scoring",
    "sampling",
    "annotation",
    "exports",
]

# What says in headers how a browser may treat a reply stands before what answers: no reply goes out past it,
# be it a static file or the refusal of a host.
MIDDLEWARE = [
    "pages.middleware.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "pages.middleware.UploadLimitMiddleware",
    "pages.middleware.NotStoredMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.middleware.NotAllowedMiddleware",
    "annotation.middleware.WrongSchemeMiddleware",
    "accounts.middleware.KnownBrowserMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,  # for the templates of Django's own form widgets
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["pages.templatetags.numbers"],
        },
    },
]

# Forms are drawn by the project's own templates (templates/django/forms).
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# SQLite as a server would want it: readers never wait for the writer (WAL), a transaction takes the
# write lock when it begins (IMMEDIATE: no upgrade, no deadlock), who comes second waits, and what was
# committed survives a power cut (synchronous FULL).
SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 30,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
}


DATABASE_HINT = "say postgres://USER:PASSWORD@HOST:PORT/NAME or sqlite:///PATH"


# What comes again and again is planned once a connection.
POSTGRESQL_OPTIONS: dict[str, Any] = {"server_side_binding": True, "prepare_threshold": 2}


def database() -> dict[str, Any]:
    url = environment.text("DATABASE_URL", f"sqlite:///{DATA_DIR / 'touchstone.sqlite3'}")
    try:
        settings: dict[str, Any] = dict(
            dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True)
        )
    except ValueError as error:  # its message may hold the password
        raise ImproperlyConfigured(
            f"DATABASE_URL is no database's address: {DATABASE_HINT}"
        ) from error
    if settings["ENGINE"] == "django.db.backends.sqlite3":
        settings["OPTIONS"] = SQLITE_OPTIONS
        file = Path(settings["NAME"])
        if not file.parent.is_dir():
            raise ImproperlyConfigured(f"DATABASE_URL: there is no folder {file.parent}")
        for ending in ("", "-wal", "-shm"):
            private_files.close_to_others(file.with_name(f"{file.name}{ending}"))
    elif settings["ENGINE"] != "django.db.backends.postgresql" or not settings["NAME"]:
        raise ImproperlyConfigured(
            f"DATABASE_URL names no database that Touchstone knows: {DATABASE_HINT}"
        )
    else:
        settings["OPTIONS"] = POSTGRESQL_OPTIONS | settings.get("OPTIONS", {})
    return settings


DATABASES = {"default": database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "accounts.backends.ThrottledBackend",
    "accounts.backends.RealPeopleBackend",
]
PASSWORD_HASHERS = ["accounts.hashers.PasswordHasher"]
# What one attempt at a stolen hash costs, and one sign-in. OWASP asks for the least, Django takes the default.
PASSWORD_ITERATIONS = environment.count(
    "TOUCHSTONE_PASSWORD_ITERATIONS", 100_000_000, least=600_000, default=1_000_000
)
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# Guessing at passwords: after so many wrong ones for a name from an address, that pair has to wait.
AXES_FAILURE_LIMIT = 5
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
# The same wait after so many under one name at all addresses together, and under all names at one address.
SIGN_IN_FAILURES_OF_NAME = environment.count(
    "TOUCHSTONE_SIGN_IN_FAILURES_OF_NAME", most=1_000_000, least=1, default=20
)
SIGN_IN_FAILURES_OF_ADDRESS = environment.count(
    "TOUCHSTONE_SIGN_IN_FAILURES_OF_ADDRESS", most=1_000_000, least=1, default=100
)
AXES_HANDLER = "accounts.actions.throttle.Handler"
AXES_CLIENT_IP_CALLABLE = "accounts.addresses.of_request"
AXES_COOLOFF_TIME = timedelta(
    seconds=environment.seconds("TOUCHSTONE_SIGN_IN_WAIT_SECONDS", 15 * 60)
)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # the time that the page names stays true
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_CALLABLE = "accounts.views.signing_in.throttled"
# Sign-ins are events of the audit record, without browsers and whole addresses (accounts/actions/sign_ins.py).
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False
# Left out of log and database: a password lands in the field for the name soon enough, and the page that
# one goes on to may be a one-use link. The others are fields of pages that ask for the password again.
AXES_SENSITIVE_PARAMETERS = ["username", "next", "old", "again", "code", "signed_salt"]
# How long the events of sign-ins are kept.
SIGN_IN_DAYS = environment.count("TOUCHSTONE_SIGN_IN_DAYS", most=10_000, least=1, default=400)
# How many proxies stand before the web server. None: what a request says of its own way is not believed.
N_PROXIES = environment.count("TOUCHSTONE_PROXIES", most=10)

# How many requests of the API one person may make in a minute, in each web process; 0: any number.
API_REQUESTS_A_MINUTE = environment.count(
    "TOUCHSTONE_API_REQUESTS_A_MINUTE", most=1_000_000, default=600
)
# After so many wrong tokens from an address, in a minute, it is told to wait.
API_WRONG_TOKENS_A_MINUTE = 30

# Read by Django REST framework when the API is first asked for something: JSON, and nothing else. It is no
# installed app, so that no process loads it that does not answer for the API (config/urls.py).
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.authentication.TokenAuthentication",
        "accounts.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "accounts.api.permissions.MayUseApi",
    ],
    "DEFAULT_THROTTLE_CLASSES": ["accounts.api.throttling.RequestThrottle"],
    "DEFAULT_PAGINATION_CLASS": "accounts.api.pagination.Pages",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["accounts.api.parsing.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "accounts.api.schema.AutoSchema",
    "EXCEPTION_HANDLER": "accounts.api.problems.handler",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Touchstone",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "DESCRIPTION": "What requesters and adjudicators do on pages, for programs.",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    # The order in which the reference shows them.
    "TAGS": [
        {"name": name}
        for name in (
            *("studies", "batches", "items", "judgements", "reviews", "disputes"),
            *("jobs", "releases", "schema"),
        )
    ],
}

# How long a link to set a password can be used.
PASSWORD_RESET_TIMEOUT = environment.seconds("TOUCHSTONE_LINK_SECONDS", environment.A_DAY)

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True

# Collected when the server starts, compressed, and named by their content: kept for ever by browsers.
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
FILES = environment.text("TOUCHSTONE_FILES")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static_files.HashedStaticFiles"},
    "releases": file_places.storage(FILES, "releases"),
    "uploads": file_places.storage(FILES, "uploads"),
}
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o600, 0o700
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site has a use for them

# The broker only wakes workers; what is to be done stands in the database (jobs.Job).
BROKER_URL = environment.text("BROKER_URL", "filesystem://localhost/")
BROKER_FOLDER = DATA_DIR / "broker"
BROKER_QUEUE = environment.text("TOUCHSTONE_QUEUE", queue_name(SECRET_KEY))
# A chunk whose worker has not been heard of for this long is given to another one.
JOB_LEASE_SECONDS = environment.seconds("TOUCHSTONE_LEASE_SECONDS", 60)
# How often a worker looks for work that nobody holds, were the wake-up lost.
JOB_WAKE_SECONDS = environment.seconds("TOUCHSTONE_WAKE_SECONDS", 10)
# The work of members, which the page of people shows: accounts imports no annotation.
CHECKS_OF_MEMBERS = "annotation.queries.checks.attempts_in"
STANDINGS_OF_MEMBERS = "annotation.queries.standings.standings_of"
WORK_OF_MEMBERS = "annotation.queries.people_at_work.work_of"
# What each kind of job does, imported when one runs (jobs/handlers.py).
JOB_KINDS = {
    "check_dataset": "corpus.jobs.CHECK_DATASET",
    "check_runs": "corpus.jobs.CHECK_RUNS",
    "import_dataset": "corpus.jobs.IMPORT_DATASET",
    "carry_over": "corpus.jobs.CARRY_OVER",
    "import_run": "corpus.jobs.IMPORT_RUN",
    "import_runs": "corpus.jobs.IMPORT_RUNS",
    "calibrate": "scoring.two_stage_jobs.CALIBRATE",
    "score": "scoring.jobs.SCORE",
    "import_scores": "scoring.table_jobs.IMPORT_SCORES",
    "compare_runs": "scoring.table_jobs.COMPARE_RUNS",
    "survey_answers": "sampling.pool_jobs.SURVEY_ANSWERS",
    "draw_pool": "sampling.pool_jobs.DRAW_POOL",
    "draw_audit": "sampling.audit_jobs.DRAW_AUDIT",
    "draw_comparison": "sampling.comparison_jobs.DRAW_COMPARISON",
    "find_evidence": "sampling.jobs.FIND_EVIDENCE",
    "find_reference_evidence": "sampling.reference_evidence_jobs.FIND_REFERENCE_EVIDENCE",
    "draw_spans": "sampling.extraction_jobs.DRAW_SPANS",
    "compare_rules": "annotation.jobs.COMPARE_RULES",
    "agreement": "exports.jobs.AGREEMENT",
    "annotators_of_batch": "exports.jobs.ANNOTATORS",
    "annotators_of_study": "exports.jobs.ANNOTATORS",
    "measures_against_people": "exports.jobs.MEASURES",
    "runs_by_references": "exports.chosen_references.jobs.RUNS_BY_REFERENCES",
    "estimate_missed": "exports.jobs.MISSED",
    "results": "exports.jobs.RESULTS",
    "pilot_figures": "exports.after_pilot.jobs.PILOT_FIGURES",
    "late_runs": "exports.late_runs.jobs.LATE_RUNS",
    "leave_one_team_out": "exports.leave_one_team_out.jobs.LEAVE_ONE_TEAM_OUT",
    "release_changes": "exports.releases.jobs.RELEASE_CHANGES",
    "comparison_of_batch": "exports.jobs.COMPARISON",
    "comparison_of_study": "exports.jobs.COMPARISON",
    "written_answers": "exports.written.jobs.WRITTEN_ANSWERS",
    "draw_pairs": "exports.relations.jobs.DRAW_PAIRS",
    "draw_precision_audit": "exports.jobs.DRAW_PRECISION_AUDIT",
    "release": "exports.jobs.RELEASE",
    "release_comparison": "exports.jobs.RELEASE_COMPARISON",
}

# Work of apps above `annotation` that is judged blind: whether some of a batch waits for a person. Until it is
# done they are not shown the batch's runs (annotation/queries/answer_sources.py).
BLIND_WORK = ("exports.precision_audit.queries.is_audit_open",)

# Releases that were made on pages, to be looked at and downloaded.
RELEASES = DATA_DIR / "releases"

# Files that people sent to be imported; each upload has a folder of its own there, until it is imported.
UPLOADS = DATA_DIR / "uploads"
UPLOADS.mkdir(mode=0o700, exist_ok=True)
FILE_UPLOAD_TEMP_DIR = UPLOADS  # the system's may be in memory
MOST_UPLOAD_MB = environment.count("TOUCHSTONE_MAX_UPLOAD_MB", most=100_000, least=1, default=512)
# How much one person's uploads may take together until they are imported.
MOST_KEPT_UPLOADS_MB = environment.count(
    "TOUCHSTONE_MAX_KEPT_UPLOADS_MB", most=1_000_000, least=1, default=4 * MOST_UPLOAD_MB
)

# The models that a requester may choose on a page beside the one that comes with Touchstone. Any name would
# show which folders the server has, or fetch any model of the hub.
SIMILARITY_MODELS = environment.models("TOUCHSTONE_MODELS")

# Whoever sends it can read /metrics/. Without it nobody can.
METRICS_TOKEN = environment.token("TOUCHSTONE_METRICS_TOKEN")

LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "home"
CSRF_FAILURE_VIEW = "pages.errors.form_expired"

# Cookies go over HTTPS only, unless nobody but this machine can reach the server.
LOOPBACK = {"127.0.0.1", "localhost", "[::1]"}
SESSION_ENGINE = "performance.sessions"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = environment.flag(
    "TOUCHSTONE_SECURE_COOKIES", default=not DEBUG and not set(ALLOWED_HOSTS) <= LOOPBACK
)
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
# Where cookies are sent over HTTPS only, browsers are told to use nothing else, and requests over plain HTTP are
# redirected. Only a proxy says how a request came, so without one there is no redirect. A balancer may ask
# /health/ over plain HTTP, and Prometheus /metrics/.
SECURE_SSL_REDIRECT = environment.flag(
    "TOUCHSTONE_HTTPS_REDIRECT", default=SESSION_COOKIE_SECURE and N_PROXIES > 0
)
SECURE_REDIRECT_EXEMPT = [r"^health/", r"^metrics/"]
SECURE_HSTS_SECONDS = environment.count(
    "TOUCHSTONE_HSTS_SECONDS", most=10**9, default=YEAR if SESSION_COOKIE_SECURE else 0
)
# Whether other hosts of the domain have HTTPS is not Touchstone's to say.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
# Everything comes from this host, nothing is inline, and nobody frames a page.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"

# Requests have their line at INFO, which says who worked when: nobody needs that all the time.
LOG_LEVEL = environment.level("TOUCHSTONE_LOG_LEVEL", "WARNING")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "config.log_lines.TextLines"},
        "json": {"()": "config.log_lines.JsonLines"},
    },
    "filters": {"context": {"()": "config.log_lines.Context"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": environment.choice("TOUCHSTONE_LOG_FORMAT", "line", "json"),
            "filters": ["context"],
        }
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    # That requests wait for a thread is how many people at a time look like, and no complaint.
    # Django's own handlers, as there are with debug pages, would write lines past the formatter.
    "loggers": {"waitress.queue": {"level": "ERROR"}, "django": {"handlers": []}},
}
