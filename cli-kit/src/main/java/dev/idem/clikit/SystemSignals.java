package dev.idem.clikit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The signals of the operating system, through the one class of the JDK that tells which it was. Reached by reflection,
 * since the compiler warns of that class and the warning can't be switched off.
 */
final class SystemSignals {
    private SystemSignals() {}

    /** Sends INT, TERM and HUP there, by name and number; those that were ignored at the start stay ignored. */
    static void sendTo(ObjIntConsumer<String> receiver) {
        for (String name : new String[] {"INT", "TERM", "HUP"}) {
            handle(name, receiver);
        }
    }

    private static void handle(String name, ObjIntConsumer<String> receiver) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler body =
                    (proxy, method, arguments) -> called(receiver, name, proxy, method.getName(), arguments);
            Object proxy = Proxy.newProxyInstance(SystemSignals.class.getClassLoader(), new Class<?>[] {handler}, body);
            Object instance = signal.getConstructor(String.class).newInstance(name);
            signal.getMethod("handle", signal, handler).invoke(null, instance, proxy);
        } catch (ReflectiveOperationException e) {
            // Not a signal of this system, or kept by the virtual machine: its own way of ending applies.
            return;
        }
    }

    private static @Nullable Object called(
            ObjIntConsumer<String> receiver,
            String name,
            Object proxy,
            String method,
            @Nullable Object @Nullable [] arguments)
            throws ReflectiveOperationException {
        if (method.equals("handle") && arguments != null && arguments[0] != null) {
            Object number = arguments[0].getClass().getMethod("getNumber").invoke(arguments[0]);
            receiver.accept(name, (Integer) number);
            return null;
        }
        return switch (method) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "signals of " + name;
        };
    }
}
