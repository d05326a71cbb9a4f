"""The OpenAPI document: what drf-spectacular finds out, what every endpoint does besides, and what fields mean."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from results.api.authentication import MayRead, MaySubmit
from results.api.errors import PROBLEM_TYPE
from results.api.filters import MOST_NAMES
from results.api.idempotency import HEADER, LONGEST_KEY
from results.api.serializers import FIELDS, field_names
from results.core.limits import QUERY_LIMIT
from results.kinds.latency_curve.metrics import CONFIDENCE_PERCENT

Node = dict[str, Any]
IDEMPOTENCY_KEY = OpenApiParameter(
    HEADER,
    {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[ -~]+$"},
    OpenApiParameter.HEADER,
    description="drawn by the client: the same request can be sent again under it for a day, and is done once",
)
PROBLEM = {"$ref": "#/components/schemas/Problem"}
SPARSE = "Part"  # what a record is called of which a client asked for some fields only
_EVERYWHERE = {
    "400": "Something in the request is not known or makes no sense; `errors` names it.",
    "401": "The key is unknown, revoked or has expired.",
    "403": "The key is not for this, or its owner is banned.",
    "429": "Too much at once; `Retry-After` says when to go on.",
    "503": "The database is away, or the site is busy; `Retry-After` says when to try again.",
}
_WITH_A_NAME = {"404": "There is no such thing.", "410": "It was taken away; `code` says by whom."}
_FINDS = ("/claims/", "/compare/", "/compare/results/")  # may answer 404 for the values sent
_CONFLICTS = ("withdraw_submission", "restore_submission", "report_result")
_OF_CONFLICTS = {"409": "It can't be done with the thing as it is, or not by you; `detail` says why."}
_WITH_A_BODY = {
    "411": "The body comes without `Content-Length`.",
    "413": "More than 512 KiB of text; `code` is `too_long`.",
    "415": "The body's content type is not one of those named here, or it was packed.",
    "422": "It can't be done as it is; `notices` say why.",
}
_TEXT = r"^[^\x00]*$"
_LIMITS = {
    "q": {"maxLength": QUERY_LIMIT},
    **{name: {"maxItems": MOST_NAMES} for name in ("id", "device", "firmware")},
}
_OF_READS = {
    "ETag": "send it back as `If-None-Match`",
    "Last-Modified": "when something on the site changed last",
}
_OF_SUBMISSIONS = {
    "Location": "the address of the result in the API, or of the submission where there is none"
}
_OF_REFUSALS = {"Retry-After": "seconds"}
_OF_LISTS = {"Link": "the pages before and after, of a page as CSV or NDJSON"}
_HEADERS = {"429": _OF_REFUSALS, "503": _OF_REFUSALS}


_RESULT_ID = ("result", "describe_result", "report_result")
_SUBMISSION_ID = ("submission", "withdraw_submission", "restore_submission")
_SLUG = ("device", "device_firmware")
_LINKS: Mapping[str, Sequence[tuple[str, str, Sequence[str]]]] = {
    # By operation: a field of its answer (in a list, of the first row), and the parameter that it is for others
    "submit": [("id", "public_id", _SUBMISSION_ID), ("results/0/id", "public_id", _RESULT_ID)],
    "submission": [("results/0/id", "public_id", _RESULT_ID)],
    "claim_submission": [("id", "public_id", _SUBMISSION_ID), ("results/0/id", "public_id", _RESULT_ID)],
    "withdraw_submission": [("id", "public_id", ["restore_submission"])],
    "restore_submission": [("id", "public_id", ["withdraw_submission"])],
    "me_submissions_list": [("results/0/id", "public_id", _SUBMISSION_ID)],
    "results_list": [("results/0/id", "public_id", _RESULT_ID), ("results/0/device", "slug", _SLUG)],
    "result": [("id", "public_id", ["describe_result", "report_result"]), ("device", "slug", _SLUG)],
    "devices_list": [
        ("results/0/slug", "slug", _SLUG),
        ("results/0/slug", "device", ["results_list"]),
        ("results/0/vendor", "vendor", ["leaderboard"]),
    ],
    "device": [
        ("slug", "slug", ["device_firmware"]),
        ("slug", "device", ["results_list"]),
        ("product", "slug", ["product"]),
    ],
    "leaderboard": [
        ("results/0/device/slug", "slug", _SLUG),
        ("results/0/device/slug", "device", ["results_list"]),
    ],
    "products_list": [("results/0/slug", "slug", ["product"])],
    "product": [("devices/0", "slug", _SLUG)],
    "classes_list": [("results/0/device_class", "class", ["leaderboard", "devices_list", "results_list"])],
}


class EndpointSchema(AutoSchema):
    """Adds `fields` where an endpoint can leave fields out, and that a key may be missing where it may."""

    def get_auth(self) -> list[dict[str, list[str]]]:
        found: list[dict[str, list[str]]] = super().get_auth()
        is_needed = any(type(one) in {MayRead, MaySubmit} for one in self.view.get_permissions())
        return found if is_needed or {} in found else [*found, {}]

    def get_override_parameters(self) -> list[Any]:
        record = getattr(self.view, "record", None)
        if self.method != "GET" or record is None:
            return []
        return [
            OpenApiParameter(
                FIELDS,
                {"type": "array", "items": {"type": "string", "enum": list(field_names(record))}},
                explode=False,
                style="form",
                description="only these fields of a record, with commas",
            )
        ]


def complete(result: Node, **_: Any) -> Node:
    """drf-spectacular's hook: the errors of every operation, records in part, bodies without anything beside them."""
    schemas = result["components"]["schemas"]
    describe_fields(schemas)
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            has_name = "{" in path or path.endswith(_FINDS) or _has_parameter(operation, "page_size")
            _add_problems(operation, has_name=has_name)
            _complete_parameters(operation)
            _add_links(operation)
            _write_tables_as_text(operation)
            told = dict(_HEADERS)
            if method == "get":
                _add_parts(operation, schemas)
                operation["responses"]["304"] = {
                    "description": "Not changed since the answer with this `ETag`."
                }
                told["200"] = _OF_READS | (_OF_LISTS if _has_parameter(operation, "page_size") else {})
            if operation["operationId"] == "submit":
                told |= dict.fromkeys(("200", "201", "202"), _OF_SUBMISSIONS)
            _add_headers(operation, told)
    for name, schema in schemas.items():
        if name.endswith(("Request", "Upload", "Patch", "Told")) and "properties" in schema:
            schema["additionalProperties"] = False
            _refuse_nul(schema["properties"].values())
    return result


def _write_tables_as_text(operation: Node) -> None:
    """The schema of a list is that of its JSON."""
    for kind, content in operation["responses"].get("200", {}).get("content", {}).items():
        if kind != "application/json":
            content["schema"] = {"type": "string"}


def _complete_parameters(operation: Node) -> None:
    """Limits; and a choice that is sent empty, as forms and spreadsheets do, is one left out."""
    for parameter in operation.get("parameters", []):
        if parameter["in"] != "query":
            continue
        parameter["schema"] |= _LIMITS.get(parameter["name"], {})
        value = parameter["schema"].get("items", parameter["schema"])
        if "enum" in value:
            value["enum"] += [] if "" in value["enum"] else [""]
        else:
            _refuse_nul([value])


def _refuse_nul(values: Iterable[Node]) -> None:
    """Texts have no NUL character, which PostgreSQL can't store."""
    for value in values:
        if value.get("type") == "string" and "format" not in value:
            value.setdefault("pattern", _TEXT)


def _add_links(operation: Node) -> None:
    """What can be done next with what a successful answer names."""
    links = {
        other: {"operationId": other, "parameters": {parameter: f"$response.body#/{field}"}}
        for field, parameter, others in _LINKS.get(operation["operationId"], ())
        for other in others
    }
    for status, response in operation["responses"].items():
        if links and status in {"200", "201"}:
            response["links"] = links


def _add_problems(operation: Node, *, has_name: bool) -> None:
    problems = {
        **_EVERYWHERE,
        **(_WITH_A_NAME if has_name else {}),
        **(_WITH_A_BODY if "requestBody" in operation else {}),
        **(_OF_CONFLICTS if operation["operationId"] in _CONFLICTS else {}),
    }
    for status, description in problems.items():
        operation["responses"].setdefault(status, {"description": description})
    for status, response in operation["responses"].items():
        if status >= "400":
            response["content"] = {PROBLEM_TYPE: {"schema": PROBLEM}}
    operation["responses"] = dict(sorted(operation["responses"].items()))


def _add_parts(operation: Node, schemas: Node) -> None:
    """Let a record come with fewer fields, where the operation has `fields`."""
    if not _has_parameter(operation, FIELDS):
        return
    answer = operation["responses"]["200"]["content"]["application/json"]
    name = answer["schema"]["$ref"].rpartition("/")[2]
    rows = schemas[name]["properties"].get("results", {})
    is_list = "items" in rows and name.startswith("Paginated")
    record = rows["items"]["$ref"].rpartition("/")[2] if is_list else name
    schemas[f"{record}{SPARSE}"] = {key: value for key, value in schemas[record].items() if key != "required"}
    either = {"anyOf": [{"$ref": f"#/components/schemas/{one}"} for one in (record, f"{record}{SPARSE}")]}
    if is_list:
        rows["items"] = either
    else:
        answer["schema"] = either


def _has_parameter(operation: Node, name: str) -> bool:
    """Whether the operation has a parameter of that name."""
    return any(parameter["name"] == name for parameter in operation.get("parameters", []))


def _add_headers(operation: Node, told: dict[str, dict[str, str]]) -> None:
    for status, headers in told.items():
        operation["responses"][status]["headers"] = {
            name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()
        }


_LIST = {
    "count": "How many records there are on all pages together.",
    "next": "The address of the next page; null on the last.",
    "previous": "The address of the page before; null on the first.",
    "results": "The records of this page.",
}
_FIGURES = {
    "block_size": "The size of one write in bytes.",
    "throughput_mib_s": "The throughput at this block size in MiB/s.",
    "lowest_us": "The lowest latency of a unit at this block size in µs.",
    "highest_us": "The highest latency of a unit at this block size in µs.",
    "low_us": f"The lower end of the {CONFIDENCE_PERCENT} interval in µs.",
    "high_us": f"The upper end of the {CONFIDENCE_PERCENT} interval in µs.",
    "points": "The curve: a point for each block size that was measured.",
    "method": "By what it was measured.",
    "formula_version": "The version of the formula that the row was computed by.",
    "unit_count": "How many independent units were measured: all units from a single sender count as one.",
    "is_recommended": "Whether the site recommends it: protected, with enough results from accountable sources.",
    "recommended_device": "The slug of the best protected choice by diskinfo; null if there is none.",
    "unmeasured_products": "The protected products of the class that have no published result.",
    "evidence_url": "The source of the evidence.",
    "result_count": "How many ranked results it is made of.",
    "device_count": "How many devices the board has.",
    "last_measured_on": "The day of the newest measurement; null where no day is known.",
    "rankings": "Its row of the ranking for each method.",
    "ranking": "Its row of the ranking; null where nothing of it is ranked.",
    "rank": "The place by the upper end of the interval; 1 is the first.",
    "first_possible": "The best place that the intervals leave open.",
    "last_possible": "The worst place that the intervals leave open.",
    "position": "The place in the order that was asked for; 1 is the first.",
    "figures": "The figures, one by one.",
}
_THINGS = {
    "id": "What tells it from all others.",
    "url": "The address of its page for people.",
    "slug": "What stands for it in addresses.",
    "device": "The device that it is of.",
    "devices": "The devices.",
    "products": "The products.",
    "vendor": "The vendor's name; empty where it is not known.",
    "model_name": "The model's name, as the device reports it.",
    "name": "The name of the product.",
    "capacity_bytes": "The capacity in bytes; null where it is not known.",
    "device_class": "What kind of device it is.",
    "firmware_version": "The firmware's version; null where no text says it.",
    "firmware_versions": "The versions of its firmware.",
    "versions": "Its firmware versions, one by one.",
    "version": "The version, as the device reports it.",
    "results_url": "The address of its results in the API.",
    "segment": "For whom it is made.",
    "media": "What it stores on; empty where it is not known.",
    "interface": "What it is attached by; empty where it is not known.",
    "form_factors": "The shapes that it comes in; empty where they are not known.",
    "plp": "Whether it protects what was written when power fails.",
    "plp_statements": "What sources say of its protection.",
    "endurance_dwpd_low": "The lower end of its endurance in drive writes a day; null where it is not known.",
    "endurance_dwpd_high": "The upper end of its endurance in drive writes a day; null where it is not known.",
    "endurance_years": "The years that the endurance is told for; null where it is not known.",
    "endurance_tbw": "How many bytes may be written to each capacity.",
    "endurance_source_url": "The address of what says so; empty without one.",
    "facts": "Product facts, with prices in the requested currency (`price_currency`).",
    "launch_year": "The year in which it was first sold; null where it is not known.",
    "flags": "What speaks against it.",
    "sources": "The addresses of what the catalogue's line is made of.",
    "written_bytes": "How many bytes may be written.",
    "claims": "What makers, reviewers and distributors state, by quantity; never ranked.",
    "prices": "Prices that were seen, the latest first: at most 100.",
    "life_cycle": "What sources say of its launch, end of sale and successor.",
    "caveats": "Known problems, the gravest kind first.",
    "quantity": "What is stated.",
    "is_below": "Whether it is stated as less than the value.",
    "stated_by": "Who states it.",
    "price": "The price that was seen.",
    "seller_kind": "Where it was seen.",
    "end_of_sale": "The end of its sale in words; empty where the source does not say.",
    "kind": "What sort of problem it is.",
    "summary": "What there is to know.",
    "fixed_in_firmware": "The firmware that has a fix; empty where none is known.",
    "value": "What the source says.",
    "evidence": "What kind of source it is.",
    "label": "Its name, for people to read.",
    "boards": "Its boards, one for each method.",
    "classes": "The classes.",
    "bands": "The kinds of devices.",
    "representative": "A device that stands for it; empty where the talk names none.",
    "note": "What the talk says besides; empty for nothing.",
    "source": "What the figures are from.",
    "source_url": "The address where it was published; empty without one.",
}
_SENT = {
    "state": "What became of it.",
    "state_reason": "Why, where somebody decided; else empty.",
    "forum_handle": "The name of who measured it in a forum; empty without one.",
    "keeps_unit": "Whether another result of the same unit may be recognised.",
    "created_at": "When it was sent.",
    "text": "The text, masked.",
    "parser_version": "The version of the parsers that read the text.",
    "readings": "The outputs of tools that the text holds, as the parsers print them.",
    "warnings": "What the parsers had to say, as they print it.",
    "notices": "What the parsers had to say of the text.",
    "runs": "The runs that would be published.",
    "left_out": "The runs of the text that are not published, each with its reason and its lines.",
    "is_complete": "Whether every block size was measured.",
    "is_ranked": "Whether it counts in the ranking.",
    "not_ranked_reason": "Why it does not count; empty where it does.",
    "kind": "What was measured: it says which fields hold the figures.",
    "measured_on": "The day on which it was measured, by the text or its sender; null where neither says.",
    "submitted_at": "When it was submitted here; null for a result that was published elsewhere.",
    "posted_on": "The day on which it was published or posted elsewhere; null if it was not, or no day is known.",
    "origin": "submitted_here, or published_elsewhere: a figure of a page, named by source_url, not of a text.",
    "elsewhere_count": "How many of its results were published elsewhere; null for a product.",
    "first_line": "The line of the text with which the run begins, from 1.",
    "last_line": "The line of the text with which the run ends.",
    "code": "What stays the same whatever the words are.",
    "message": "What it says, for people to read.",
    "line": "The line of the text that it is about, from 1; null for all of it.",
    "token": "The claim token that came with the answer to the submission.",
    "reason": "Why a person should look at it.",
    "file": "One or several files with what the tools printed.",
    "notes": "What the owner says of it.",
    "told_conditions": "What the owner says of how it was measured.",
    "display_name": "The name that the key's owner shows; empty without one.",
    "key_name": "What the owner called the key.",
    "scopes": "What the key is for.",
    "expires_at": "When the key ends; null for never.",
}
_CONDITIONS = {
    "conditions": "How and on what it was measured.",
    "path": "The disk's path in the system; empty where the text does not say.",
    "platform": "The operating system; empty where nothing says it.",
    "attachment": "The driver or controller that it is attached by; empty where nothing says it.",
    "host": "The machine that it is in.",
    "sync_method": "How fio made each write durable; null where it doesn't say, and for diskinfo.",
    "sector_size": "The size of a sector in bytes; null where the text does not say.",
    "write_cache": "What is said of its write cache.",
    "write_cache_enabled": "Whether its write cache was on; null where the text does not say.",
    "power_on_hours": "For how many hours it had been on; null where the text does not say.",
    "percentage_used": "How much of its endurance was used in percent, as a tool states it; null where none does.",
    "wear_percent": "The same, else derived from a SMART attribute; null where neither says it.",
    "wear_source": "The attribute that wear_percent is derived from; null where a tool states it, or nothing does.",
    "raw_wear": "Attributes of wear or writes, as printed, that nothing could be derived from; null without any.",
    "host_bytes_written": "How many bytes had been written to it; null where the text does not say.",
    "systems": "The operating systems, each once.",
    "condition": "What the runs differ in.",
    "stated": "What the runs of each device state, by slug; empty where nothing is.",
    "differences": "The conditions in which the runs differ.",
    "baseline": "The slug of the device that the others are told in times of; null without one.",
    "key": "What tells the figure from the others.",
    "unit": "What the values are in; empty for plain numbers.",
    "is_lower_better": "Whether the lowest value is the best.",
    "values": "The value of each device, in their order; null where it was not measured.",
}
_PROBLEM = {
    "type": "Always about:blank: the code says what it is.",
    "title": "The status in words.",
    "status": "The status as a number.",
    "detail": "What is wrong and what to do, for people to read.",
    "errors": "What is wrong with each parameter or field, by its name.",
}
_OF_SHAPES = {
    "Problem.notices": "What the parsers had to say, where a text was refused.",
    "Found.type": "Whether it is a device or a product.",
    "Found.plp": "Its power-loss protection.",
    "ParseRequest.devices": "The units that the parsers found, as they print them.",
    "Submission.results": "Its runs, in the order of the text.",
    "OwnSubmission.results": "Its runs, in the order of the text.",
    "Received.results": "Its runs, in the order of the text.",
    "SubmittedResult.rank": "The place of its device; null where it is not ranked.",
    "Product.flags": "What is to be known of it besides.",
    "ProductDetail.flags": "What is to be known of it besides.",
    "PlpStatement.url": "The address of the source.",
    "PlpStatement.note": "What the source's words are about, in the catalogue's own; empty without one.",
    "ProductClaim.capacity_bytes": "The marketed capacity in bytes; null for the whole line.",
    "ProductClaim.value": "The figure; null where the quantity is told in words.",
    "ProductClaim.text": "What is stated in words; empty where it is a figure.",
    "ProductClaim.unit": "What the figure is in; empty for words.",
    "ProductClaim.note": "What else the source says; empty for nothing.",
    "ProductClaim.source_url": "The address of the source.",
    "PriceSighting.capacity_bytes": "The marketed capacity in bytes; null where the line has one alone.",
    "PriceSighting.condition": "New, used, refurbished, or a list price at launch; empty if the page doesn't say.",
    "PriceSighting.source_url": "The address of the source.",
    "LifeCycle.source_url": "The address of the source.",
    "LifeCycle.note": "What else the source says; empty for nothing.",
    "Caveat.source_url": "The address of the source.",
    "Report.reason": "Why a person should look at the result.",
    "ReportRequest.text": "What is to be said besides; may be empty.",
    "SubmissionUpload.text": "What the terminal printed, set before the files; may be empty.",
    "FirmwareFigure.unit_count": "How many units that ran this version were measured.",
    "Band.low_us": "The lowest latency that the talk gives, in µs; null where it gives none.",
    "Band.high_us": "The highest latency that the talk gives, in µs; null where it gives none.",
}
_BY_NAME = _LIST | _FIGURES | _THINGS | _SENT | _CONDITIONS | _PROBLEM


def describe_fields(schemas: dict[str, Any]) -> None:
    """Give every property of these schemas that says nothing of itself the sentence for it."""
    for shape, schema in schemas.items():
        for name, value in schema.get("properties", {}).items():
            told = _OF_SHAPES.get(f"{shape}.{name}", _BY_NAME.get(name))
            if told is None or "description" in value:
                continue
            if "$ref" in value:  # beside which tools look at nothing
                value["allOf"] = [{"$ref": value.pop("$ref")}]
            value["description"] = told
