"""The operations of iozone in the order of its table, as parsers.iozone names them (iozone.c)."""

OPERATIONS = {
    "write": "Write",
    "rewrite": "Rewrite",
    "read": "Read",
    "reread": "Reread",
    "random_read": "Random read",
    "random_write": "Random write",
    "bkwd_read": "Backward read",
    "record_rewrite": "Record rewrite",
    "stride_read": "Stride read",
    "fwrite": "fwrite",
    "frewrite": "frewrite",
    "fread": "fread",
    "freread": "freread",
}
# As a verb of a layout: "A 3-way mirror reads 1.5× as fast as a 2-way mirror"
VERBS = {
    "write": "writes",
    "rewrite": "rewrites",
    "read": "reads",
    "reread": "rereads",
    "random_read": "reads at random places",
    "random_write": "writes at random places",
    "bkwd_read": "reads backward",
    "record_rewrite": "rewrites one record",
    "stride_read": "reads in strides",
    "fwrite": "writes with fwrite",
    "frewrite": "rewrites with fwrite",
    "fread": "reads with fread",
    "freread": "rereads with fread",
}
READS = frozenset({"read", "reread", "random_read", "bkwd_read", "stride_read", "fread", "freread"})
WRITES = frozenset(OPERATIONS) - READS
