package dev.idem.seal;

import dev.idem.Address;
import dev.idem.spi.Historied;
import dev.idem.spi.TrailLine;
import java.util.List;

/** Trails are for everybody: where a line quotes something sealed, it says so, and does not open it. */
record SealedTrails(Historied behind) implements Historied {
    @Override
    public List<TrailLine> trail(Address address) {
        return behind.trail(address).stream()
                .map(line -> new TrailLine(line.at(), line.fence(), line.event(), SealMark.spelledOut(line.detail())))
                .toList();
    }
}
