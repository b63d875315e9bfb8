package dev.idem.server;

import dev.idem.agent.approval.Approvals;
import dev.idem.spi.browse.Match;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a caller may do, and in which scopes. It is checked before the ledger is asked.
 *
 * @param scopes any of these
 */
public record Access(Set<Right> rights, List<Match> scopes) {
    /** Everything, everywhere. */
    public static final Access ALL = new Access(EnumSet.allOf(Right.class), List.of(Match.prefix("")));

    /** The beginning of the scopes in which it is kept who was told about an entry. */
    public static final String NOTICES = "notices";

    /** The operations of entries there. */
    public static final String NOTICE = "idem_notice";

    public static final String NOTICE_BATCH = "idem_notice_batch";

    /** The scopes of notices. They are shown only to those who ask for them. */
    static final List<Match> NOTICE_SCOPES = List.of(Match.prefix(NOTICES + ":"));

    /** Entries of Idem's own in the ledger. They have methods of their own. */
    private static final List<Match> INTERNAL = List.of(
            Match.exactly("idem"),
            Match.exactly(Approvals.SCOPE),
            Match.prefix(Approvals.SCOPE + ":"),
            Match.exactly(NOTICES),
            NOTICE_SCOPES.get(0));

    public Access {
        rights = Set.copyOf(rights);
        scopes = List.copyOf(scopes);
    }

    /** These rights in these scopes, as people write both. Throws {@link IllegalArgumentException} if one is not known. */
    public static Access of(List<String> rights, List<String> scopes) {
        return new Access(
                rights.stream().map(Right::of).collect(Collectors.toUnmodifiableSet()),
                scopes.stream().map(Access::pattern).toList());
    }

    /** Whether an operation is one of Idem's own, which people do not count. */
    static boolean isInternalOperation(String operation) {
        return operation.equals(LedgerName.OPERATION)
                || operation.equals(NOTICE)
                || operation.equals(NOTICE_BATCH)
                || Approvals.OPERATIONS.contains(operation);
    }

    /** Whether the entries of a scope keep who was told about others. */
    static boolean isNotice(String scope) {
        return NOTICE_SCOPES.get(0).matches(scope);
    }

    /** Whether the entries of a scope are Idem's own: no client acts on them. */
    public static boolean isInternal(String scope) {
        return INTERNAL.stream().anyMatch(each -> each.matches(scope));
    }

    /** Its rights, as people write them. */
    public List<String> rightWords() {
        return Arrays.stream(Right.values())
                .filter(rights::contains)
                .map(Right::word)
                .toList();
    }

    /** Its scopes, as people write them. */
    public List<String> scopeTexts() {
        return scopes.stream().map(Access::text).toList();
    }

    /**
     * Reads a pattern: a scope, a beginning that ends in {@code /*}, or {@code *} for all scopes. Nothing is normalised:
     * {@code acme/*} is neither {@code acme} nor {@code acme2/x}.
     */
    static Match pattern(String text) {
        if (text.equals("*")) {
            return Match.prefix("");
        }
        Match match = text.endsWith("/*") ? Match.prefix(text.substring(0, text.length() - 1)) : Match.exactly(text);
        if (text.isEmpty() || match.text().indexOf('*') >= 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no scope: write a scope, a beginning such as acme/*, or * for all");
        }
        return match;
    }

    /** A pattern as people write it. */
    private static String text(Match pattern) {
        return pattern.text() + (pattern.isPrefix() ? "*" : "");
    }

    /** Whether it allows this in all scopes. */
    boolean mayEverywhere(Right right) {
        return rights.contains(right) && scopes.contains(Match.prefix(""));
    }

    boolean may(Right right, String scope) {
        return rights.contains(right) && scopes.stream().anyMatch(each -> each.matches(scope));
    }

    void require(Right right) {
        if (!rights.contains(right)) {
            throw forbidden("this needs the right " + right.word());
        }
    }

    void requireEverywhere(Right right) {
        require(right);
        if (!mayEverywhere(right)) {
            throw forbidden("this needs all scopes");
        }
    }

    /** The same as {@link #require(Right, String)}, also for entries of Idem's own. */
    void requireAlsoInternal(Right right, String scope) {
        require(right);
        if (!may(right, scope)) {
            throw forbidden("the scope is not one of yours");
        }
    }

    void require(Right right, String scope) {
        requireAlsoInternal(right, scope);
        if ((right == Right.ACT || right == Right.OPERATE) && isInternal(scope)) {
            throw ApiException.malformed(
                    "the scope '" + scope + "' is Idem's own; choose another one. Nothing was done");
        }
    }

    /** The scopes of a filter that are allowed. A filter without one is all that is allowed. */
    List<Match> within(List<Match> asked) {
        if (asked.isEmpty()) {
            return mayEverywhere(Right.READ) ? List.of() : scopes;
        }
        List<Match> both = asked.stream()
                .flatMap(each -> scopes.stream().flatMap(own -> own.and(each).stream()))
                .distinct()
                .toList();
        if (both.isEmpty()) {
            throw forbidden("the scope is not one of yours");
        }
        return both;
    }

    private static ApiException forbidden(String why) {
        return new ApiException(ApiError.FORBIDDEN, why + ". Nothing was done");
    }
}
