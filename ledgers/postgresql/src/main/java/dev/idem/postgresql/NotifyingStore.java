package dev.idem.postgresql;

import dev.idem.Address;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Watches;

/** A store that wakes waiters by NOTIFY, and those of this process at once. */
final class NotifyingStore extends PostgresqlStore implements Awaitable {
    private final Watches watches = new Watches();
    private final Listener listener;

    NotifyingStore(Server server) {
        super(server);
        this.listener = new Listener(server, watches);
    }

    @Override
    public Found insert(Address at, Draft first) {
        Found found = super.insert(at, first);
        if (found.inserted()) {
            watches.wake(at);
        }
        return found;
    }

    @Override
    public Swap replace(Row seen, Draft next, Guard guard) {
        Swap swap = super.replace(seen, next, guard);
        watches.wake(seen.at());
        return swap;
    }

    @Override
    public Watch watch(Address address, Runnable wake) {
        return listener.watch(address, wake);
    }

    @Override
    public void close() {
        listener.close();
        super.close();
    }
}
