"""Many schema changes as one operation, for squashed migrations."""

from typing import Any

from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class AtOnce(Operation):
    """Operations that don't depend on each other's model states: each sees only those before and after all of them.

    Otherwise Django renders the models again for each operation, which takes most of the time of migrating.
    """

    reversible = False

    def __init__(self, operations: list[Operation]) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)  # rendered again when a model is needed
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return f"{len(self.operations)} changes at once"
