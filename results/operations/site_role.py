"""The database role of web servers and workers: it reads and writes rows, and changes no tables, roles or databases.

The tables belong to another role, the owner, by which migrations, backups and restores connect.
"""

from contextlib import suppress
from typing import Any

import psycopg
from django.conf import settings
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from results.operations.postgres_tools import parameters

_STANDING = """
    SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls FROM pg_roles WHERE rolname = %s
"""
_MAKES_ROLES = "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
_IS_MEMBER = "SELECT pg_has_role(%s, 'USAGE')"
NO_RESTORE = "A restore can't end its sessions until a superuser runs: GRANT {role} TO {owner}"
_GRANTS = (
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT CONNECT, TEMPORARY ON DATABASE {database} TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
    "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role}",
    "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {role}",
    "REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {role}",
    "REVOKE UPDATE, DELETE ON results_erasure FROM {role}",
)


class SiteRoleError(Exception):
    """The role can't be used; the message says why, and what to do."""


def grant_site_access() -> str:
    """Create the role of DATABASE_SITE_URL if it's missing, set its password, and grant what the site needs.

    Run as the owner. Returns what was done, in a sentence. Idempotent. Raises SiteRoleError and psycopg.Error.
    """
    site = conninfo_to_dict(settings.DATABASE_SITE_URL)
    role = str(site.get("user") or "")
    with psycopg.connect(**parameters()) as server:
        if role in {"", server.info.user}:
            return "The site connects as the owner of its tables, so there is no role to grant access to."
        _prepare_role(server, role, str(site.get("password") or ""))
        names = {"role": sql.Identifier(role), "database": sql.Identifier(server.info.dbname)}
        for grant in _GRANTS:
            server.execute(sql.SQL(grant).format(**names))
        done = f"The role {role} can read and write the site's rows, and nothing else."
        return done + (
            "" if _join(server, role) else " " + NO_RESTORE.format(role=role, owner=server.info.user)
        )


def _join(server: psycopg.Connection[Any], role: str) -> bool:
    """Make the owner a member of the site's role if it isn't yet: only members may end a role's sessions.

    Return whether it is one now. A superuser counts as a member of every role.
    """
    with suppress(psycopg.errors.InsufficientPrivilege), server.transaction():
        if not _is_member(server, role):
            server.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(role)))
    return _is_member(server, role)


def _is_member(server: psycopg.Connection[Any], role: str) -> bool:
    return bool((server.execute(_IS_MEMBER, [role]).fetchone() or [False])[0])


def _prepare_role(server: psycopg.Connection[Any], role: str, password: str) -> None:
    found = server.execute(_STANDING, [role]).fetchone()
    makes_roles = (server.execute(_MAKES_ROLES).fetchone() or [False])[0]
    if found is not None and found[0]:
        raise SiteRoleError(
            f"The role {role} can do more than the site needs. Use another one, or run: ALTER ROLE {role} "
            "NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS"
        )
    if found is None and not makes_roles:
        raise SiteRoleError(
            f"The owner can't create roles. Run as a superuser: CREATE ROLE {role} LOGIN PASSWORD '…'"
        )
    if found is None:
        server.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
    if password and makes_roles:
        # Encrypted here, so that the password is in no log of the server.
        digest = server.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
        server.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(role), digest))
