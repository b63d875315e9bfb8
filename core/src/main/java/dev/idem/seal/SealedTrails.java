package dev.idem.seal;

import dev.idem.Address;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.TrailLine;
import java.util.List;

/** Trails are readable without a key: sealed values in them are replaced by words, not opened. */
record SealedTrails(Historied behind) implements Historied {
    @Override
    public List<TrailLine> trail(Address address) {
        return behind.trail(address).stream()
                .map(line -> new TrailLine(line.at(), line.fence(), line.event(), SealMark.spelledOut(line.detail())))
                .toList();
    }
}
