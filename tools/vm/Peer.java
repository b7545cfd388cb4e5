import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * A controller of gloved, for reboot-in-guest: what it is told before a reboot it must be told
 * after it. Arguments: what to do, the directory of the daemon, and a file of receipt journals.
 */
public final class Peer {
    private static final int SESSIONS = 20;
    private static final String KEY_ID =
            "b97d6f8d2ae381761ea00f360c230cf75e8de5fdc6a8d25624a5c36b97f0d475";

    private final Path directory;
    private final String secret;

    private Peer(Path directory) throws IOException {
        this.directory = directory;
        this.secret = Files.readString(directory.resolve("runtime/bootstrap-secret")).strip();
    }

    /** {@code journal}: writes one of four receipts. {@code create}, {@code look}: asks. */
    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[1]);
        switch (args[0]) {
            case "journal" -> {
                String text = Files.readString(Path.of(args[2]));
                int mixed = text.indexOf("\"mixed\"");
                int member = text.indexOf(':', text.indexOf("file_base64", mixed));
                int start = text.indexOf('"', member) + 1;
                byte[] content =
                        Base64.getDecoder().decode(text.substring(start, text.indexOf('"', start)));
                Files.write(directory.resolve("state/receipts"), content);
            }
            case "create" -> new Peer(directory).create();
            default -> new Peer(directory).look();
        }
    }

    private void create() throws IOException {
        String plan = Files.readString(directory.resolve("plan.json")).strip();
        for (int i = 0; i < SESSIONS; i++) {
            String key = "\"idempotency_key\":\"key-of-" + i + "\",";
            String answer = ask("create_session", key, "{\"session_id\":\"s-" + i
                    + "\",\"controller_plan_digest\":\"" + "a".repeat(64)
                    + "\",\"plan\":" + plan + "}");
            require(answer);
        }
    }

    private void look() throws IOException {
        for (int i = 0; i < SESSIONS; i++) {
            tell(ask("session_status", "", "{\"session_id\":\"s-" + i + "\"}"));
        }
        tell(ask("list_path_exposures", "", "null"));
        tell(ask("verify_audit_chain", "", "{\"sage_anchor\":{\"key_id\":\"" + KEY_ID
                + "\",\"sequence\":0,\"head_hmac\":\"" + "0".repeat(64) + "\"},\"limit\":7}"));
    }

    private static void tell(String answer) throws IOException {
        require(answer);
        System.out.println(answer);
    }

    private static void require(String answer) throws IOException {
        if (!answer.contains("\"result\"")) {
            throw new IOException(answer);
        }
    }

    private String ask(String method, String key, String payload) throws IOException {
        String text = "{\"jsonrpc\":\"2.0\",\"id\":\"peer\",\"method\":\"" + method
                + "\",\"params\":{\"schema_version\":1,\"bootstrap_secret\":\"" + secret
                + "\",\"deadline_ms\":" + (System.currentTimeMillis() + 60_000) + "," + key
                + "\"payload\":" + payload + "}}";
        byte[] request = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(4 + request.length);
        frame.putInt(request.length).put(request).flip();
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(directory.resolve("runtime/gloved.sock")));
            while (frame.hasRemaining()) {
                channel.write(frame);
            }
            ByteBuffer answer = ByteBuffer.allocate(1 << 20);
            while (answer.position() < 4 || answer.position() < 4 + answer.getInt(0)) {
                if (channel.read(answer) < 0) {
                    throw new IOException("no answer to " + method);
                }
            }
            return new String(answer.array(), 4, answer.position() - 4, StandardCharsets.UTF_8);
        }
    }
}
