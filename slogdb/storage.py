"""Static files under names that hold a hash of their content, imports between JS modules included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticStorage(CompressedManifestStaticFilesStorage):
    """Django leaves the imports inside JS modules alone unless told otherwise."""

    support_js_module_import_aggregation = True
