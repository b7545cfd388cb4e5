package glove.sandbox;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The one call Glove makes to a service manager, in the D-Bus wire format, little-endian, and what
 * it must know of the answer (D-Bus specification, "Message Format"). Stateless but for the bytes
 * under construction; confined to one thread.
 *
 * <p>A message is a fixed part of 16 bytes, the header fields, zeros to a multiple of eight, and
 * the body. Each value stands at a multiple of its own size; structures at one of eight.
 */
final class BusMessage {
    /** Bytes of a message that tell how long it is. */
    static final int FIXED_BYTES = 16;

    static final int METHOD_RETURN = 2;
    static final int ERROR = 3;

    private static final int METHOD_CALL = 1;
    private static final int VERSION = 1;
    private static final int SERIAL = 1;
    private static final int BODY_LENGTH_AT = 4;
    private static final int FIELDS_LENGTH_AT = 12;
    private static final int PATH = 1;
    private static final int INTERFACE = 2;
    private static final int MEMBER = 3;
    private static final int ERROR_NAME = 4;
    private static final int DESTINATION = 6;
    private static final int SIGNATURE = 8;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private BusMessage() {}

    /** What is sent before the first message to be known by one's user id. */
    static byte[] authentication(int uid) {
        StringBuilder hex = new StringBuilder();
        String digits = Integer.toString(uid);
        for (int i = 0; i < digits.length(); i++) {
            hex.append('3').append(digits.charAt(i)); // ASCII digits in hexadecimal
        }
        return ("\0AUTH EXTERNAL " + hex + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** What follows the server's {@code OK}. */
    static byte[] begin() {
        return "BEGIN\r\n".getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * StartTransientUnit of org.freedesktop.systemd1.Manager: a scope around a process, delegated,
     * gone with its last process.
     *
     * @param unit its name, ending in {@code .scope}
     */
    static byte[] startScope(String unit, int pid) {
        BusMessage body = new BusMessage();
        body.string(unit);
        body.string("fail"); // rather than to replace another unit of that name
        int properties = body.openArray();
        body.property("Description", "s");
        body.string("glove exec, process " + pid);
        body.property("CollectMode", "s");
        body.string("inactive-or-failed");
        body.property("Delegate", "b");
        body.number(1);
        body.property("PIDs", "au");
        int pids = body.openArray();
        body.number(pid);
        body.closeArray(pids, 4);
        body.closeArray(properties, 8);
        body.number(0); // no auxiliary units; an empty array of structures is padded too
        body.align(8);
        return call("StartTransientUnit", "ssa(sv)a(sa(sv))", body.bytes.toByteArray());
    }

    private static byte[] call(String member, String signature, byte[] body) {
        BusMessage message = new BusMessage();
        message.bytes.write('l');
        message.bytes.write(METHOD_CALL);
        message.bytes.write(0);
        message.bytes.write(VERSION);
        message.number(body.length);
        message.number(SERIAL);
        int fields = message.openArray();
        message.field(PATH, "o", "/org/freedesktop/systemd1");
        message.field(INTERFACE, "s", "org.freedesktop.systemd1.Manager");
        message.field(MEMBER, "s", member);
        message.field(DESTINATION, "s", "org.freedesktop.systemd1");
        message.align(8);
        message.bytes.write(SIGNATURE);
        message.signature("g");
        message.signature(signature);
        message.closeArray(fields, 8);
        message.align(8);
        message.bytes.write(body, 0, body.length);
        return message.bytes.toByteArray();
    }

    private void field(int code, String type, String value) {
        align(8);
        bytes.write(code);
        signature(type);
        string(value);
    }

    /** The name and type of one {@code (sv)}; the value is to follow. */
    private void property(String name, String type) {
        align(8);
        string(name);
        signature(type);
    }

    private void signature(String text) {
        bytes.write(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes.write(text.charAt(i));
        }
        bytes.write(0);
    }

    private void string(String text) {
        number(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes.write(text.charAt(i));
        }
        bytes.write(0);
    }

    private void number(int value) {
        align(4);
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            bytes.write(value >>> shift);
        }
    }

    private void align(int size) {
        while (bytes.size() % size != 0) {
            bytes.write(0);
        }
    }

    /** Room for the length of an array; returns where it is. */
    private int openArray() {
        number(0);
        return bytes.size() - Integer.BYTES;
    }

    /** The length counts from the first element, not from the padding before it. */
    private void closeArray(int at, int elementAlignment) {
        byte[] all = bytes.toByteArray();
        int first = at + Integer.BYTES;
        while (first % elementAlignment != 0) {
            first++;
        }
        int length = all.length - first;
        for (int i = 0; i < Integer.BYTES; i++) {
            all[at + i] = (byte) (length >>> (Byte.SIZE * i));
        }
        bytes.reset();
        bytes.write(all, 0, all.length);
    }

    /**
     * How long a message is.
     *
     * @param fixed at least its first {@link #FIXED_BYTES}
     * @return bytes; -1 for what is no little-endian message
     */
    static long length(byte[] fixed) {
        if (fixed.length < FIXED_BYTES || fixed[0] != 'l' || fixed[3] != VERSION) {
            return -1;
        }
        long fields = unsigned(fixed, FIELDS_LENGTH_AT);
        return FIXED_BYTES + (fields + 7) / 8 * 8 + unsigned(fixed, BODY_LENGTH_AT);
    }

    /** {@link #METHOD_RETURN}, {@link #ERROR}, or another that does not concern a caller. */
    static int type(byte[] message) {
        return message[1];
    }

    /** The name of the error an answer reports, {@code org.freedesktop...}; empty without one. */
    static String errorName(byte[] message) {
        int end = FIXED_BYTES + (int) unsigned(message, FIELDS_LENGTH_AT);
        int at = FIXED_BYTES;
        while (at + 8 <= end && end <= message.length) {
            int code = message[at];
            int type = message[at + 2];
            boolean text = type == 's' || type == 'o';
            int value = at + 4; // code, length of the signature, its one letter, its end
            if (type == 'g') {
                at = value + 1 + message[value] + 1;
            } else if (text) {
                int length = (int) unsigned(message, value);
                int start = value + Integer.BYTES;
                if (code == ERROR_NAME && length >= 0 && start + length <= end) {
                    return new String(
                            Arrays.copyOfRange(message, start, start + length),
                            StandardCharsets.US_ASCII);
                }
                at = start + Math.max(0, length) + 1;
            } else {
                at = value + Integer.BYTES;
            }
            at = (at + 7) / 8 * 8;
        }
        return "";
    }

    private static long unsigned(byte[] bytes, int at) {
        return (bytes[at] & 0xffL)
                | (bytes[at + 1] & 0xffL) << 8
                | (bytes[at + 2] & 0xffL) << 16
                | (bytes[at + 3] & 0xffL) << 24;
    }
}
