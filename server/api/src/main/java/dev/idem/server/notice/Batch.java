package dev.idem.server.notice;

import dev.idem.Json;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver is told at one time, and all that it has been told.
 *
 * @param number counts from 1
 * @param told the ids of all needs that it was told about, this time included, with the day on which each was last there.
 *     A need that is gone is remembered for a day more: a probe or a late owner may end, and the same doubt be there again
 */
record Batch(int number, Map<String, Long> told, List<Message> messages) {
    /** Before the first. */
    static final Batch NONE = new Batch(0, Map.of(), List.of());

    private static final int MOST_GONE = Needs.MOST;

    /** What is told of in the next batch, as text; null if there is nothing new. */
    @Nullable
    String next(String id, Instant now, List<Need> needs, @Nullable URI link) {
        List<Need> fresh =
                needs.stream().filter(need -> !told.containsKey(need.id())).toList();
        if (fresh.isEmpty()) {
            return null;
        }
        long today = now.getEpochSecond() / 86_400;
        Map<Long, StringBuilder> days = new TreeMap<>();
        Map<String, Long> gone = new HashMap<>(told);
        for (Need need : needs) {
            gone.remove(need.id());
            days.computeIfAbsent(today, day -> new StringBuilder()).append(need.id());
        }
        gone.entrySet().stream()
                .filter(each -> each.getValue() >= today - 1)
                .limit(MOST_GONE)
                .forEach(each -> days.computeIfAbsent(each.getValue(), day -> new StringBuilder())
                        .append(each.getKey()));
        Map<String, String> ids = new LinkedHashMap<>();
        days.forEach((day, all) -> ids.put(day.toString(), all.toString()));
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("id", id);
        members.put("at", now.toString());
        members.put("messages", Message.about(fresh, number == 0, link));
        members.put("told", ids);
        return Json.write(members);
    }

    @SuppressWarnings("unchecked") // written by next()
    static Batch read(int number, String text) {
        Map<String, Object> members = (Map<String, Object>) Objects.requireNonNull(Json.parse(text));
        Map<String, Long> told = new HashMap<>();
        ((Map<String, String>) Objects.requireNonNull(members.get("told"))).forEach((day, ids) -> {
            for (int i = 0; i < ids.length(); i += Need.ID_LENGTH) {
                told.put(ids.substring(i, i + Need.ID_LENGTH), Long.valueOf(day));
            }
        });
        Instant at = Instant.parse((String) Objects.requireNonNull(members.get("at")));
        List<Message> messages = new ArrayList<>();
        for (Map<String, Object> each : (List<Map<String, Object>>) Objects.requireNonNull(members.get("messages"))) {
            messages.add(new Message(
                    "msg_" + members.get("id") + "-" + (messages.size() + 1),
                    (String) Objects.requireNonNull(each.get("type")),
                    at,
                    (Map<String, @Nullable Object>) Objects.requireNonNull(each.get("data"))));
        }
        return new Batch(number, told, messages);
    }
}
