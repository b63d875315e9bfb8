package dev.idem.agent.approval;

import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;

final class MemoryApprovalTest extends ApprovalContract {
    @Override
    Ledger open() {
        return Ledgers.open("memory:");
    }
}
