#!/bin/sh
# Start Valkey with one user, slogdb, who can do what the site does with its own keys and nothing else:
# start.sh OPTIONS… in the queue's container. The password is in VALKEY_PASSWORD, and in no command line.
set -eu
: "${VALKEY_PASSWORD:?is not set}"
prefix=${SLOGDB_REDIS_PREFIX:-slogdb:}
digest=$(printf %s "$VALKEY_PASSWORD" | sha256sum | cut -d ' ' -f 1)
umask 077
# Reading and writing these keys, scripts and transactions, and the workers' channel, which must be named in full to be
# subscribed to. What lists or removes all keys, loads functions, configures or administers stays forbidden.
cat >/tmp/users.acl <<END
user default reset off
user slogdb reset on #$digest ~$prefix* &$prefix* &$prefix/0.celery.pidbox -@all +@read +@write +@connection +@transaction +@pubsub +eval +evalsha +script|load +script|exists +time -@dangerous -@admin -function -scan -randomkey -dbsize -pubsub
END
exec valkey-server --aclfile /tmp/users.acl "$@"
