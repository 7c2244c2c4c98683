"""Impact: what a change of the rules would have meant for games that were played before it.

Every game stays what it is under the rules it names; nothing stored is touched. To see what a ruling does,
the recorded moves are played again under the other rules, side by side with their own: where a move is no
longer legal, or the result comes out otherwise, the game is affected. That other moves would have been legal,
or that the rules did something else on the way, is told besides, since a bot might have chosen otherwise.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NoReturn

import msgspec

from keylore_domain.engine import positions
from keylore_domain.engine.aggregates import Event, decode_event
from keylore_domain.engine.chance import Chance, LiveChance, RecordedChance
from keylore_domain.engine.encoding import canonical_json
from keylore_domain.engine.events import Concluded, MoveDefaulted, MovePlayed, Opened, Sealed, SetUp
from keylore_domain.engine.evidence import Row
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import AnyGame
from keylore_domain.engine.options import parse_options
from keylore_domain.engine.outcomes import Outcome
from keylore_domain.engine.positions import Position
from keylore_domain.engine.records import Catalog, MatchRecord
from keylore_domain.engine.reruns import seed_of
from keylore_domain.errors import DataFileError, OptionError, ReplayMismatchError, RuleError
from keylore_services.ledger.ledger import Ledger

Effect = Literal["legality", "scores", "winner", "choices", "course"]

_SOFT: frozenset[Effect] = frozenset({"choices", "course"})


class Impact(msgspec.Struct, frozen=True, kw_only=True):
    """What other rules would have meant for one match.

    Attributes:
        rules: the version that it was played under; ``under`` the other one.
        effects: ``legality``: a recorded move is not legal, or not asked for, or another default is due.
            ``scores``: scores or ranks differ, or the game ends at another time. ``winner``: the best seats
            differ. ``choices``: other moves were legal besides. ``course``: the rules did something else.
        event: the first event that makes the match affected, or else the first that differs; 0 if none does.
        reason: what differs there, in words.
        scores: the recorded ones by seat; ``new_scores`` those under the other rules, if it comes so far.
        winners: the recorded seats of rank 1, and ``new_winners``.
    """

    match: str
    game: str
    rules: str
    under: str
    effects: tuple[Effect, ...] = ()
    event: int = 0
    reason: str = ""
    scores: tuple[int, ...] = ()
    new_scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    new_winners: tuple[int, ...] = ()

    @property
    def is_affected(self) -> bool:
        """Whether legality, scores or winner differ."""
        return bool(set(self.effects) - _SOFT)


def impact(match_id: str, rows: Sequence[Row], catalog: Catalog, rules: str) -> Impact:
    """What version *rules* would have meant for the match with these *rows*.

    Args:
        catalog: knows the rules that the match names and the other ones.

    Raises:
        NotFoundError: there is no such version.
        ReplayMismatchError: the record does not follow from its own rules.
    """
    trial = _Trial(match_id, rows, catalog, rules)
    trial.run(rows)
    opened = trial.record.entry
    old, new = trial.record.outcome, trial.outcome
    return Impact(
        match=match_id,
        game=opened.game,
        rules=opened.rules,
        under=rules,
        effects=tuple(sorted(trial.effects)),
        event=trial.event,
        reason=trial.reason,
        scores=_scores(old),
        new_scores=_scores(new),
        winners=_winners(old),
        new_winners=_winners(new),
    )


def archive_impact(ledger: Ledger, catalog: Catalog, game: str, rules: str) -> Iterator[Impact]:
    """What version *rules* would have meant for each match of *game* in the ledger, in the order of opening.

    Raises:
        NotFoundError: there is no such version.
        ReplayMismatchError: a record does not follow from its own rules.
        LedgerError: the ledger cannot be read.
    """
    catalog(game, rules, None)
    for match_id in ledger.ids("m/"):
        rows = [(row.originator_version, row.topic, row.state) for row in ledger.stored(match_id)]
        opened = msgspec.json.decode(rows[0][2], type=_Game)
        if opened.game == game:
            yield impact(match_id, rows, catalog, rules)


class _Game(msgspec.Struct):
    game: str


class _Diverged(Exception):  # noqa: N818 - not an error: the trial ends here
    """The recorded moves lead no further under the other rules."""


class _Trial:
    """A match under its own rules (``record``) and under others, event by event."""

    def __init__(self, match_id: str, rows: Sequence[Row], catalog: Catalog, rules: str) -> None:
        self.record = MatchRecord(match_id, catalog)
        self.effects: set[Effect] = set()
        self.event = 0
        self.reason = ""
        self.outcome: Outcome | None = None
        self._catalog = catalog
        self._rules = rules
        self._seed = _seed(rows)
        self._game: AnyGame
        self._position: Position

    def run(self, rows: Sequence[Row]) -> None:
        """Go through the record until its end, or until the other rules lead no further."""
        follows = True
        for _, topic, state in rows:
            asked = self.record.position
            event = self.record.replay(topic, state)
            if follows:
                try:
                    self._take(event, asked)
                except _Diverged:
                    follows = False

    def _take(self, event: Event, asked: Position | None) -> None:
        match event:
            case Opened():
                self._open(event)
            case SetUp():
                self._carry_out(event, lambda chance: positions.begin(self._game, self._options, chance), {})
            case MovePlayed():
                assert asked is not None
                self._move(event, asked)
            case Concluded():
                self._conclude(event)
            case _:
                pass

    def _open(self, event: Opened) -> None:
        try:
            self._game = self._catalog(event.game, self._rules, event.data_text)
            self._options = parse_options(self._game, msgspec.json.decode(event.options))
        except (OptionError, DataFileError) as error:
            self._stop(event, "legality", f"the match could not be opened: {error}")

    def _move(self, event: MovePlayed, asked: Position) -> None:
        item = self._position.prompt_of(event.seat)
        if item is None or item.prompt.kind != event.kind:
            now = item.prompt.kind if item else "nothing"
            self._stop(event, "legality", f"seat {event.seat} is asked for {now}, not {event.kind}")
        legal = [canonical_json(move) for move in item.prompt.legal]
        played = bytes(event.move)
        if played not in legal:
            self._stop(event, "legality", f"{played.decode()} is not legal for seat {event.seat}")
        if isinstance(event, MoveDefaulted) and legal[item.prompt.default] != played:
            other = legal[item.prompt.default].decode()
            self._stop(event, "legality", f"{other} is the default for seat {event.seat}")
        self._compare_choices(event, asked, legal)
        position, choice = self._position, legal.index(played)
        self._carry_out(
            event,
            lambda chance: positions.advance(self._game, position, event.seat, choice, chance),
            position.drawn,
        )

    def _compare_choices(self, event: MovePlayed, asked: Position, legal: list[bytes]) -> None:
        before = asked.prompt_of(event.seat)
        assert before is not None
        if [canonical_json(move) for move in before.prompt.legal] != legal:
            self._note(event, "choices", f"seat {event.seat} has other legal moves")

    def _carry_out(self, event: SetUp | MovePlayed, step: "_Step", drawn: Mapping[str, int]) -> None:
        chance: Chance = (
            RecordedChance(event.draws, drawn) if self._seed is None else LiveChance(self._seed, drawn)
        )
        try:
            self._position, facts = step(chance)
        except ReplayMismatchError as error:
            self._stop(event, "course", f"{error}, and the seed is not revealed")
        except RuleError as error:
            self._stop(event, "legality", str(error))
        if canonical_json(facts) != bytes(event.facts):
            self._note(event, "course", "the rules do something else")

    def _conclude(self, event: Concluded) -> None:
        self.outcome = positions.outcome_of(self._game, self._position)
        old, new = self.record.outcome, self.outcome
        if new is None or old is None:
            self._stop(event, "scores", "the game does not end here")
        if _winners(old) != _winners(new):
            self._note(event, "winner", f"the winners are {_listed(_winners(new))}")
        if [(one.score, one.rank) for one in old.seats] != [(one.score, one.rank) for one in new.seats]:
            self._note(event, "scores", f"the scores are {_listed(_scores(new))}")

    def _note(self, event: Event, effect: Effect, reason: str) -> None:
        is_first = not self.effects - (_SOFT if effect not in _SOFT else set())
        self.effects.add(effect)
        if is_first:
            self.event, self.reason = event.originator_version, reason

    def _stop(self, event: Event, effect: Effect, reason: str) -> NoReturn:
        self._note(event, effect, reason)
        raise _Diverged


_Step = Callable[[Chance], tuple[Position, tuple[Fact, ...]]]


def _seed(rows: Sequence[Row]) -> bytes | None:
    """The seed, if it is public or revealed."""
    first, last = (decode_event(topic, state) for _, topic, state in (rows[0], rows[-1]))
    if isinstance(first, Opened) and first.public_share is not None:
        return first.public_share
    return seed_of(last) if isinstance(last, Sealed) else None


def _scores(outcome: Outcome | None) -> tuple[int, ...]:
    return tuple(one.score for one in outcome.seats) if outcome else ()


def _winners(outcome: Outcome | None) -> tuple[int, ...]:
    return tuple(int(one.seat) for one in outcome.seats if one.rank == 1) if outcome else ()


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
