package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.wire.FrameException;
import glove.wire.JsonException;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.LineFrames;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The other end of a channel: what the test says there, and what it hears. */
final class TestPeer implements AutoCloseable {
    private final Room room;
    private final OwnedFd in;
    private final OwnedFd out;
    private final LineFrames lines = new LineFrames(64 << 20);
    private final byte[] chunk = new byte[64 << 10];
    private boolean isEnded;
    private int saidOfFlood;

    /** What is heard comes from {@code in}; both may be one socket. */
    TestPeer(Room room, OwnedFd in, OwnedFd out) {
        this.room = room;
        this.in = in;
        this.out = out;
    }

    static String json(String text) {
        return text.replace('\'', '"');
    }

    /** Says a line; apostrophes are quotes. */
    void say(String line) {
        sayBytes((json(line) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Says a line and gives the gateway no turn. */
    void tell(String line) {
        byte[] bytes = (json(line) + "\n").getBytes(StandardCharsets.UTF_8);
        assertThat(write(bytes, 0)).isEqualTo(bytes.length);
    }

    /** Says bytes as they are. */
    void sayBytes(byte[] bytes) {
        int at = 0;
        int idle = 0;
        while (at < bytes.length) {
            int count = write(bytes, at);
            at += Math.max(count, 0);
            if (count < 0) {
                room.turn();
                assertThat(++idle).as("the gateway does not read").isLessThan(10_000);
            }
        }
        room.turns();
    }

    /** Says as much of it as is taken while the gateway has its turns; how much that was. */
    int sayWhatIsTaken(byte[] bytes) {
        int at = 0;
        int idle = 0;
        while (at < bytes.length && idle < 50) {
            int count = write(bytes, at);
            at += Math.max(count, 0);
            idle = count < 0 ? idle + 1 : 0;
            room.turn();
        }
        return at;
    }

    /**
     * Says a line over and over, and goes on in it where it stopped the last time, as much as is
     * taken without giving the gateway a turn; how much that was.
     */
    int sayNow(byte[] flood) {
        return sayNow(flood, Integer.MAX_VALUE);
    }

    /** The same, at most so much. */
    int sayNow(byte[] flood, int most) {
        int said = 0;
        saidOfFlood %= flood.length;
        while (said < most) {
            int count = write(flood, saidOfFlood);
            if (count <= 0) {
                break;
            }
            said += count;
            saidOfFlood = (saidOfFlood + count) % flood.length;
        }
        return said;
    }

    private int write(byte[] bytes, int at) {
        try {
            return Linux.host().writeNow(out, bytes, at, bytes.length - at);
        } catch (ErrnoException e) {
            throw new AssertionError("the gateway has hung up", e);
        }
    }

    /** The next line, if one came. */
    Optional<byte[]> poll() {
        room.turns();
        return take();
    }

    /** What has come, without giving the gateway a turn. */
    Optional<byte[]> peek() {
        return take();
    }

    private Optional<byte[]> take() {
        try {
            Optional<byte[]> line = lines.take();
            while (line.isEmpty() && receive()) {
                line = lines.take();
            }
            return line;
        } catch (FrameException e) {
            throw new AssertionError(e);
        }
    }

    private boolean receive() {
        try {
            int count = Linux.host().readNow(in, chunk, 0, chunk.length);
            isEnded |= count == 0;
            if (count > 0) {
                lines.add(Arrays.copyOf(chunk, count));
            }
            return count > 0;
        } catch (ErrnoException e) {
            isEnded = true;
            return false;
        }
    }

    /** The next line as it was sent; there must be one. */
    String line() {
        Optional<byte[]> line = poll();
        for (int i = 0; i < 2000 && line.isEmpty() && !isEnded; i++) {
            line = poll();
        }
        assertThat(line)
                .as("a line that was expected; reports: " + room.reports)
                .isPresent();
        return new String(line.orElseThrow(), StandardCharsets.UTF_8);
    }

    /** The next message. */
    JsonValue next() {
        return parse(line());
    }

    static JsonValue parse(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        try {
            return JsonText.frame(bytes, 0, bytes.length, JsonLimits.FRAME).root();
        } catch (JsonException e) {
            throw new AssertionError("the gateway sent what is no JSON: " + line, e);
        }
    }

    /** The next message, which must be a request or notification of that name. */
    JsonValue expect(String method) {
        JsonValue message = next();
        assertThat(message.member("method").map(JsonValue::string))
                .as("%s", message)
                .contains(method);
        return message;
    }

    /** Answers a request. */
    void answer(JsonValue request, String result) {
        say("{'jsonrpc':'2.0','id':" + id(request) + ",'result':" + result + "}");
    }

    void fail(JsonValue request, int code, String message) {
        say("{'jsonrpc':'2.0','id':" + id(request) + ",'error':{'code':" + code + ",'message':'"
                + message + "'}}");
    }

    static String id(JsonValue message) {
        return message.member("id").orElseThrow().toJson();
    }

    /** Nothing more has come. */
    void silence() {
        Optional<byte[]> line = poll();
        assertThat(line.map(bytes -> new String(bytes, StandardCharsets.UTF_8)))
                .as("an unexpected line")
                .isEmpty();
    }

    /** All that has come. */
    List<String> all() {
        List<String> all = new ArrayList<>();
        for (Optional<byte[]> line = poll(); line.isPresent(); line = poll()) {
            all.add(new String(line.get(), StandardCharsets.UTF_8));
        }
        return all;
    }

    /** Whether the gateway has hung up, after all it said was read. */
    boolean isHungUp() {
        all();
        return isEnded;
    }

    /** Says that it will say no more, and still listens. */
    void endWriting() {
        try {
            Linux.host().endWriting(out);
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
        room.turns();
    }

    /** Reads no more, and still speaks. */
    void endReading() {
        in.close();
        room.turns();
    }

    // Of an agent.

    /** Begins a session as an agent; the answer. */
    JsonValue greet(String revision, String capabilities) {
        say("{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'"
                + revision + "','capabilities':" + capabilities
                + ",'clientInfo':{'name':'test','version':'1'}}}");
        JsonValue answer = next();
        say("{'jsonrpc':'2.0','method':'notifications/initialized'}");
        return answer;
    }

    TestPeer greeted() {
        greet("2025-11-25", "{}");
        return this;
    }

    /** Asks; nothing is read. */
    void ask(String id, String method, String params) {
        say("{'jsonrpc':'2.0','id':" + id + ",'method':'" + method + "','params':" + params + "}");
    }

    /** Asks and returns what came, which must be the answer. */
    JsonValue asked(String id, String method, String params) {
        ask(id, method, params);
        JsonValue answer = next();
        assertThat(id(answer)).as("%s", answer).isEqualTo(json(id));
        return answer;
    }

    // Of an upstream.

    /** Answers the gateway's initialize. */
    TestPeer welcome(String capabilities) {
        JsonValue hello = expect("initialize");
        answer(
                hello,
                "{'protocolVersion':'2025-11-25','capabilities':" + capabilities
                        + ",'serverInfo':{'name':'up','version':'1'}}");
        expect("notifications/initialized");
        return this;
    }

    /** Answers the next request for a list with one page. */
    TestPeer list(String method, String result) {
        answer(expect(method), result);
        return this;
    }

    /** Welcomes, with tools of these names. */
    TestPeer tools(String... names) {
        welcome("{'tools':{'listChanged':true}}");
        return list("tools/list", toolList(names));
    }

    static String toolList(String... names) {
        StringBuilder list = new StringBuilder("{'tools':[");
        for (String name : names) {
            list.append(list.length() > 10 ? "," : "")
                    .append("{'name':'")
                    .append(name)
                    .append("','description':'does ")
                    .append(name)
                    .append("','inputSchema':{'type':'object'}}");
        }
        return list.append("]}").toString();
    }

    @Override
    public void close() {
        in.close();
        out.close();
    }
}
