package dev.idem;

import java.util.List;
import java.util.stream.Collectors;

/** An operation was called inside itself: it would wait for its own end. Nothing was run. */
public final class SelfWaitException extends IdemException {
    private static final long serialVersionUID = 1;

    private final transient List<Address> chain;

    /** Makes an exception for a call inside {@code chain}, the operations around it, outermost first. */
    public SelfWaitException(Address address, List<Address> chain) {
        super(
                address,
                address + " was called inside itself and would wait for its own end: "
                        + chain.stream().map(Address::toString).collect(Collectors.joining(" > ")) + " > " + address
                        + ". Give the inner call a key of its own, or an occurrence number",
                null);
        this.chain = List.copyOf(chain);
    }

    /** The operations around the call, outermost first. */
    public List<Address> chain() {
        return chain;
    }

    @Override
    public boolean mayTryAgain() {
        return false;
    }
}
