"""The notary of a match: signs what became of each prompt, the same again whenever it is asked."""

from keylore_domain.engine.events import MovePlayed
from keylore_domain.engine.matches import Match, Signer
from keylore_domain.engine.receipts import Receipt, asked_digests, receipt_of, signed_receipt
from keylore_services.ledger.ledger import Ledger


class Notary:
    """Signs the receipts of *match*."""

    def __init__(self, match: Match, ledger: Ledger, signer: Signer) -> None:
        self._match = match
        self._ledger = ledger
        self._signer = signer
        self._asked: dict[int, str] = {}

    def asked(self, number: int, digest: str) -> None:
        """Keep in mind the *digest* of prompt *number*."""
        self._asked[number] = digest

    def receipt(self, event: MovePlayed, head: str) -> Receipt:
        """The signed receipt for a stored *event* whose stored bytes have the digest *head*."""
        if event.prompt not in self._asked:
            self.recall()
        return signed_receipt(receipt_of(event, self._asked[event.prompt], head), self._signer)

    def recall(self) -> None:
        """Work out from the ledger what was asked before this arbiter was started; plays the match again."""
        rows = [(row.originator_version, row.topic, row.state) for row in self._ledger.stored(self._match.id)]
        self._asked |= asked_digests(self._match.id, rows, lambda *_: self._match.rules)
