package dev.idem.internal.codec;

import dev.idem.Codec;
import dev.idem.internal.json.JsonTypes;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the codec for a type, compresses long results and refuses results that are too large. Encoding never throws:
 * the effect has happened, so a result that can't be stored is recorded as not replayable.
 */
public final class Codecs {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.UTF_8);
    private static final String VOID = "void";
    private static final Set<Type> OPTIONALS =
            Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

    private static final Codec JSON = new JsonCodec();

    private final List<Codec> codecs;
    private final List<Codec> found;
    private final int gzipFrom;
    private final int largest;

    /**
     * Uses the given codecs first, then bytes, text and JSON. For types that none of them can read back it uses the
     * codecs that are on the class path as services, such as that of idem-jackson.
     *
     * @param gzipFrom text and JSON of at least this many bytes are compressed
     * @param largest results of more bytes than this are not stored
     */
    public Codecs(List<Codec> first, int gzipFrom, int largest) {
        this.codecs = new ArrayList<>(first);
        codecs.add(new BytesCodec());
        codecs.add(new TextCodec());
        this.found = ServiceLoader.load(Codec.class, Codec.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        this.gzipFrom = gzipFrom;
        this.largest = largest;
    }

    /**
     * Refuses a declared type whose results could not be replayed, before anything runs.
     *
     * @throws IllegalArgumentException when no codec can read it back
     */
    public void require(Type type) {
        String unfinished = Unfinished.declared(type);
        if (unfinished != null) {
            throw new IllegalArgumentException(
                    unfinished + " can't be a result: it is none yet. Declare the type of its"
                            + " value, and get the value inside the action, or call attemptStage, which settles the call when a"
                            + " stage completes");
        }
        JsonTypes.Problem problem = codecFor(type) == JSON ? JsonTypes.problem(type) : null;
        if (problem != null) {
            List<String> reasons = Stream.concat(codecs.stream(), found.stream())
                    .flatMap(codec -> codec.refusal(type).stream())
                    .distinct()
                    .toList();
            String advice = problem.advice() != null
                    ? problem.advice()
                    : reasons.isEmpty()
                            ? "Make it a record, return a Map, add idem-jackson to the class path if Jackson can write "
                                    + "and read it"
                            : String.join(". ", reasons) + ". Or make it a record, return a Map";
            throw new IllegalArgumentException(problem.why() + ", so a result of type " + type.getTypeName()
                    + " could not be replayed. " + advice + ", or give a codec for it: Idem.builder().codec(...)");
        }
    }

    /**
     * The result as it is stored, of a value that a probe, a handler or a person gives.
     *
     * @throws IllegalArgumentException if the value is a future or the like
     */
    public Result encodeGiven(@Nullable Object value, Type type) {
        String unfinished = Unfinished.named(value);
        if (unfinished != null) {
            throw new IllegalArgumentException("the given value is " + unfinished
                    + ", which is no result yet: give its value. Nothing was changed");
        }
        return encode(value, type);
    }

    /** The result as it is stored. */
    @SuppressWarnings("CatchingUnchecked") // the effect has happened, whatever a codec throws
    public Result encode(@Nullable Object value, Type type) {
        if (type == Void.class || type == void.class || (value == null && isOptional(type))) {
            return new Result.Stored(Payload.of(new byte[0], "application/x-empty", VOID));
        }
        if (value == null) {
            return new Result.Stored(Payload.of(NULL, JsonCodec.MEDIA_TYPE, JsonCodec.NAME));
        }
        try {
            // Without a declared type, the value's own class decides; it is read back as text, bytes, maps and lists.
            Type actual = type == Object.class ? value.getClass() : type;
            return stored(codecFor(actual).encode(value, actual));
        } catch (Throwable e) {
            return new Result.Unavailable("it could not be serialised: " + e.getMessage());
        }
    }

    /** A result that is JSON in UTF-8 already. It is stored byte for byte. */
    public Result encodeJson(byte[] utf8) {
        try {
            return stored(Payload.of(utf8, JsonCodec.MEDIA_TYPE, JsonCodec.NAME));
        } catch (IOException e) {
            return new Result.Unavailable("it could not be compressed: " + e.getMessage());
        }
    }

    private Result stored(Payload payload) throws IOException {
        int length = payload.bytes().length;
        return length > largest
                ? new Result.Unavailable("it has " + length + " bytes, and at most " + largest + " are stored")
                : new Result.Stored(compress(payload));
    }

    /** The value of a stored payload. */
    public @Nullable Object decode(Payload payload, Type type) throws Exception {
        if (payload.codec().equals(VOID)) {
            return null;
        }
        Payload plain = decompress(payload);
        if (plain.codec().equals(JsonCodec.NAME) && isNull(plain.bytes()) && !isOptional(type)) {
            return null;
        }
        return fitting(reader(plain, type).decode(plain, type), type);
    }

    /** The codec that reads a payload. Where no type was declared, JSON of every codec becomes plain maps and lists. */
    private Codec reader(Payload payload, Type type) throws IOException {
        if (payload.codec().equals(JsonCodec.NAME)) {
            return JSON;
        }
        for (Codec codec : codecs) {
            if (codec.name().equals(payload.codec())) {
                return codec;
            }
        }
        for (Codec codec : found) {
            if (codec.name().equals(payload.codec())) {
                return type == Object.class && payload.mediaType().equals(JsonCodec.MEDIA_TYPE) ? JSON : codec;
            }
        }
        throw new IOException("it was written by the codec '" + payload.codec()
                + "', which is not registered; add it with codec(...) when you open Idem");
    }

    /** Whether the type is an optional: an empty optional and null are both null in JSON. */
    private static boolean isOptional(Type type) {
        return OPTIONALS.contains(raw(type));
    }

    private static Type raw(Type type) {
        // Checked first, because most types are classes, and a failing check against an interface is slow.
        return !(type instanceof Class<?>) && type instanceof ParameterizedType generic ? generic.getRawType() : type;
    }

    /** Fails for a value of another type here, and not later at the caller's cast. */
    private static @Nullable Object fitting(@Nullable Object value, Type type) throws IOException {
        if (value != null
                && raw(type) instanceof Class<?> wanted
                && !boxed(wanted).isInstance(value)) {
            throw new IOException(
                    "it is a " + value.getClass().getTypeName() + ", and was asked for as a " + type.getTypeName());
        }
        return value;
    }

    private static Class<?> boxed(Class<?> type) {
        return type.isPrimitive() ? MethodType.methodType(type).wrap().returnType() : type;
    }

    private Codec codecFor(Type type) {
        for (Codec codec : codecs) {
            if (codec.handles(type)) {
                return codec;
            }
        }
        if (!found.isEmpty() && !JsonTypes.areWritten(type)) {
            for (Codec codec : found) {
                if (codec.handles(type)) {
                    return codec;
                }
            }
        }
        return JSON;
    }

    private Payload compress(Payload payload) throws IOException {
        boolean readable =
                payload.mediaType().startsWith("text/") || payload.mediaType().equals(JsonCodec.MEDIA_TYPE);
        if (!readable
                || payload.bytes().length < gzipFrom
                || !payload.encoding().equals(Payload.IDENTITY)) {
            return payload;
        }
        var out = new ByteArrayOutputStream(payload.bytes().length / 3);
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(payload.bytes());
        }
        return out.size() < payload.bytes().length
                ? new Payload(out.toByteArray(), payload.mediaType(), payload.codec(), Payload.GZIP)
                : payload;
    }

    /** A payload whose bytes are not compressed. */
    public static Payload decompress(Payload payload) throws IOException {
        if (payload.encoding().equals(Payload.IDENTITY)) {
            return payload;
        } else if (!payload.encoding().equals(Payload.GZIP)) {
            throw new IOException("it is stored with the unknown encoding '" + payload.encoding() + "'");
        }
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(payload.bytes()))) {
            return Payload.of(gzip.readAllBytes(), payload.mediaType(), payload.codec());
        }
    }

    private static boolean isNull(byte[] bytes) {
        return Arrays.equals(bytes, NULL);
    }
}
