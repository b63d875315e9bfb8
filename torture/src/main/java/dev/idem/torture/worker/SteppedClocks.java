package dev.idem.torture.worker;

import dev.idem.spi.Clocks;
import dev.idem.spi.Moment;
import java.time.Duration;

/** The clocks of a host whose wall clock was set wrong. */
final class SteppedClocks implements Clocks {
    private final Clocks host;
    private volatile Duration offset = Duration.ZERO;

    SteppedClocks(Clocks host) {
        this.host = host;
    }

    void step(Duration by) {
        offset = by;
    }

    @Override
    public Moment now() {
        Moment now = host.now();
        return new Moment(now.wall().plus(offset), now.boot(), now.nanos());
    }
}
