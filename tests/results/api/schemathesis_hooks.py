"""Lists share parameters, which the same code reads: the coverage phase sends each value of one only once."""

import schemathesis
from schemathesis import Case, HookContext
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoveragePhaseData

_SENT: set[tuple[str, str, str]] = set()


@schemathesis.hook
def filter_case(_: HookContext, case: Case) -> bool:
    data = case.meta.phase.data if case.meta else None
    if not isinstance(data, CoveragePhaseData) or not data.parameter:
        return True
    if data.parameter_location != ParameterLocation.QUERY:
        return True
    # which fields there are differs, and their number is large: one of each list
    value = case.operation.label if data.parameter == "fields" else repr(case.query.get(data.parameter))
    sent = (data.parameter, str(data.scenario), value)
    is_new = sent not in _SENT
    _SENT.add(sent)
    return is_new
