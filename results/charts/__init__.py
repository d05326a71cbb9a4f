"""Charts drawn on the server as SVG: pure Python, no Django, no query. Look: static/css/charts.css."""
