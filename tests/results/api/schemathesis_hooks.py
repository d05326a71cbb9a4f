"""Lists share parameters, which the same code reads: the coverage phase sends one value of each kind in each."""

from collections import Counter

import schemathesis
from schemathesis import Case, HookContext
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoveragePhaseData

_SENT: Counter[tuple[object, ...]] = Counter()


@schemathesis.hook
def filter_case(_: HookContext, case: Case) -> bool:
    data = case.meta.phase.data if case.meta else None
    if not isinstance(data, CoveragePhaseData):
        return True
    kind, most = _tried(case, data)
    _SENT[kind] += 1
    return _SENT[kind] <= most


def _tried(case: Case, data: CoveragePhaseData) -> tuple[tuple[object, ...], int]:
    """What the case tries, and how many that try the same are enough."""
    if str(data.scenario) == "unspecified_http_method":
        return (case.method,), 2  # all at each address: tests/security/test_permissions_api.py
    # Of one parameter twice, once with its name in front; of one that is sent alone it has the name, too.
    description = data.description.removeprefix(f"{data.parameter}: ")
    if data.parameter == "fields":  # which there are differs
        return (case.operation.label, "fields", description), 1
    if data.parameter_location == ParameterLocation.QUERY or "'" in description:
        return (data.parameter, description), 1
    return (case.operation.label, data.parameter, description), 2
