"""What slogdb.settings says of accounts, second factors and forum accounts, wherever the site runs."""

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
AUTH_PASSWORD_VALIDATORS.append({"NAME": "results.web.passwords.SiteWordsValidator", "OPTIONS": {}})
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "account"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "results.web.account_adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_EMAIL_SUBJECT_PREFIX = "slogdb: "
_ACCOUNT = ("login", "signup", "reauthenticate", "confirm_email_verification_code")
_PASSWORD = ("reset_password", "reset_password_from_key", "change_password", "set_password")
_SECOND_FACTOR = ("authenticate", "reauthenticate", "activate_totp", "add_webauthn")
_KEY = ("authenticate_webauthn", "reauthenticate_webauthn", "login_webauthn")


def _forms(module: str, *names: str) -> dict[str, str]:
    return {name: f"results.web.{module}.{name.title().replace('_', '')}Form" for name in names}


ACCOUNT_FORMS = _forms("account_forms", *_ACCOUNT, *_PASSWORD)
SOCIALACCOUNT_FORMS = {"signup": "results.web.account_forms.SocialSignupForm"}
MFA_FORMS = _forms("mfa_forms", *_SECOND_FACTOR, *_KEY)
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 600
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
MFA_ADAPTER = "results.web.mfa_adapter.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "slogdb"
MFA_TOTP_TOLERANCE = 1  # the code before or after holds, too: clocks differ, and people are slow
MODERATORS_NEED_SECOND_FACTOR = True
USERSESSIONS_TRACK_ACTIVITY = True
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False  # an address that a forum tells proves nothing here
