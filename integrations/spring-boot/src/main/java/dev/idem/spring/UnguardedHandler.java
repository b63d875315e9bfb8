package dev.idem.spring;

import java.util.List;

/**
 * A handler that changes something and is not guarded: a request with a key runs each time.
 *
 * @param methods the methods of HTTP
 * @param pattern the pattern of its path
 * @param handler the class and the name of the method
 */
public record UnguardedHandler(List<String> methods, String pattern, String handler) {}
