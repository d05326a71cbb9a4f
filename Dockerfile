# The site's image: web server, worker, beat, backups. Pinned by exact tag; docs/self-hosting.md describes how to
# pin by digest, which is known only after pulling.
ARG PYTHON_IMAGE=python:3.13.18-slim-bookworm

FROM ${PYTHON_IMAGE} AS packages
WORKDIR /app
COPY requirements-telemetry.txt ./
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements-telemetry.txt

FROM packages AS static
COPY . .
RUN SLOGDB_DEBUG=1 DATABASE_URL=postgresql://none REDIS_URL=redis://none SLOGDB_STATIC_ROOT=/srv/static \
    /opt/venv/bin/python manage.py collectstatic --noinput

FROM ${PYTHON_IMAGE}
ENV PATH=/opt/venv/bin:$PATH \
    MALLOC_ARENA_MAX=2 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    SLOGDB_STATIC_ROOT=/srv/static
RUN apt-get update \
    && apt-get install --yes --no-install-recommends curl \
    && rm -rf /var/lib/apt/lists/*
RUN groupadd --gid 10001 slogdb \
    && useradd --uid 10001 --gid slogdb --no-create-home --shell /usr/sbin/nologin slogdb \
    && install -d -o slogdb -g slogdb /data/exports /data/mail /data/static /data/status \
    && install -d -o slogdb -g slogdb -m 700 /data/backups
WORKDIR /app
COPY --from=packages /opt/venv /opt/venv
COPY --from=static /srv/static /srv/static
COPY manage.py LICENSE ./
COPY parsers parsers
COPY results results
COPY slogdb slogdb
COPY static static
COPY templates templates
RUN python -m compileall -q parsers results slogdb
# From git, which isn't in the image: docs/self-hosting.md, "Upgrade".
ARG SLOGDB_VERSION=
ENV SLOGDB_VERSION=${SLOGDB_VERSION}
LABEL org.opencontainers.image.version=${SLOGDB_VERSION}
USER 10001:10001
EXPOSE 8000
CMD ["python", "-m", "slogdb.granian", "--interface", "wsgi", "--host", "0.0.0.0", "--port", "8000", \
     "--workers", "2", "--blocking-threads", "1", "--backpressure", "128", "--no-ws", \
     "--respawn-failed-workers", "--log-level", "warning", "--log-config", "slogdb/local/granian_log.json", \
     "slogdb.wsgi:application"]
