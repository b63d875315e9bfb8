package dev.idem.http.servlet;

import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * A multipart body, put together from the parts that the container has read. Only the container can give parts to a
 * handler, and it reads the body itself, so the guard sees the body through the parts.
 */
final class PartsBody {
    private PartsBody() {}

    static InputStream open(Collection<Part> parts, String contentType) throws IOException {
        String line = "--" + boundary(contentType);
        List<InputStream> all = new ArrayList<>();
        for (Part part : parts) {
            String disposition = part.getHeader("Content-Disposition");
            all.add(text(line + "\r\nContent-Disposition: " + disposition + "\r\n\r\n"));
            all.add(part.getInputStream());
            all.add(text("\r\n"));
        }
        all.add(text(line + "--\r\n"));
        return new java.io.SequenceInputStream(Collections.enumeration(all));
    }

    /** The boundary that the client has chosen: no part contains it. */
    static String boundary(String contentType) {
        int at = contentType.toLowerCase(java.util.Locale.ROOT).indexOf("boundary=");
        String rest = at < 0 ? "" : contentType.substring(at + "boundary=".length());
        if (rest.startsWith("\"")) {
            int end = rest.indexOf('"', 1);
            return end < 0 ? rest.substring(1) : rest.substring(1, end);
        }
        int end = rest.indexOf(';');
        return (end < 0 ? rest : rest.substring(0, end)).strip();
    }

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
