"""The program: `python -m pgn2epd`."""

import signal
import sys

from pgn2epd import _pgn2epd


def main() -> int:
    """Runs the program with the arguments of this process, and returns its exit status."""
    # The program handles interrupts itself; with Python's handler it would end only after its work is done.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _pgn2epd.run(["pgn2epd", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
