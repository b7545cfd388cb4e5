package glove.gateway;

import glove.wire.JsonWriter;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Frames of our own. Whatever is put into them, they are valid JSON-RPC. Stateless. */
final class Answers {
    static final byte[] EMPTY_OBJECT = ascii("{}");

    /** Of words from elsewhere that are repeated. */
    private static final int SHOWN_MAX = 128;

    private Answers() {}

    /**
     * A result.
     *
     * @param result a value's valid text
     */
    static byte[] result(byte[] id, byte[] result) {
        return joined(ascii("{\"jsonrpc\":\"2.0\",\"id\":"), id, ascii(",\"result\":"), result);
    }

    /** An error, to an id or {@code null}. */
    static byte[] error(byte[] id, int code, String message) {
        JsonWriter error = new JsonWriter().beginObject();
        error.member("code", code).member("message", message).endObject();
        byte[] head = ascii("{\"jsonrpc\":\"2.0\",\"id\":");
        return joined(head, id, ascii(",\"error\":"), error.toBytes());
    }

    /** The result of a call that was not made; the client can tell it from a tool's own error. */
    static byte[] denial(byte[] id, String text) {
        return toolError(id, text, true);
    }

    /** The result of a tool that tells the model why there is none. */
    static byte[] toolError(byte[] id, String text) {
        return toolError(id, text, false);
    }

    private static byte[] toolError(byte[] id, String text, boolean isDenied) {
        JsonWriter result = new JsonWriter().beginObject().name("content").beginArray();
        result.beginObject().member("type", "text").member("text", text).endObject();
        result.endArray().member("isError", true);
        if (isDenied) {
            result.name("_meta").beginObject().member("glove/denied", true).endObject();
        }
        result.endObject();
        return result(id, result.toBytes());
    }

    /**
     * A request.
     *
     * @param params a value's valid text
     */
    static byte[] request(long id, String method, byte[] params) {
        JsonWriter request = new JsonWriter().beginObject().member("jsonrpc", "2.0");
        request.member("id", id).member("method", method).name("params").raw(params);
        return request.endObject().toBytes();
    }

    /** A notification without params. */
    static byte[] notification(String method) {
        JsonWriter frame = new JsonWriter().beginObject().member("jsonrpc", "2.0");
        return frame.member("method", method).endObject().toBytes();
    }

    /**
     * Tells that a request is given up.
     *
     * @param id as its receiver knows it
     */
    static byte[] cancelled(byte[] id, String reason) {
        JsonWriter frame = new JsonWriter().beginObject().member("jsonrpc", "2.0");
        frame.member("method", Protocol.CANCELLED).name("params").beginObject();
        frame.name("requestId").raw(id).member("reason", reason);
        return frame.endObject().endObject().toBytes();
    }

    /** Foreign words, short and without anything a terminal would obey. */
    static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length() && i < SHOWN_MAX; i++) {
            char c = text.charAt(i);
            boolean plain = !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT;
            shown.append(plain ? c : '?');
        }
        return text.length() > SHOWN_MAX ? shown.append("...").toString() : shown.toString();
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        all.write('}');
        return all.toByteArray();
    }
}
