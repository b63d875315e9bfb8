package dev.idem.conformance;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The faults that are planned for a client, and the requests that it has sent. Thread-safe. */
final class Faults {
    private final List<Planned> planned = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();

    private @Nullable Throwable failure;

    private static final class Planned {
        final Predicate<Request> which;
        final Fault fault;
        int left;

        Planned(Predicate<Request> which, Fault fault, int left) {
            this.which = which;
            this.fault = fault;
            this.left = left;
        }
    }

    /** Plans a fault for the next requests of a method. Of several faults, the first that was planned applies. */
    synchronized void next(int times, String method, Fault fault) {
        planned.add(new Planned(request -> request.is(method), fault, times));
    }

    /** Plans a fault for the next request of a method. */
    void next(String method, Fault fault) {
        next(1, method, fault);
    }

    /** Plans a fault for all requests that are not meant by an earlier one. */
    synchronized void all(Predicate<Request> which, Fault fault) {
        planned.add(new Planned(which, fault, Integer.MAX_VALUE));
    }

    /** From now on there is no fault. */
    synchronized void clear() {
        planned.clear();
    }

    /** Records a request, and gives what happens to it. */
    synchronized Fault of(Request request) {
        requests.add(request);
        notifyAll();
        for (Iterator<Planned> all = planned.iterator(); all.hasNext(); ) {
            Planned one = all.next();
            if (one.which.test(request)) {
                if (--one.left == 0) {
                    all.remove();
                }
                return one.fault;
            }
        }
        return Fault.NONE;
    }

    /** A server or a fault of this harness failed, so the scenario proves nothing. */
    synchronized void failed(Throwable why) {
        failure = why;
    }

    /** Throws what went wrong in this harness. */
    synchronized void requireWhole() {
        if (failure != null) {
            throw new IllegalStateException("the harness itself failed, so nothing is known about the client", failure);
        }
    }

    /** All requests, in the order in which they arrived. */
    synchronized List<Request> requests() {
        return List.copyOf(requests);
    }

    /** All requests of a method. */
    List<Request> requests(String method) {
        return requests().stream().filter(each -> each.is(method)).toList();
    }
}
