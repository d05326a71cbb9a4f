"""What the accounts library says of faults, in the words of this site; its forms' labels are in account_forms.py."""

ACCOUNT_FAULTS = {
    "account_inactive": "This account is closed.",
    "cannot_remove_primary_email": "An account has one address at least.",
    "duplicate_email": "That is your address already.",
    "email_password_mismatch": "No account has this address with this password.",
    "email_taken": "Another account has this address.",
    "enter_current_password": "Type the password that you have now.",
    "incorrect_code": "That is not the code.",
    "incorrect_password": "That is not the password.",
    "invalid_or_expired_key": "That no longer works: ask for another one.",
    "invalid_login": "No account has this address with this password.",
    "invalid_password_reset": "This link no longer works: ask for another one.",
    "too_many_login_attempts": "Too many failed attempts. Wait some minutes, then try again.",
    "unknown_email": "No account has this address.",
    "unverified_primary_email": "Confirm your address first.",
    "same_as_current": "That is what it is already.",
    "rate_limited": "That was too often. Wait a little, then try again.",
}
REAUTHENTICATION = {
    "reauthenticate": "Use the password",
    "mfa_reauthenticate": "Use a code",
    "mfa_reauthenticate:webauthn": "Use a key",
}
SECOND_FACTOR_FAULTS = {
    "add_email_blocked": "While a second factor is set up, no address is added.",
    "cannot_delete_authenticator": "The last second factor has to stay.",
    "cannot_generate_recovery_codes": "Recovery codes need an app or a key first.",
    "incorrect_code": "That is not the code.",
    "unverified_email": "Confirm your address first.",
}
