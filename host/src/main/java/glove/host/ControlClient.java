package glove.host;

import glove.host.ClientException.Kind;
import glove.journal.DurableFileException;
import glove.journal.ProtectedFile;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.PollFd;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.Id128;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The owner's way to the daemon (sheet 81, 12): a connection for each request, to a socket and with
 * a secret that nobody else can have put there. A request and its response have five seconds
 * together. Immutable; may be used by several threads.
 */
public final class ControlClient {
    private static final long PATIENCE_MS = 5000;
    private static final long RETRY_MS = 10;
    private static final long NANOS = 1_000_000;
    private static final JsonLimits LIMITS =
            new JsonLimits(ControlProtocol.FRAME_BYTES_MAX, 64, 64, 4096, 4096, 1 << 18);

    private final Linux linux;
    private final UnixPath runtime;
    private final long patienceMs;

    /**
     * To the daemon of a runtime directory; nothing is touched yet.
     *
     * @param runtime absolute
     */
    public ControlClient(Linux linux, UnixPath runtime) {
        this(linux, runtime, PATIENCE_MS);
    }

    /** The same with another patience than five seconds. */
    ControlClient(Linux linux, UnixPath runtime, long patienceMs) {
        this.linux = linux;
        this.runtime = runtime;
        this.patienceMs = patienceMs;
    }

    /** For methods that are asked nothing. */
    public JsonValue ask(String method) throws ClientException {
        return call(method, Optional.empty(), JsonWriter::nullValue);
    }

    /** For methods that change nothing. */
    public JsonValue ask(String method, Consumer<JsonWriter> payload) throws ClientException {
        return call(method, Optional.empty(), payload);
    }

    /** For methods that change something: done once under the key. */
    public JsonValue change(String method, Id128 key, Consumer<JsonWriter> payload)
            throws ClientException {
        return call(method, Optional.of(key), payload);
    }

    private JsonValue call(String method, Optional<Id128> key, Consumer<JsonWriter> payload)
            throws ClientException {
        long nowMs = System.currentTimeMillis();
        long end = System.nanoTime() + patienceMs * NANOS;
        String id = "glove-local-" + linux.getpid() + "-" + nowMs;
        try (OwnedFd socket = connect(end)) {
            JsonWriter out = JsonWriter.canonical().beginObject();
            out.member("jsonrpc", "2.0").member("id", id).member("method", method);
            out.name("params")
                    .beginObject()
                    .member("schema_version", 1)
                    .member("bootstrap_secret", secret())
                    .member("deadline_ms", nowMs + patienceMs);
            key.ifPresent(known -> out.member("idempotency_key", known.text()));
            payload.accept(out.name("payload"));
            byte[] request = out.endObject().endObject().toBytes();
            try {
                Exchange exchange = new Exchange(socket, end);
                exchange.send(request);
                return result(id, exchange.receive());
            } catch (ClientException e) {
                throw key.isPresent() && e.kind() == Kind.BROKEN ? unknown(e.getMessage()) : e;
            } catch (ErrnoException e) {
                throw key.isPresent()
                        ? unknown(brokenBy(e))
                        : new ClientException(Kind.BROKEN, brokenBy(e));
            }
        } catch (ErrnoException e) {
            throw new ClientException(Kind.BROKEN, brokenBy(e));
        }
    }

    private static String brokenBy(ErrnoException e) {
        return "the connection to gloved failed: " + Errno.words(e.errno());
    }

    /** The request may have arrived, as a whole. */
    private static ClientException unknown(String why) {
        return new ClientException(Kind.UNKNOWN, why + ": it is not known whether it was done");
    }

    private String secret() throws ClientException {
        UnixPath file = runtime.resolve(RuntimeDirectory.SECRET);
        try {
            byte[] content = ProtectedFile.read(
                    linux, "the secret", file, RuntimeDirectory.SECRET_FILE_BYTES);
            return new String(content, StandardCharsets.ISO_8859_1).strip();
        } catch (DurableFileException e) {
            throw new ClientException(Kind.UNSAFE, e.getMessage());
        }
    }

    private OwnedFd connect(long end) throws ClientException, ErrnoException {
        UnixPath path = runtime.resolve(RuntimeDirectory.SOCKET);
        int flags = OpenFlags.O_PATH | OpenFlags.O_NOFOLLOW;
        OwnedFd stream;
        try (OwnedFd file = linux.open(path, flags, 0)) {
            Stat stat = linux.fstat(file);
            if (!stat.isSocket() || stat.uid() != linux.geteuid()) {
                throw new ClientException(Kind.UNSAFE, "'" + path + "' is no socket of yours");
            }
            stream = connected(file, end);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.ECONNREFUSED) {
                throw new ClientException(
                        Kind.NOT_RUNNING, "gloved is not running: nobody serves '" + path + "'");
            }
            throw e;
        }
        boolean trusted = false;
        try {
            if (linux.peer(stream).uid() != linux.geteuid()) {
                throw new ClientException(Kind.UNSAFE, "'" + path + "' is served by somebody else");
            }
            trusted = true;
            return stream;
        } finally {
            if (!trusted) {
                stream.close();
            }
        }
    }

    /** Its queue may be full for a moment. */
    private OwnedFd connected(OwnedFd file, long end) throws ErrnoException {
        for (; ; ) {
            try {
                return linux.connectUnix(file);
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EAGAIN || System.nanoTime() > end) {
                    throw e;
                }
            }
            linux.poll(List.of(), RETRY_MS);
        }
    }

    private static JsonValue result(String id, byte[] response) throws ClientException {
        ClientException broken = new ClientException(
                Kind.BROKEN, "gloved gave a response that is none of this protocol");
        JsonProblems problems = JsonProblems.first();
        JsonFields fields;
        try {
            fields = JsonFields.of(JsonText.value(response, LIMITS).root(), problems);
        } catch (JsonException e) {
            throw broken;
        }
        boolean ours =
                fields.string("jsonrpc").equals("2.0") && fields.string("id").equals(id);
        Optional<JsonValue> result = fields.raw("result");
        Optional<JsonValue> error = fields.raw("error");
        fields.end();
        if (!problems.isEmpty() || result.isPresent() == error.isPresent()) {
            throw broken;
        }
        if (error.isPresent()) {
            JsonFields said = JsonFields.of(error.get(), problems);
            String code = said.string("code");
            String message = said.string("message");
            said.end();
            throw problems.isEmpty() ? new ClientException(code, message) : broken;
        }
        if (!ours || !result.orElseThrow().is(JsonKind.OBJECT)) {
            throw broken;
        }
        return result.orElseThrow();
    }

    /** One request and its response, until a moment. Confined to one thread. */
    private final class Exchange {
        private final OwnedFd socket;
        private final long end;

        Exchange(OwnedFd socket, long end) {
            this.socket = socket;
            this.end = end;
        }

        private void await(int events) throws ErrnoException, ClientException {
            long left = (end - System.nanoTime()) / NANOS;
            if (left <= 0 || linux.poll(List.of(new PollFd(socket, events)), left)[0] == 0) {
                throw new ClientException(
                        Kind.BROKEN, "gloved did not answer within " + patienceMs + " ms");
            }
        }

        void send(byte[] request) throws ErrnoException, ClientException {
            JsonFrame frame = new JsonFrame(request);
            for (int sent = 0; sent < frame.length(); ) {
                int count = linux.send(socket, frame.bytes(), sent, frame.length() - sent);
                if (count == Linux.WOULD_BLOCK) {
                    await(PollFd.POLLOUT);
                } else {
                    sent += count;
                }
            }
        }

        byte[] receive() throws ErrnoException, ClientException {
            byte[] length = exactly(JsonFrame.LENGTH_BYTES);
            int count = JsonFrame.length(length);
            if (count < 1 || count > ControlProtocol.FRAME_BYTES_MAX) {
                throw new ClientException(Kind.BROKEN, "gloved gave a frame of a wrong length");
            }
            return exactly(count);
        }

        private byte[] exactly(int count) throws ErrnoException, ClientException {
            byte[] bytes = new byte[count];
            for (int filled = 0; filled < count; ) {
                int more = linux.recv(socket, bytes, filled, count - filled, 0);
                if (more == 0) {
                    throw new ClientException(
                            Kind.BROKEN, "gloved closed the connection without an answer");
                }
                if (more == Linux.WOULD_BLOCK) {
                    await(PollFd.POLLIN);
                } else {
                    filled += more;
                }
            }
            return bytes;
        }
    }
}
