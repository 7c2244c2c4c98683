"""Addresses: ``GAME@EVENT/SEAT``, one moment of a match from one point of view.

``GAME`` is a match id or the name of a game file. ``EVENT`` is the number of an event, ``p`` and a ply, or
``end``; left out, it is the end. ``SEAT`` is a seat, ``public``, or ``all`` for everything, secrets included;
left out, it is ``public``.
"""

import re
from typing import Final, Literal, assert_never

import msgspec

from keylore_domain.engine.seats import Seat
from keylore_domain.errors import OptionError

Viewer = Seat | Literal["public", "all"]

EXAMPLES: Final = (
    "m/cup/r1/t2, m/cup/r1/t2@57/0, m/cup/r1/t2@57/public, m/cup/r1/t2@p12/all, m/cup/r1/t2@end/1"
)

_VIEWER: Final = r"(?:/(?P<viewer>\d{1,2}|public|all))?"
_WITH_MOMENT: Final = re.compile(rf"(?P<match>\S+)@(?P<ply>p?)(?P<number>\d{{1,9}}|end){_VIEWER}", re.ASCII)
_WITHOUT_MOMENT: Final = re.compile(
    r"(?P<match>m/[^\s@]+?|(?!m/)[^\s@]+?)(?:/(?P<viewer>\d|public|all))?", re.ASCII
)


class At(msgspec.Struct, frozen=True):
    """A moment of a match: after an event (from 1), after a ply (0 is the set-up), or its end."""

    kind: Literal["event", "ply", "end"] = "end"
    number: int = 0


END: Final = At()


class Address(msgspec.Struct, frozen=True):
    """One moment of a match from one point of view."""

    match: str
    at: At = END
    viewer: Viewer = "public"

    def __str__(self) -> str:
        """The address as text; parsing it gives the same address."""
        return format_address(self)


def parse_address(text: str) -> Address:
    """The address that *text* writes.

    Raises:
        OptionError: it is not an address; shows what addresses look like.
    """
    found = _WITH_MOMENT.fullmatch(text) if "@" in text else _WITHOUT_MOMENT.fullmatch(text)
    if found is None:
        raise OptionError("address", f"{text!r} is not GAME@EVENT/SEAT", f"for example {EXAMPLES}")
    parts = found.groupdict()
    return Address(parts["match"], _moment(text, parts), _viewer(parts["viewer"]))


def format_address(address: Address) -> str:
    """The address as text; what can be left out is."""
    viewer = "" if address.viewer == "public" else f"/{address.viewer}"
    match address.at.kind:
        case "event":
            return f"{address.match}@{address.at.number}{viewer}"
        case "ply":
            return f"{address.match}@p{address.at.number}{viewer}"
        case "end":
            plain = _WITHOUT_MOMENT.fullmatch(address.match + viewer)
            is_clear = plain is not None and plain["match"] == address.match
            return address.match + viewer if is_clear else f"{address.match}@end{viewer}"
        case _:
            assert_never(address.at.kind)


def parse_viewer(text: str) -> Viewer:
    """The point of view that *text* names.

    Raises:
        OptionError: it names none.
    """
    if not re.fullmatch(r"\d{1,2}|public|all", text, re.ASCII):
        raise OptionError("viewer", f"{text!r} is no point of view", "a seat (0, 1, ...), public or all")
    return _viewer(text)


def _moment(text: str, parts: dict[str, str]) -> At:
    number = parts.get("number", "end")
    if number == "end":
        if parts.get("ply"):
            raise OptionError("address", f"{text!r} has no ply after 'p'", f"for example {EXAMPLES}")
        return END
    if parts["ply"]:
        return At("ply", int(number))
    if int(number) == 0:
        raise OptionError("address", f"{text!r}: events count from 1", "@1, @2, ...; @p0 is the set-up")
    return At("event", int(number))


def _viewer(text: str | None) -> Viewer:
    match text:
        case None | "public":
            return "public"
        case "all":
            return "all"
        case _:
            return Seat(int(text))
