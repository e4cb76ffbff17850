"""What ends the demo early."""


class DemoError(Exception):
    """The demo cannot go on; the message is for its user."""
