"""JSON schemas of everything particular to a game, generated from its structs."""

from typing import Any

import msgspec

from keylore_domain.engine.game import AnyGame


def schema_id(game: AnyGame, part: str) -> str:
    """The id that messages carry, e.g. ``keydom/1/view``."""
    return f"{game.id}/{game.rules}/{part}"


def schemas(game: AnyGame) -> dict[str, dict[str, Any]]:
    """Schema by id: ``view``, ``facts``, ``outcome``, ``options`` and ``moves/KIND`` for each prompt kind."""
    parts: dict[str, Any] = {
        "view": msgspec.json.schema(game.view_type),
        "facts": msgspec.json.schema(game.fact_list),
        "outcome": msgspec.json.schema(game.outcome_type),
        "options": msgspec.json.schema(game.options_type),
    }
    for kind, types in game.move_types.items():
        parts[f"moves/{kind}"] = _any_of(types)
    return {schema_id(game, part): {"$id": schema_id(game, part), **body} for part, body in parts.items()}


def _any_of(types: tuple[type[msgspec.Struct], ...]) -> dict[str, Any]:
    references, components = msgspec.json.schema_components(types)
    return {"anyOf": list(references), "$defs": components}
