"""A page as lines of text, by which two versions of it can be compared: a line for each block, field and row."""

import re

from django.http import HttpResponse
from lxml import html

from tests.page import HEADINGS, INLINE, UNSEEN, text_of, value_of

_HEAD = {
    "title": "/html/head/title/text()",
    "description": "//meta[@name='description']/@content",
    "canonical": "//link[@rel='canonical']/@href",
    "robots": "//meta[@name='robots']/@content",
}
_STATES = ("checked", "selected", "required", "disabled", "readonly", "aria-invalid")


def outline(response: HttpResponse) -> str:
    """Its head and main part, in reading order."""
    document = html.document_fromstring(response.text)
    head = [f"{name}: {text}" for name, path in _HEAD.items() for text in document.xpath(path)]
    return _joined([*head, "", *_lines(document.find(".//main"))])


def frame(response: HttpResponse) -> str:
    """What is around the main part."""
    document = html.document_fromstring(response.text)
    document.find(".//main").clear(keep_tail=True)
    return _joined(_lines(document))


def svg_outline(response: HttpResponse) -> str:
    return _joined(_lines(html.document_fromstring(response.content)))


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _lines(element: html.HtmlElement) -> list[str]:
    lines = (line.strip() for line in _written(element).split("\n"))
    return [line for line in lines if line]


def _written(element: html.HtmlElement) -> str:
    """Its text with line breaks around each block."""
    is_comment = not isinstance(element.tag, str)
    if is_comment or element.tag in UNSEEN or element.get("name") == "csrfmiddlewaretoken":
        return ""
    if element.tag in _WRITERS:
        return _WRITERS[element.tag](element)
    return _inner(element) if element.tag in INLINE else f"\n{_inner(element)}\n"


def _inner(element: html.HtmlElement) -> str:
    parts = [_spaced(element.text)]
    for child in element:
        parts += [_written(child), _spaced(child.tail)]
    return "".join(parts)


def _spaced(text: str | None) -> str:
    return re.sub(r"\s+", " ", text or "")


def _flat(element: html.HtmlElement) -> str:
    return " ".join(_inner(element).split())


def _link(element: html.HtmlElement) -> str:
    text = _flat(element) or element.get("aria-label", "")
    return f"[{text}]({element.get('href')})" if "href" in element.attrib else text


def _heading(element: html.HtmlElement) -> str:
    return f"\n{'#' * int(element.tag[1])} {_flat(element)}\n"


def _summary(element: html.HtmlElement) -> str:
    return f"\n▸ {_flat(element)}\n"


def _item(element: html.HtmlElement) -> str:
    return f"\n- {_inner(element).lstrip()}\n"


def _row(element: html.HtmlElement) -> str:
    return f"\n| {' | '.join(_flat(cell) for cell in element.iterchildren('th', 'td'))} |\n"


def _form(element: html.HtmlElement) -> str:
    method, action = element.get("method", "get"), element.get("action", "")
    return f"\n(form: {method} {action})\n{_inner(element)}\n"


def _field(element: html.HtmlElement) -> str:
    states = [state for state in _STATES if state in element.attrib]
    value = f": {element.get('value')}" if element.get("value") else ""
    return f" {{{' '.join([element.get('name', ''), element.get('type', element.tag), *states])}{value}}} "


def _button(element: html.HtmlElement) -> str:
    sent = "".join(f" {element.get(name)}" for name in ("name", "value", "formaction") if element.get(name))
    return f" {{button{sent}: {_flat(element) or element.get('aria-label', '')}}} "


def _textarea(element: html.HtmlElement) -> str:
    return _field(element) + f"\n{value_of(element)}\n"


def _select(element: html.HtmlElement) -> str:
    return _field(element) + "".join(f"\n{_option(other)}" for other in element.iter("option")) + "\n"


def _option(element: html.HtmlElement) -> str:
    return f"({'*' if 'selected' in element.attrib else ' '}) {element.get('value', '')}: {_flat(element)}"


def _preformatted(element: html.HtmlElement) -> str:
    return f"\n{element.text_content()}\n"


def _picture(element: html.HtmlElement) -> str:
    texts = [text_of(other) for other in element.iter("title", "desc", "text")]
    return f"\n(picture: {' · '.join(texts)})\n" if texts else ""


def _image(element: html.HtmlElement) -> str:
    return f"\n(image: {element.get('alt', '')} {element.get('src')})\n"


_WRITERS = {
    **dict.fromkeys(HEADINGS, _heading),
    "a": _link,
    "br": lambda _: "\n",
    "button": _button,
    "form": _form,
    "img": _image,
    "input": _field,
    "li": _item,
    "pre": _preformatted,
    "select": _select,
    "summary": _summary,
    "svg": _picture,
    "textarea": _textarea,
    "tr": _row,
}
