"""How many characters columns hold, for whoever cuts or checks what is to be stored in them."""

REASON = 300  # of a decision, for people to read
NOTES = 1000
REPORT = 1000
MODEL_NAME = 100
VENDOR = 60
FIRMWARE = 40
FIGURE = 60  # as a source states it
CONDITION = 100  # what a text, or an owner, says of how it was measured
HANDLE = 60  # a name in a forum
ADDRESS = 500
FACT = 200  # what a source states of a product, beside the figure
TITLE = 200  # of a thread
KEY_NAME = 60
ACTOR = 60
