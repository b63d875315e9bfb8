package dev.idem.langchain4j;

import dev.idem.SideEffect;
import dev.idem.agent.tool.Once;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.image.Image;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Tools as a user of LangChain4j has them, some of them with a word about what they do. */
public final class Shop {
    record Receipt(String id, long cents) {}

    final AtomicInteger charges = new AtomicInteger();
    final AtomicInteger lookups = new AtomicInteger();
    final AtomicInteger mails = new AtomicInteger();
    final List<String> keys = new ArrayList<>();
    Exception failure;

    @Tool("Charges a customer")
    @Once(
            identity = {"customer", "cents"},
            definiteOn = ConnectException.class)
    Receipt charge(String customer, long cents, @P(value = "a note", required = false) String note, GuardedCall call)
            throws Exception {
        keys.add(call.key());
        if (failure != null) {
            throw failure;
        }
        return new Receipt("ch_" + charges.incrementAndGet(), cents);
    }

    @Tool("Sends a mail")
    void mail(String to, @P(value = "a subject", required = false) String subject) {
        mails.incrementAndGet();
    }

    @Tool("Looks a customer up")
    @Once(SideEffect.READ)
    String lookup(String customer) {
        lookups.incrementAndGet();
        return customer + " is a good customer";
    }

    @Tool("Draws a picture")
    Image draw(String what) {
        charges.incrementAndGet();
        return Image.builder().base64Data("AAAA").mimeType("image/png").build();
    }

    /** Returns a value that can't be made into text. */
    @Tool("Opens a socket")
    Object open(String host) {
        charges.incrementAndGet();
        return new Endless();
    }

    static SocketTimeoutException timeout() {
        return new SocketTimeoutException("no answer");
    }

    static final class Endless {
        public Endless getSelf() {
            return this;
        }
    }
}
