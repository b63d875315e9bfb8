package dev.idem.springai;

import dev.idem.SideEffect;
import dev.idem.agent.tool.Once;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;

/** Tools as a user of Spring AI has them, some of them with a word about what they do. */
public final class Shop {
    record Receipt(String id, long cents) {}

    final AtomicInteger charges = new AtomicInteger();
    final AtomicInteger lookups = new AtomicInteger();
    final AtomicInteger mails = new AtomicInteger();
    final List<String> keys = new ArrayList<>();
    Exception failure;

    @Tool(description = "Charges a customer")
    @Once(
            identity = {"customer", "cents"},
            definiteOn = ConnectException.class)
    Receipt charge(String customer, long cents, @ToolParam(required = false) String note, ToolContext context)
            throws Exception {
        keys.add(IdemTools.call(context).key());
        if (failure != null) {
            throw failure;
        }
        return new Receipt("ch_" + charges.incrementAndGet(), cents);
    }

    @Tool(description = "Sends a mail")
    void mail(String to, @ToolParam(required = false) String subject) {
        mails.incrementAndGet();
    }

    @Tool(description = "Looks a customer up")
    @Once(SideEffect.READ)
    String lookup(String customer) {
        lookups.incrementAndGet();
        return customer + " is a good customer";
    }

    @Tool(description = "Makes an order", returnDirect = true)
    String order(String item) {
        return "order " + charges.incrementAndGet();
    }
}
