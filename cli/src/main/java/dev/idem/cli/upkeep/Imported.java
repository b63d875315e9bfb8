package dev.idem.cli.upkeep;

import dev.idem.entry.Address;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Settlement;
import java.util.Map;

/** An entry that is to be taken over: where it goes and how it ended. */
record Imported(Address address, Fingerprints fingerprints, Map<String, String> labels, Settlement settlement) {}
