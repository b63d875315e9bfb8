package dev.idem.agent.check;

import dev.idem.agent.tool.Once;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Finds {@link Once} methods that are called by their own class. Such a call goes past the session or the proxy that guards
 * the method. The constants of a class file name every method that its code calls.
 */
final class SelfCalls {
    private static final int MAGIC = 0xCAFEBABE;
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int NAME_AND_TYPE = 12;

    private final Map<Integer, String> texts = new HashMap<>();
    private final Map<Integer, Integer> classes = new HashMap<>();
    private final Map<Integer, int[]> namesAndTypes = new HashMap<>();
    private final List<int[]> methods = new ArrayList<>();

    private SelfCalls() {}

    /** The guarded methods of a class that it calls itself. */
    static List<Method> in(Class<?> type) throws IOException {
        List<Method> guarded = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Once.class) && !isCalledByABridge(type, method))
                .toList();
        if (guarded.isEmpty()) {
            return guarded;
        }
        String name = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(name)) {
            if (in == null) {
                return List.of();
            }
            SelfCalls calls = new SelfCalls();
            calls.read(new DataInputStream(in));
            return guarded.stream().filter(method -> calls.has(type, method)).toList();
        }
    }

    /** The compiler writes a method that calls this one. */
    private static boolean isCalledByABridge(Class<?> type, Method method) {
        return Arrays.stream(type.getDeclaredMethods())
                .anyMatch(each -> each.isBridge() && each.getName().equals(method.getName()));
    }

    private void read(DataInputStream in) throws IOException {
        if (in.readInt() != MAGIC) {
            throw new IOException("no class file");
        }
        in.readInt();
        int count = in.readUnsignedShort();
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case UTF8 -> texts.put(i, in.readUTF());
                case CLASS -> classes.put(i, in.readUnsignedShort());
                case METHOD -> methods.add(new int[] {in.readUnsignedShort(), in.readUnsignedShort()});
                case NAME_AND_TYPE -> namesAndTypes.put(i, new int[] {in.readUnsignedShort(), in.readUnsignedShort()});
                case LONG, DOUBLE -> {
                    in.readLong();
                    i++;
                }
                // Strings, method types, modules and packages have two bytes, method handles three, all others four.
                case 8, 16, 19, 20 -> in.readUnsignedShort();
                case 15 -> in.skipNBytes(3);
                default -> in.readInt();
            }
        }
    }

    private boolean has(Class<?> type, Method method) {
        String owner = type.getName().replace('.', '/');
        String descriptor = MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .toMethodDescriptorString();
        return methods.stream().anyMatch(each -> {
            int[] named = Objects.requireNonNull(namesAndTypes.get(each[1]));
            return owner.equals(texts.get(classes.get(each[0])))
                    && method.getName().equals(texts.get(named[0]))
                    && descriptor.equals(texts.get(named[1]));
        });
    }
}
