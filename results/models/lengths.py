"""The maximum lengths of columns, in characters, for code that truncates or validates values."""

REASON = 300  # of a decision, for people to read
GIVEN_REASON = REASON - 20  # as somebody may give it; the log adds to it
NOTES = 1000  # of the owner, about one result
NOTE = 300  # of the sender, about a submission
REPORT = 1000
MODEL_NAME = 100
VENDOR = 60
FIRMWARE = 40
FIGURE = 60  # as a source states it
CONDITION = 100  # a condition of a measurement, from the text or the owner
HANDLE = 60  # a name in a forum
ADDRESS = 500
VARIANT = 60  # of a product line
FACT = 200  # a source's statement about a product, apart from figures
TITLE = 200  # of a thread
KEY_NAME = 60
ACTOR = 60
PAGE = 220  # of a product's slug, a capacity and a device's slug
