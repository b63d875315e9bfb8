package dev.idem.agent.approval;

import dev.idem.ledger.Ledger;
import dev.idem.ledger.Ledgers;

final class MemoryApprovalTest extends ApprovalContract {
    @Override
    Ledger open() {
        return Ledgers.open("memory:");
    }
}
