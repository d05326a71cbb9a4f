from parsers.fio.slog import RIGHT_COMMAND
from results.templatetags.commands import with_command


def test_the_command_in_a_notice_is_folded():
    shown = with_command(f"Run <this>: {RIGHT_COMMAND}.")
    assert shown.startswith("Run &lt;this&gt;: <details><summary>The fio command</summary><pre>")
    assert shown.endswith("</pre></details>")


def test_a_notice_without_it_is_text():
    assert with_command("a <b> notice") == "a &lt;b&gt; notice"
