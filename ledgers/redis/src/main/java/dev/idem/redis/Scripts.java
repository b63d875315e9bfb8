package dev.idem.redis;

/** All scripts of the ledger, with one source of time. */
final class Scripts {
    final Script claim;
    final Script renew;
    final Script mark;
    final Script settle;
    final Script find;
    final Script resolve;
    final Script forget;
    final Script purge;
    final Script now;
    final Script touch;

    Scripts(ServerClock clock) {
        claim = Script.load("claim.lua", clock.prelude());
        renew = Script.load("renew.lua", clock.prelude());
        mark = Script.load("mark.lua", clock.prelude());
        settle = Script.load("settle.lua", clock.prelude());
        find = Script.load("find.lua", clock.prelude());
        resolve = Script.load("resolve.lua", clock.prelude());
        forget = Script.load("forget.lua", clock.prelude());
        purge = Script.load("purge.lua", clock.prelude());
        now = Script.load("now.lua", clock.prelude());
        touch = Script.load("touch.lua", clock.prelude());
    }
}
