"""Reads EPD and FEN.

>>> from pgn2epd import epd
>>> record = epd.parse("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; ce 25;")
>>> record.operations["bm"], record.operations["ce"]
(['e4'], 25)
"""

from pgn2epd import _pgn2epd

Record = _pgn2epd.epd.Record
parse = _pgn2epd.epd.parse

__all__ = ["Record", "parse"]
