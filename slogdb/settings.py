"""Django's settings: fixed here, or read from the environment by slogdb.env."""

import logging
from pathlib import Path
from urllib.parse import urlsplit

from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.utils.functional import SimpleLazyObject

from slogdb import __version__, env
from slogdb.local.postgres import POSTGRES_BIN as POSTGRES_BIN  # also where backups find pg_dump
from slogdb.logging import FORMATS, logging_settings
from slogdb.version import version

env.load_local_environment()

BASE_DIR = env.ROOT
DEBUG = env.flag("SLOGDB_DEBUG")
SECRET_KEY = env.secret("SLOGDB_SECRET_KEY", is_debug=DEBUG)
SECRET_KEY_FALLBACKS = env.words("SLOGDB_SECRET_KEY_FALLBACKS")  # previous keys, while still needed
UNIT_KEY = env.secret("SLOGDB_UNIT_KEY", is_debug=DEBUG)  # keys the digests of serial numbers and networks
IS_DEMO = env.flag("SLOGDB_DEMO")

SITE_URL = env.text("SLOGDB_SITE_URL", "http://127.0.0.1:8000").rstrip("/")
VERSION = __version__
FULL_VERSION = SimpleLazyObject(version)  # with the commits since; asks git
BUILD = env.build_id(SITE_URL, str(IS_DEMO))  # part of every ETag: changes with code and templates
IS_HTTPS = urlsplit(SITE_URL).scheme == "https"
ALLOWED_HOSTS = env.words("SLOGDB_ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = [SITE_URL]
TRUSTED_PROXY_COUNT = env.number("SLOGDB_TRUSTED_PROXIES", 0)

INSTALLED_APPS = [
    "results.apps.GuardedAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "csp",
    "django_structlog",
    "django_filters",
    "drf_spectacular",
    "results.apps.ResultsConfig",
    "slogdb.apps.SlogdbConfig",
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "slogdb.logging.RequestLog",
    # Before all middleware that may refuse a request, so that every response has the security headers.
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "results.core.middleware.EncodingMiddleware",
    "results.core.middleware.RefusalLogMiddleware",
    "results.core.middleware.PrivatePagesMiddleware",
    "results.api.middleware.ApiMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "results.operations.metrics.MetricsMiddleware",
    "results.core.middleware.BodyLimitMiddleware",
    "results.core.middleware.FailureMiddleware",
    "results.operations.read_only.ReadOnlyMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "results.core.middleware.ReadsMiddleware",
    "results.core.middleware.SessionsMiddleware",
    "results.core.middleware.LargeBodyMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

ROOT_URLCONF = "slogdb.urls"
WSGI_APPLICATION = "slogdb.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "results.core.pages.site",
            ],
        },
    },
]

# Data

DATABASES = env.databases()
SLOW_STATEMENT_S = 1.0  # longer ones are logged and counted
DATABASE_SITE_URL = env.text("DATABASE_SITE_URL")  # for the owner: by what web servers and workers connect
DATABASE_ROUTERS = ["results.core.public.ReplicaRouter"] if env.REPLICA in DATABASES else []
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = env.required("REDIS_URL")
REDIS_PREFIX = env.text("SLOGDB_REDIS_PREFIX", "slogdb:")

# Counts attempts to sign in, here so that all processes share the counts and Redis may be unavailable.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "results_cache",
        "KEY_FUNCTION": "results.core.security.digests.digest_cache_key",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
    # Page data that takes long to compute, by data version, in each process.
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "TIMEOUT": None,
        "OPTIONS": {"MAX_ENTRIES": 1000},
    },
}

# Queue: only an optimization, so no request waits long for an unavailable broker. Workers do (slogdb.celery).

CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 600,
    "socket_timeout": 0.2,
    "socket_connect_timeout": 0.2,
    "max_retries": 0,  # of connecting, when a task is sent
    "global_keyprefix": REDIS_PREFIX,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CHANNEL_ERROR_RETRY = True  # Redis takes no writes while its disk is full
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 130_000  # KiB: a new process, before any task, has 100_000
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "slogdb.scheduler:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "results.tasks.sweep", "schedule": 5.0, "options": {"expires": 5.0}},
    "export": {"task": "results.exports.build.export", "schedule": crontab(hour="3", minute="17")},
    "forget expired": {
        "task": "results.accounts.expiry.forget_expired",
        "schedule": crontab(hour="4", minute="7"),
    },
    "copy erasures": {
        "task": "results.operations.erasures.copy_erasures",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "begin day": {"task": "results.tasks.begin_day", "schedule": crontab(hour="0", minute="0")},
    "forget answers": {
        "task": "results.api.idempotency.forget_answers",
        "schedule": 3600.0,
        "options": {"expires": 3600.0},
    },
}

# Members, second factors and forum accounts

AUTH_USER_MODEL = "results.Member"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [f"django.contrib.auth.hashers.{name}PasswordHasher" for name in ("Argon2", "PBKDF2")]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in {
        "UserAttributeSimilarityValidator": {"user_attributes": ("email", "display_name")},
        "MinimumLengthValidator": {"min_length": 12},
        "CommonPasswordValidator": {},
    }.items()
]
AUTH_PASSWORD_VALIDATORS.append({"NAME": "results.accounts.sign_in.SiteWordsValidator", "OPTIONS": {}})
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "account"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "results.accounts.sign_in.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_EMAIL_SUBJECT_PREFIX = "slogdb: "
_ACCOUNT = ("login", "signup", "reauthenticate", "confirm_email_verification_code")
_PASSWORD = ("reset_password", "reset_password_from_key", "change_password", "set_password")
_SECOND_FACTOR = ("authenticate", "reauthenticate", "activate_totp", "add_webauthn")
_KEY = ("authenticate_webauthn", "reauthenticate_webauthn", "login_webauthn")


def _forms(module: str, *names: str) -> dict[str, str]:
    return {name: f"results.accounts.{module}.{name.title().replace('_', '')}Form" for name in names}


ACCOUNT_FORMS = _forms("sign_in", *_ACCOUNT, *_PASSWORD)
SOCIALACCOUNT_FORMS = {"signup": "results.accounts.sign_in.SocialSignupForm"}
MFA_FORMS = _forms("mfa", *_SECOND_FACTOR, *_KEY)
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 600
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_PREVENT_ENUMERATION = True
PASSWORD_RESET_TIMEOUT = 3600
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
MFA_ADAPTER = "results.accounts.mfa.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "slogdb"
MFA_TOTP_TOLERANCE = 1  # the previous and the next code are valid, too: clocks differ, and people are slow
MODERATORS_NEED_SECOND_FACTOR = True
USERSESSIONS_TRACK_ACTIVITY = True
SOCIALACCOUNT_ADAPTER = "results.accounts.sign_in.SocialAccountAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False  # an address that a forum states proves nothing here
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if IS_HTTPS else "http"
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXY_COUNT
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not IS_HTTPS
_OPENID = {"APPS": env.openid_providers("SLOGDB_OPENID_PROVIDERS"), "OAUTH_PKCE_ENABLED": True}
SOCIALACCOUNT_PROVIDERS = {"openid_connect": _OPENID}

# Mail: any SMTP server, or files in var/mail if none is configured.

EMAIL_HOST = env.text("SLOGDB_SMTP_HOST")
EMAIL_PORT = env.number("SLOGDB_SMTP_PORT", 587)
EMAIL_HOST_USER = env.text("SLOGDB_SMTP_USER")
EMAIL_HOST_PASSWORD = env.text("SLOGDB_SMTP_PASSWORD")
EMAIL_USE_TLS = EMAIL_PORT != 465 and env.flag("SLOGDB_SMTP_TLS", default=True)
EMAIL_USE_SSL = EMAIL_PORT == 465
EMAIL_TIMEOUT = 10
EMAIL_FILE_PATH = env.text("SLOGDB_MAIL_FOLDER", str(BASE_DIR / "var" / "mail"))
EMAIL_BACKEND = f"{'results.core.mail' if EMAIL_HOST else 'django.core.mail.backends.filebased'}.EmailBackend"
DEFAULT_FROM_EMAIL = env.text("SLOGDB_MAIL_FROM", "slogdb@localhost")
SECURITY_CONTACTS = env.contacts("SLOGDB_SECURITY_CONTACT", DEFAULT_FROM_EMAIL)

# Static files

STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("SLOGDB_STATIC_ROOT", str(BASE_DIR / "var" / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": env.text("SLOGDB_STATIC_STORAGE", "slogdb.storage.HashedStaticStorage")},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True  # no page refers to the others, and compressing takes seconds

# Public downloads, on a disk that web servers and workers share

EXPORT_FOLDER = env.text("SLOGDB_EXPORT_FOLDER", str(BASE_DIR / "var" / "exports"))

# User input

# Seconds for reading one text in a web process (results.core.reader); 0, for workers and commands, is no deadline.
READ_DEADLINE_S: float = env.number("SLOGDB_READ_DEADLINE", 0)
# Seconds for reading one text of a bulk import.
READ_TIME_LIMIT_S = env.number("SLOGDB_READ_TIME_LIMIT", 60)
PASTE_LIMIT_BYTES = 4 * 1024 * 1024  # of a log; what isn't samples is limited by parsers.text.decode
DATA_UPLOAD_MAX_MEMORY_SIZE = 3 * PASTE_LIMIT_BYTES  # a form encodes one byte as up to three
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]  # no unmasked text on disk
FILE_UPLOAD_MAX_MEMORY_SIZE = DATA_UPLOAD_MAX_MEMORY_SIZE
DATA_UPLOAD_MAX_NUMBER_FILES = 20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000  # the preview asks for as many answers as fit
# Of this machine, which share its turns (results.core.turns)
WEB_PROCESSES = env.number("GRANIAN_WORKERS", 2)
TURN_REST = 1.0  # for which a turn is held after it ends, times as long as it took

# Limits per sender: requests at once, and seconds until as many again. Page cache hits don't count. The rates of
# reads are below what two processes render (docs/security.md has the arithmetic). A write costs 1 for each 128 KiB
# that it begins (results.core.security.rate_limits).

RATE_LIMITS = {
    "anonymous-read": env.allowance("SLOGDB_LIMIT_ANONYMOUS_READ", "60/30"),
    "anonymous-write": env.allowance("SLOGDB_LIMIT_ANONYMOUS_WRITE", "300/3600"),
    "anonymous-download": env.allowance("SLOGDB_LIMIT_ANONYMOUS_DOWNLOAD", "20/3600"),
    "member-read": env.allowance("SLOGDB_LIMIT_MEMBER_READ", "120/40"),
    "member-write": env.allowance("SLOGDB_LIMIT_MEMBER_WRITE", "3000/3600"),
    "member-download": env.allowance("SLOGDB_LIMIT_MEMBER_DOWNLOAD", "100/3600"),
}

# Whether first results wait for a moderator, or count in the meantime.
HOLD_FIRST_RESULTS = env.flag("SLOGDB_HOLD_FIRST_RESULTS")

# Security

SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXY_COUNT else None
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS
SECURE_HSTS_PRELOAD = IS_HTTPS and env.flag("SLOGDB_HSTS_PRELOAD")
# Removal from browsers' HSTS preload lists is slow, so preloading is opt-in.
SILENCED_SYSTEM_CHECKS = ["security.W021"]
# The API refuses plain HTTP: a redirected program would continue to send its key in the clear.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$", r"^api/"]
SECURE_REFERRER_POLICY = "same-origin"
COOKIE_PREFIX = "__Host-" if IS_HTTPS else ""  # restricts them to https and this host, with all its paths
SESSION_ENGINE = "results.core.security.sessions"
SESSION_COOKIE_AGE = 14 * 24 * 3600  # from signing in
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
SESSION_COOKIE_SECURE = IS_HTTPS
KNOWN_BROWSER_COOKIE_NAME = f"{COOKIE_PREFIX}known"
PUBLISHED_COOKIE_NAME = f"{COOKIE_PREFIX}published"  # results.submissions.claim_cookie
MESSAGE_STORAGE = "results.core.message_cookies.MessageCookies"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
CSRF_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "results.core.pages.csrf_failure"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

# Language and time: one language, UTC, fixed date formats.

LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["results.api.renderers.OrjsonRenderer"],
    "DEFAULT_PARSER_CLASSES": ["results.api.renderers.OrjsonParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "results.api.errors.problem_response",
    "UNAUTHENTICATED_USER": None,
}
STREAMED_ROWS = 500  # that a download reads at once
SPECTACULAR_SETTINGS = {
    "TITLE": "slogdb",
    "DESCRIPTION": (
        "Synchronous write latency of storage devices, measured by their owners. `/api/v1/schema/?profile=all` also "
        "describes what most generated clients can’t type: CSV and NDJSON (`format`), and `fields`."
    ),
    "LICENSE": {"name": "CC0 1.0 Universal", "identifier": "CC0-1.0"},
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "results.api.schema.complete"],
    "ENUM_NAME_OVERRIDES": {
        "CaveatKindEnum": "results.models.choices.CaveatKind",
        "ClaimQuantityEnum": "results.models.choices.ClaimQuantity",
        "FoundTypeEnum": "results.api.records.FOUND_TYPES",
        "MethodEnum": "results.models.choices.Method",
        "PlpEnum": "results.models.choices.Plp",
        "PlpEvidenceEnum": "results.models.choices.PlpEvidence",
        "PriceConditionEnum": "results.models.choices.PriceCondition",
        "ProductFlagEnum": "results.models.choices.ProductFlag",
        "ReportReasonEnum": "results.models.choices.ReportReason",
        "ResultKindEnum": "results.kinds.registry.KIND_CHOICES",
        "ResultMethodEnum": "results.kinds.registry.METHOD_CHOICES",
        "ScopeEnum": "results.models.choices.Scope",
        "SubmissionStateEnum": "results.models.choices.State",
    },
}

# Logs and telemetry

LOG_FORMAT = env.choice("SLOGDB_LOG_FORMAT", FORMATS, default="line" if DEBUG else "json")
LOG_LEVEL = env.text("SLOGDB_LOG_LEVEL", "INFO")
LOGGING = logging_settings(
    is_json=LOG_FORMAT == "json", level=LOG_LEVEL, logs_requests=env.flag("SLOGDB_ACCESS_LOG", default=True)
)
DJANGO_STRUCTLOG_CELERY_ENABLED = True
DJANGO_STRUCTLOG_CELERY_TASK_START_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_USER_ID_FIELD = None
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = TRUSTED_PROXY_COUNT > 0
PROMETHEUS_LATENCY_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, float("inf"))
METRICS_TOKEN = env.text("SLOGDB_METRICS_TOKEN")
METRICS_NETWORKS = env.networks("SLOGDB_METRICS_NETWORKS", "127.0.0.0/8,::1/128")
BACKUP_FOLDER = env.text("SLOGDB_BACKUP_FOLDER", str(BASE_DIR / "var" / "backups"))
# host:port to read the TLS certificate from, to know when it expires; "" for none.
CERTIFICATE_FROM = env.address("SLOGDB_CERTIFICATE_FROM")
# What the newest backup is, where web processes can read it, if they can't read the backups themselves.
BACKUP_STATUS = env.text("SLOGDB_BACKUP_STATUS")
