package glove.sys;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One thread's memory for system calls, in native order: a path, a structure, and 64 KiB for bulk
 * data from the first call that needs them. Reachable as long as its thread, so an address stays
 * valid for a call. Confined to its thread; the next use of a part overwrites it.
 */
final class CallMemory {
    static final int PATH_BYTES_MAX = 4096;
    static final int CHUNK_BYTES = 64 << 10;

    private static final int STRUCTURE_BYTES = 512;

    /** A class, not a lambda: the first lambda of a process costs milliseconds. */
    private static final ThreadLocal<CallMemory> CURRENT = new ThreadLocal<>() {
        @Override
        protected CallMemory initialValue() {
            return new CallMemory();
        }
    };

    private final ByteBuffer path;
    private final ByteBuffer structure;
    private final long pathAddress;
    private final long structureAddress;
    private ByteBuffer bulk;
    private long bulkAddress;

    private CallMemory() {
        NativeSyscalls.load();
        path = allocate(PATH_BYTES_MAX + 1);
        structure = allocate(STRUCTURE_BYTES);
        pathAddress = NativeSyscalls.address(path);
        structureAddress = NativeSyscalls.address(structure);
        bulk = allocate(0);
    }

    /** The calling thread's. */
    static CallMemory get() {
        return CURRENT.get();
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** Address of a NUL-ended path. */
    long path(UnixPath text) {
        write(path, text);
        return pathAddress;
    }

    /** Address of a second path, for calls that take two; it lies in the bulk memory. */
    long secondPath(UnixPath text) {
        long address = bulk();
        write(bulk, text);
        return address;
    }

    private static void write(ByteBuffer buffer, UnixPath text) {
        buffer.clear();
        if (text.length() < PATH_BYTES_MAX) {
            text.copyTo(buffer);
            return;
        }
        // Too long for the kernel as well: as many bytes again give its ENAMETOOLONG.
        for (int i = 0; i < PATH_BYTES_MAX; i++) {
            buffer.put((byte) 'x');
        }
        buffer.put((byte) 0);
    }

    /** Address of that many zeros, to be read and written through {@link #structure()}. */
    long structure(int bytes) {
        for (int i = 0; i < bytes; i += Long.BYTES) {
            structure.putLong(i, 0);
        }
        return structureAddress;
    }

    /** The same address for a structure the kernel fills whole: what was there stays until then. */
    long structureToFill() {
        return structureAddress;
    }

    /** What {@link #structure(int)} gave the address of. */
    ByteBuffer structure() {
        return structure;
    }

    /** Address of {@link #CHUNK_BYTES}. */
    long bulk() {
        if (bulk.capacity() == 0) {
            bulk = allocate(CHUNK_BYTES);
            bulkAddress = NativeSyscalls.address(bulk);
        }
        return bulkAddress;
    }

    /** Address of a copy of some bytes, at most {@link #CHUNK_BYTES}. */
    long bulk(byte[] bytes, int at, int length) {
        long address = bulk();
        bulk.put(0, bytes, at, length);
        return address;
    }

    /** What {@link #bulk()} gave the address of. */
    ByteBuffer bulkBuffer() {
        return bulk;
    }

    /** A copy of its first bytes. */
    byte[] bulkBytes(int length) {
        byte[] copy = new byte[length];
        bulk.get(0, copy);
        return copy;
    }
}
