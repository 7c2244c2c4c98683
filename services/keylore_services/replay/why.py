"""Why: one event explained for a person, with the rule that each step cites."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from keylore_domain.engine.chance import Draw
from keylore_domain.engine.clocks import MILLISECOND, Reading, TimeControl
from keylore_domain.engine.events import (
    Aborted,
    Concluded,
    MoveDefaulted,
    MovePlayed,
    Opened,
    Paused,
    RefusalCode,
    Refused,
    Resumed,
    Sealed,
    SeatForfeited,
    SetUp,
    SharesCommitted,
    SharesRevealed,
)
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.seats import Seat
from keylore_domain.engine.shares import counted_shares
from keylore_services.replay.addresses import Address, At, Viewer
from keylore_services.replay.text import fact_text, inline, moment_text, move_text, span_text, view_lines
from keylore_services.replay.timeline import Moment, Timeline

LISTED: Final = 20

_CAUSES: Final[Mapping[str, str]] = {
    "timeout": "no answer came in time",
    "disconnect": "the bot was not connected when its time was up",
    "illegal": "the bot gave too many illegal answers to this prompt ({attempts} are allowed)",
    "forfeit": "the seat has forfeited; its default moves are played without asking",
}

_REFUSALS: Final[Mapping[RefusalCode, str]] = {
    "illegal_move": "an illegal answer",
    "late": "an answer that came too late,",
}


class Step(msgspec.Struct, frozen=True):
    """One thing that the rules did, and the paragraph that says so (may be empty)."""

    text: str
    rule: str


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat was asked, and what it (or the arbiter for it) chose.

    Attributes:
        about: the context of the prompt, in words; may be empty.
        count: how many moves were legal.
        legal: the first of them, in words.
        chosen: index of the move that was played.
        chosen_text: that move in words.
        default: index of the default move.
    """

    kind: str
    about: str
    count: int
    legal: tuple[str, ...]
    chosen: int
    chosen_text: str
    default: int


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """One event explained, as far as a viewer may know.

    Attributes:
        headline: what happened, in one line.
        kind: the kind of the event; ``Move`` if the viewer may not know who was asked.
        choice: the decision; ``None`` if the event is no move, or the viewer may not know it.
        cause: why the arbiter did what it did; empty for moves of a bot's own.
        steps: what the rules did.
        clock: how the clock stood, in words.
        draws: what chance gave; only for ``all``.
        details: what else the event holds, in words.
    """

    address: str
    version: int
    kind: str
    ply: int
    moment: str
    headline: str
    choice: Choice | None = None
    cause: str = ""
    steps: tuple[Step, ...] = ()
    clock: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    details: tuple[str, ...] = ()


def explain(timeline: Timeline, version: int, viewer: Viewer = "public", *, listed: int = LISTED) -> Why:
    """Explain event *version* to *viewer*; at most *listed* legal moves are listed.

    Raises:
        NotFoundError: there is no such event or seat.
        ReplayMismatchError: an event up to there does not follow from the rules.
    """
    moment = timeline.moment(version)
    why = Why(
        address=str(Address(timeline.match_id, At("event", version), viewer)),
        version=version,
        kind=moment.kind,
        ply=moment.ply,
        moment=moment_text(moment.event.at),
        headline=_HEADLINES[type(moment.event)](timeline, moment.event),
        steps=tuple(_step(fact) for fact in timeline.facts(version, viewer)),
        details=tuple(_details(timeline, moment)),
    )
    event = moment.event
    if isinstance(event, SetUp | MovePlayed) and viewer == "all":
        why = msgspec.structs.replace(why, draws=tuple(_draw_text(draw) for draw in event.draws))
    if not isinstance(event, MovePlayed):
        return why
    is_known = timeline.knows_move(version, viewer)
    if not is_known and moment.answered is not None and moment.answered.prompt.hidden:
        return msgspec.structs.replace(why, kind="Move", headline="a seat answered in secret")
    return msgspec.structs.replace(
        why,
        choice=_choice(moment, event, listed) if is_known else None,
        cause=_cause(event, timeline.opened.time),
        clock=_clock(event.clock, timeline.opened.time),
        details=tuple(_refused_text(event, refused) for refused in event.refused) if is_known else (),
    )


def why_lines(why: Why) -> list[str]:
    """An explanation as plain lines."""
    lines = [f"{why.address}  {why.kind}, ply {why.ply}, {why.moment}", why.headline]
    if why.cause:
        lines.append(f"because {why.cause}")
    if why.choice is not None:
        lines += _choice_lines(why.choice)
    if why.steps:
        lines.append("the rules did:")
        lines += [f"  {step.text}" + (f"  [{step.rule}]" if step.rule else "") for step in why.steps]
    for title, part in (("chance gave:", why.draws), ("the clock:", why.clock), ("details:", why.details)):
        if part:
            lines.append(title)
            lines += [f"  {line}" for line in part]
    return lines


# --- moves --------------------------------------------------------------------------------------------


def _choice(moment: Moment, event: MovePlayed, listed: int) -> Choice:
    assert moment.answered is not None
    prompt = moment.answered.prompt
    return Choice(
        kind=prompt.kind,
        about="" if prompt.context is None else move_text(prompt.context),
        count=len(prompt.legal),
        legal=tuple(move_text(move) for move in prompt.legal[:listed]),
        chosen=event.choice,
        chosen_text=move_text(prompt.legal[event.choice]),
        default=prompt.default,
    )


def _choice_lines(choice: Choice) -> list[str]:
    about = f" ({choice.about})" if choice.about else ""
    lines = [f"asked for {choice.kind!r}{about}; {choice.count} legal moves:"]
    for index, text in enumerate(choice.legal):
        marks = [
            mark
            for mark, holds in (("chosen", index == choice.chosen), ("default", index == choice.default))
            if holds
        ]
        lines.append(f"  {index:>3}  {text}" + (f"  <- {', '.join(marks)}" if marks else ""))
    if choice.count > len(choice.legal):
        lines.append(f"       and {choice.count - len(choice.legal)} more")
    if choice.chosen >= len(choice.legal):
        lines.append(f"  {choice.chosen:>3}  {choice.chosen_text}  <- chosen")
    return lines


def _cause(event: MovePlayed, time: TimeControl) -> str:
    if not isinstance(event, MoveDefaulted):
        return ""
    return _CAUSES[event.cause].format(attempts=time.attempts)


def _clock(read: Reading, time: TimeControl) -> tuple[str, ...]:
    used = span_text(read.received - read.sent)
    lines = [
        f"asked {moment_text(read.sent)}, answered after {used}",
        f"credited for the network {span_text(read.credited)}",
        f"charged {span_text(read.spent)} of {span_text(read.budget)}",
    ]
    if time.bank_ms:
        lines.append(
            f"left in the bank {span_text(read.left)}, "
            f"{span_text(time.increment_ms * MILLISECOND)} of it added for this move"
        )
    return tuple(lines)


def _step(fact: Fact) -> Step:
    return Step(fact_text(fact), type(fact).rule)


def _draw_text(draw: Draw) -> str:
    if draw.kind == "below":
        return f"{draw.label}#{draw.index}: {draw.values[0]} of 0 to {draw.n - 1}"
    return f"{draw.label}#{draw.index}: the order {inline(draw.values)}"


# --- all events ---------------------------------------------------------------------------------------


def _seat(timeline: Timeline, seat: Seat) -> str:
    return f"seat {seat} ({timeline.opened.seats[seat].name})"


def _opened(timeline: Timeline, event: Opened) -> str:
    return f"a table for {len(event.seats)} was opened for {timeline.game.title}, rules {event.rules}"


def _given(said: tuple[str, ...]) -> str:
    return f"{sum(map(bool, said))} of {len(said)} seats"


def _defaulted(timeline: Timeline, event: MoveDefaulted) -> str:
    return f"the arbiter played the default move at {event.kind!r} for {_seat(timeline, event.seat)}"


_HEADLINES: Final[Mapping[type, Callable[[Timeline, Any], str]]] = {
    Opened: _opened,
    SharesCommitted: lambda _, event: f"{_given(event.commitments)} committed to their shares of the seed",
    SharesRevealed: lambda _, event: f"{_given(event.shares)} revealed their shares; the seed is made of all",
    SetUp: lambda _, __: "the game was set up",
    MovePlayed: lambda timeline, event: f"{_seat(timeline, event.seat)} answered {event.kind!r}",
    MoveDefaulted: _defaulted,
    SeatForfeited: lambda timeline, event: f"{_seat(timeline, event.seat)} forfeited: {event.cause}",
    Paused: lambda _, event: f"all clocks were stopped: {event.cause}",
    Resumed: lambda _, event: f"the match went on after a {event.after}: {event.cause}",
    Concluded: lambda _, __: "the game ended by its rules",
    Sealed: lambda _, __: "the record was closed: the seed was revealed and the head of the chain signed",
    Aborted: lambda _, event: f"the match was aborted without a result: {event.cause}",
}


def _details(timeline: Timeline, moment: Moment) -> list[str]:
    match moment.event:
        case Opened() as event:
            return _opened_details(event)
        case SeatForfeited() as event:
            return [f"default moves played for it: {event.faults} of {timeline.opened.time.faults} allowed"]
        case Concluded() as event:
            return view_lines(msgspec.json.decode(event.outcome))
        case Sealed() as event:
            parts = (("seed", event.seed), ("arbiter's share", event.share), ("head", event.head))
            return [f"{name} {text or 'none'}" for name, text in (*parts, ("key", event.key))]
        case SharesRevealed() as event:
            return _shares_details(timeline, event)
        case _:
            return []


def _shares_details(timeline: Timeline, event: SharesRevealed) -> list[str]:
    """What each seat gave for the seed, and what of it counts."""
    committed = next(
        moment.event.commitments for moment in timeline if isinstance(moment.event, SharesCommitted)
    )
    counted = counted_shares(timeline.match_id, committed, event.shares)
    lines = []
    for seat, (promise, said, share) in enumerate(zip(committed, event.shares, counted, strict=True)):
        silent = "kept its share back" if promise else "gave no share"
        given = f"gave {share}" if share else f"said {said}, which is not its share" if said else silent
        lines.append(f"{_seat(timeline, Seat(seat))} {given}")
    return lines


def _refused_text(event: MovePlayed, refused: Refused) -> str:
    after = span_text(refused.received - event.clock.sent)
    return f"{_REFUSALS[refused.code]} after {after} was not taken (SHA-256 {refused.answer})"


def _opened_details(event: Opened) -> list[str]:
    lines = [f"seat {seat}: {entry.name} ({entry.bot})" for seat, entry in enumerate(event.seats)]
    lines.append(f"options: {move_text(msgspec.json.decode(event.options))}")
    lines.append(f"time: {move_text(event.time)}")
    lines.append(f"component data {event.data}" + (" (the league's own)" if event.data_text else ""))
    lines.append(f"signed with the key {event.key}")
    lines.append(f"commitment to the arbiter's share of the seed {event.commitment}")
    lines.append("the seats are asked for shares of it" if event.shares else "the seats give no shares of it")
    if event.beacon is not None:
        lines.append(f"a public value is mixed in: {event.beacon.value} ({event.beacon.source})")
    if event.public_seed is not None:
        lines.append(f"the seed is made of the public text {event.public_seed!r}")
    if event.seed_label is not None:
        lines.append(f"the deal is shared by the matches of {event.seed_label!r}")
    if event.origin is not None:
        lines.append(f"played for {move_text(event.origin)}")
    return lines
