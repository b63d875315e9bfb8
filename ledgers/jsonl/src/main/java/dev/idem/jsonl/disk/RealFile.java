package dev.idem.jsonl.disk;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file of this host. Not a channel: an interrupt during a read would close a channel for all threads.
 */
final class RealFile implements Disk.OpenFile {
    private static final int READERS = 4;

    private final RandomAccessFile writer;
    private final Reader[] readers = new Reader[READERS];

    RealFile(Path file) throws IOException {
        this.writer = new RandomAccessFile(file.toFile(), "rw");
        try {
            for (int i = 0; i < READERS; i++) {
                readers[i] = new Reader(new RandomAccessFile(file.toFile(), "r"), new ReentrantLock());
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    @Override
    public long size() throws IOException {
        return writer.length();
    }

    @Override
    public int read(long at, byte[] into, int from, int length) throws IOException {
        Reader reader = take();
        try {
            reader.file.seek(at);
            int done = 0;
            while (done < length) {
                int more = reader.file.read(into, from + done, length - done);
                if (more < 0) {
                    break;
                }
                done += more;
            }
            return done;
        } finally {
            reader.lock.unlock();
        }
    }

    private Reader take() {
        int first = (int) (Thread.currentThread().getId() % READERS);
        for (int i = 0; i < READERS; i++) {
            Reader reader = readers[(first + i) % READERS];
            if (reader.lock.tryLock()) {
                return reader;
            }
        }
        readers[first].lock.lock();
        return readers[first];
    }

    @Override
    public void write(long at, byte[] bytes, int from, int length) throws IOException {
        writer.seek(at);
        writer.write(bytes, from, length);
    }

    @Override
    public void truncate(long size) throws IOException {
        writer.setLength(size);
    }

    @Override
    public void sync() throws IOException {
        writer.getFD().sync();
    }

    @Override
    public void close() throws IOException {
        writer.close();
        for (Reader reader : readers) {
            if (reader != null) {
                reader.file.close();
            }
        }
    }

    private record Reader(RandomAccessFile file, ReentrantLock lock) {}
}
