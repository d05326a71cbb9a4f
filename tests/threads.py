"""Pages of forum threads as browsers save them, with posts of our own."""

from html import escape

from tests import pastes


def post(author: str, body: str, *, number: int = 1, at: str = "2019-03-04T12:33:02+0000") -> str:
    """One post as XenForo 2 writes it; `body` is HTML."""
    return f"""
<article class="message message--post js-post" data-author="{escape(author)}"
 data-content="post-{number}" id="js-post-{number}">
<div class="message-userDetails"><h4 class="message-name"><a>{escape(author)}</a></h4></div>
<header class="message-attribution"><a href="/threads/slog.20/post-{number}" class="u-concealed" rel="nofollow">
<time class="u-dt" datetime="{at}">Mar 4, 2019</time></a></header>
<div class="message-content"><article class="message-body js-selectToQuote">
<div class="bbWrapper">{body}</div></article></div>
</article>"""


def code(text: str) -> str:
    return (
        '<div class="bbCodeBlock bbCodeBlock--code"><div class="bbCodeBlock-title">Code:</div>'
        f'<div class="bbCodeBlock-content"><pre class="bbCodeCode"><code>{escape(text)}</code></pre></div></div>'
    )


def quote(text: str) -> str:
    return (
        '<blockquote class="bbCodeBlock bbCodeBlock--expandable bbCodeBlock--quote">'
        '<div class="bbCodeBlock-title"><a class="bbCodeBlock-sourceJump">ann said:</a></div>'
        f'<div class="bbCodeBlock-content">{code(text)}</div></blockquote>'
    )


def page(*posts: str, title: str = "SLOG benchmarking | A forum") -> str:
    return f"""<!DOCTYPE html><html><head><title>{title}</title>
<link rel="canonical" href="https://forum.example.org/threads/slog.20/"></head><body>{"".join(posts)}</body></html>"""


def older_page() -> str:
    """The first result as XenForo 1 writes it."""
    return f"""<!DOCTYPE html><html><head><title>SLOG benchmarking | A forum</title>
<link rel="canonical" href="https://forum.example.org/threads/slog.20/"></head><body><ol>
<li id="post-7" class="sectionMain message" data-author="bob"><div class="messageContent"><article>
<blockquote class="messageText SelectQuoteContainer ugc baseHtml">Here is mine:<br>
<div class="bbCodeBlock bbCodeCode"><div class="type">Code:</div>
<pre>{escape(pastes.FIRST_PASTE)}</pre></div></blockquote>
</article></div><div class="messageMeta"><abbr class="DateTime" data-time="1551702782">Mar 4, 2019</abbr>
<a href="threads/slog.20/#post-7" class="item muted postNumber hashPermalink">#7</a></div></li></ol></body></html>"""


THREAD = page(
    post("ann", "Look at this:<br>" + code(pastes.FIRST_PASTE) + "Not bad, is it?", number=1),
    post("bob", quote(pastes.FIRST_PASTE) + "I agree.", number=2),
    post(
        "cy <c>",
        code(pastes.diskinfo([30.0] * 15, ident="OTHERSERIAL99", description="ATA MODEL 9")),
        number=3,
    ),
)
