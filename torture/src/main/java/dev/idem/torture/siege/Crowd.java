package dev.idem.torture.siege;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The attackers: many connections in one thread, each with a request every few seconds. */
final class Crowd implements AutoCloseable {
    private static final int READ_AT_ONCE = 1 << 16;
    private static final Duration GLANCE = Duration.ofMillis(100);
    private static final byte[] END_OF_HEADER = {'\r', '\n', '\r', '\n'};
    private static final String LENGTH = "content-length:";

    private final int port;
    private final Plan plan;
    private final Selector selector = Selector.open();
    private final Thread thread = new Thread(this::run, "crowd");
    private final PriorityQueue<Member> next = new PriorityQueue<>(Comparator.comparingLong(each -> each.due));
    private final List<Member> all = new ArrayList<>();
    private final Map<String, Integer> answers = new TreeMap<>();
    private final ByteBuffer into = ByteBuffer.allocate(READ_AT_ONCE);
    private volatile boolean ended;

    /**
     * What a crowd does.
     *
     * @param together so many send at the same moment
     * @param every how often each sends; one whose last request is not answered leaves the next one out
     * @param request of the member with this number
     * @param slow so many of them read slowly
     * @param leaves whether they close their connections in the middle of an answer, without a goodbye
     */
    record Plan(int connections, int together, Duration every, IntFunction<byte[]> request, int slow, boolean leaves) {
        /** Members that send one after the other, and read. */
        Plan(int connections, Duration every, IntFunction<byte[]> request) {
            this(connections, 1, every, request, 0, false);
        }
    }

    Crowd(int port, Plan plan) throws IOException {
        this.port = port;
        this.plan = plan;
        long now = System.nanoTime();
        for (int i = 0; i < plan.connections(); i++) {
            int turn = i - i % plan.together();
            all.add(new Member(i, now + plan.every().toNanos() * turn / plan.connections()));
        }
        next.addAll(all);
        thread.setDaemon(true);
        thread.start();
    }

    /** A connection, and what it waits for. */
    private static final class Member {
        private final int number;
        private long due;
        private @Nullable SocketChannel channel;
        private @Nullable ByteBuffer out;
        private StringBuilder header = new StringBuilder();
        private long missing = -1;
        private boolean asked;

        Member(int number, long due) {
            this.number = number;
            this.due = due;
        }
    }

    private void run() {
        try {
            long glance = System.nanoTime();
            while (!ended) {
                long now = System.nanoTime();
                for (Member first = next.peek(); first != null && first.due - now <= 0; first = next.peek()) {
                    next.remove();
                    begin(first);
                    first.due = Math.max(
                            first.due + plan.every().toNanos(),
                            now - plan.every().toNanos());
                    next.add(first);
                }
                if (now - glance >= 0) {
                    glance = now + GLANCE.toNanos();
                    all.stream().limit(plan.slow()).forEach(each -> listen(each, SelectionKey.OP_READ));
                }
                selector.select(this::go, 10);
            }
        } catch (IOException e) {
            count("the attackers: " + e);
        }
    }

    private void count(String what) {
        answers.merge(what, 1, Integer::sum);
    }

    private void begin(Member member) {
        try {
            if (member.asked && plan.leaves()) {
                leave(member);
            } else if (member.asked) {
                count("no answer yet");
                return;
            }
            member.asked = true;
            member.out = ByteBuffer.wrap(plan.request().apply(member.number));
            member.header = new StringBuilder();
            member.missing = -1;
            if (member.channel == null) {
                SocketChannel channel = SocketChannel.open();
                member.channel = channel;
                channel.configureBlocking(false);
                // What is closed ends at once, and frees its port.
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                if (member.number < plan.slow()) {
                    channel.setOption(StandardSocketOptions.SO_RCVBUF, READ_AT_ONCE);
                }
                channel.register(selector, SelectionKey.OP_CONNECT, member);
                channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            } else {
                write(member);
            }
        } catch (IOException e) {
            failed(member);
        }
    }

    private void listen(Member member, int to) {
        SelectionKey key = member.channel == null ? null : member.channel.keyFor(selector);
        if (key != null && key.isValid() && key.interestOps() != SelectionKey.OP_CONNECT) {
            key.interestOps(to);
        }
    }

    private void go(SelectionKey key) {
        Member member = (Member) key.attachment();
        try {
            if (key.isConnectable()) {
                ((SocketChannel) key.channel()).finishConnect();
                write(member);
            } else if (key.isWritable()) {
                write(member);
            } else if (key.isReadable()) {
                read(member);
            }
        } catch (IOException e) {
            failed(member);
        }
    }

    private void write(Member member) throws IOException {
        SocketChannel channel = member.channel;
        ByteBuffer out = member.out;
        if (channel == null || out == null) {
            return;
        }
        channel.write(out);
        SelectionKey key = channel.keyFor(selector);
        key.interestOps(out.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    private void read(Member member) throws IOException {
        SocketChannel channel = member.channel;
        into.clear();
        if (channel == null || channel.read(into) < 0) {
            failed(member);
            return;
        }
        if (member.number < plan.slow()) {
            listen(member, 0);
        }
        into.flip();
        if (member.missing < 0) {
            header(member);
        }
        if (member.missing >= 0 && member.asked) {
            member.missing -= into.remaining();
            if (member.missing <= 0 && !plan.leaves()) {
                member.asked = false;
                count(status(member));
            }
        }
    }

    /** Reads to the end of the header, and finds out how long the body is. */
    private void header(Member member) {
        while (into.hasRemaining() && member.missing < 0) {
            member.header.append((char) into.get());
            int size = member.header.length();
            if (size >= END_OF_HEADER.length
                    && member.header
                            .substring(size - END_OF_HEADER.length)
                            .equals(new String(END_OF_HEADER, StandardCharsets.US_ASCII))) {
                member.missing = member.header
                        .toString()
                        .lines()
                        .map(line -> line.toLowerCase(Locale.ROOT))
                        .filter(line -> line.startsWith(LENGTH))
                        .mapToLong(line ->
                                Long.parseLong(line.substring(LENGTH.length()).strip()))
                        .findFirst()
                        .orElse(0);
            }
        }
    }

    private static String status(Member member) {
        String[] words = member.header.toString().split(" ", 3);
        return words.length > 1 ? words[1] : "?";
    }

    /** The connection was refused, or closed before the end of an answer, or between two. */
    private void failed(Member member) {
        count(member.asked ? "closed" : "closed between requests");
        close(member);
    }

    private void leave(Member member) {
        count(member.missing < 0 ? "no answer" : status(member));
        close(member);
    }

    private static void close(Member member) {
        member.asked = false;
        SocketChannel channel = member.channel;
        member.channel = null;
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // It is of no use any more.
            }
        }
    }

    /** Ends the attack, and closes all connections. What the attackers were answered. */
    Map<String, Integer> end() throws InterruptedException {
        ended = true;
        selector.wakeup();
        thread.join();
        all.forEach(Crowd::close);
        return answers;
    }

    @Override
    public void close() throws IOException {
        try {
            end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        selector.close();
    }
}
