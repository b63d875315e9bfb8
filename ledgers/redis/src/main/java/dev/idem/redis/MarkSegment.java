package dev.idem.redis;

import dev.idem.entry.Mark;
import java.util.ArrayList;
import java.util.List;

/** The marks of an entry, oldest first; each is packed alone and put behind the others. */
final class MarkSegment {
    private MarkSegment() {}

    static byte[] pack(Mark mark) {
        FieldWriter writer = new FieldWriter(64).text(mark.name());
        OwnerSegment.process(writer, mark.child());
        return writer.bytes();
    }

    static List<Mark> unpack(FieldReader reader) {
        if (reader.atEnd()) {
            return List.of();
        }
        List<Mark> marks = new ArrayList<>();
        while (!reader.atEnd()) {
            marks.add(new Mark(reader.text(), OwnerSegment.process(reader)));
        }
        return marks;
    }
}
