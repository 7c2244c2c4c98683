"""The kit for writing bots, and the built-in bots.

A bot is a class with one method::

    from keylore_services.bots import Bot, Prompt, run

    class MyBot(Bot):
        def choose(self, prompt: Prompt) -> int:
            return prompt.default

    run(MyBot(), server="127.0.0.1:4711", token="...")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keylore_services.bots.kit import (
        Bot,
        Clock,
        End,
        Head,
        News,
        Prompt,
        Receipt,
        Refusal,
        Ruling,
        Summary,
        Table,
        run,
    )

__all__ = [
    "Bot",
    "Clock",
    "End",
    "Head",
    "News",
    "Prompt",
    "Receipt",
    "Refusal",
    "Ruling",
    "Summary",
    "Table",
    "run",
]


def __getattr__(name: str) -> Any:
    """Load the kit when something of it is first used, so that importing this package costs nothing."""
    if name not in __all__:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module("keylore_services.bots.kit"), name)
