package dev.idem.examples.checkout;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idem.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The model and the services that the agent talks to, on loopback. It asks an assassin at each step of an answer. */
final class World implements AutoCloseable {
    /** Told of every request three times; may end whoever sent it. */
    interface Assassin {
        void at(int request, Moment moment);
    }

    /** When somebody may die. */
    enum Moment {
        ASKED,
        DONE,
        ANSWERED
    }

    private final HttpServer server;
    private final Map<String, String> chargesByKey = new HashMap<>();
    private final List<Map<?, ?>> mails = new ArrayList<>();
    private final List<Map<?, ?>> orders = new ArrayList<>();
    private final Function<Map<?, ?>, String> model;
    private volatile Assassin assassin = (request, moment) -> {};
    private int requests;

    World() throws IOException {
        this(new ScriptedModel()::answer);
    }

    World(Function<Map<?, ?>, String> model) throws IOException {
        this.model = model;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Begins to count requests anew. */
    synchronized void send(Assassin next) {
        requests = 0;
        assassin = next;
    }

    /** How many charges took effect for a customer: the payment service knows its keys. */
    synchronized long charges(String customer) {
        return chargesByKey.values().stream().filter(customer::equals).count();
    }

    synchronized long mails(String customer) {
        return mails.stream().filter(mail -> mail.get("to").equals(customer)).count();
    }

    synchronized long orders(String customer) {
        return orders.stream()
                .filter(order -> order.get("customer").equals(customer))
                .count();
    }

    /** How many effects there are for a customer, of whatever kind. */
    synchronized long effects(String customer) {
        return charges(customer) + mails(customer) + orders(customer);
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        int request = ++requests;
        Assassin watching = assassin;
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            watching.at(request, Moment.ASKED);
            byte[] answer = done(exchange, body).getBytes(StandardCharsets.UTF_8);
            watching.at(request, Moment.DONE);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
        watching.at(request, Moment.ANSWERED);
    }

    private String done(HttpExchange exchange, String body) {
        boolean asks = exchange.getRequestMethod().equals("GET");
        return switch (exchange.getRequestURI().getPath()) {
            case "/v1/messages" -> model.apply((Map<?, ?>) Json.parse(body));
            case "/charges" ->
                charged(exchange.getRequestHeaders().getFirst("Idempotency-Key"), (Map<?, ?>) Json.parse(body));
            case "/mails" -> kept(mails, body, "mail");
            case "/orders" -> asks ? found(exchange.getRequestURI().getQuery()) : kept(orders, body, "order");
            default ->
                throw new IllegalArgumentException(exchange.getRequestURI().getPath());
        };
    }

    private String charged(String key, Map<?, ?> charge) {
        chargesByKey.putIfAbsent(key, (String) charge.get("customer"));
        return "charge for " + key;
    }

    private static String kept(List<Map<?, ?>> all, String body, String name) {
        all.add((Map<?, ?>) Json.parse(body));
        return name + "-" + all.size();
    }

    private String found(String query) {
        String customer = query.substring(query.indexOf('=') + 1);
        return orders(customer) == 0 ? "none" : "order of " + customer;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
