package glove.gateway;

import glove.wire.JsonKind;
import glove.wire.JsonSplice;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What is changed in messages that are passed on; all else stays byte for byte. Stateless. */
final class Rewriting {
    /** A member of {@code _meta} that says where a request comes from. */
    static final String SOURCE = "glove/upstream";

    private Rewriting() {}

    /** A request under another id and with another progress token, if it has one. */
    static JsonSplice request(Message request, byte[] id) {
        JsonSplice splice = new JsonSplice(request.root());
        request.root().member("id").ifPresent(old -> splice.replace(old, id));
        stripMeta(request, splice);
        request.progressToken().ifPresent(token -> splice.replace(token, id));
        return splice;
    }

    /** Members of {@code _meta} that belong to the protocol mean this hop alone. */
    static void stripMeta(Message message, JsonSplice splice) {
        Optional<JsonValue> meta = message.param("_meta");
        if (meta.isEmpty()) {
            return;
        }
        Set<String> own = new HashSet<>();
        for (JsonValue member : meta.get().children()) {
            if (member.name().toLowerCase(Locale.ROOT).startsWith(Protocol.OWN_META)) {
                own.add(member.name());
            }
        }
        if (!own.isEmpty()) {
            splice.remove(meta.get(), own);
        }
    }

    /** Says in a request which upstream it comes from. */
    static void tag(Message request, JsonSplice splice, String upstream) {
        byte[] name = new JsonWriter().value(upstream).toBytes();
        Optional<JsonValue> params = request.params();
        if (params.isEmpty()) {
            return;
        }
        Optional<JsonValue> meta = params.get().member("_meta", JsonKind.OBJECT);
        if (meta.isPresent()) {
            splice.put(meta.get(), SOURCE, name);
        } else {
            JsonWriter writer = new JsonWriter().beginObject().name(SOURCE).raw(name);
            splice.put(params.get(), "_meta", writer.endObject().toBytes());
        }
    }

    /** An answer under the id its receiver knows. */
    static byte[] answer(Message answer, byte[] id) {
        JsonValue old = answer.root().member("id").orElseThrow();
        return new JsonSplice(answer.root()).replace(old, id).toBytes();
    }

    /** A progress notification with the token its receiver knows. */
    static byte[] progress(Message progress, byte[] token) {
        JsonSplice splice = new JsonSplice(progress.root());
        stripMeta(progress, splice);
        splice.replace(progress.param(Protocol.PROGRESS_TOKEN).orElseThrow(), token);
        return splice.toBytes();
    }

    /**
     * Whether a token of progress is absent, or a string or an integer; and none is spelt so that
     * only a reader which ignores case would take it for one.
     */
    static boolean isTokenWell(Message request) {
        Optional<JsonValue> meta = request.param("_meta");
        if (meta.isPresent() && meta.get().hasLookalike(Protocol.PROGRESS_TOKEN)) {
            return false;
        }
        Optional<JsonValue> token = request.progressToken();
        return token.isEmpty() || MessageId.read(token.get()).isPresent();
    }
}
