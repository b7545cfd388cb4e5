package glove.host;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** What a client must show with each request. Never printed. Immutable. */
final class BootstrapSecret {
    private final byte[] digits;

    /** Of 64 hexadecimal digits. */
    BootstrapSecret(String digits) {
        this.digits = digits.getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether a client showed it, in a time that does not tell how much of it was right. */
    boolean isSame(String shown) {
        return MessageDigest.isEqual(digits, shown.getBytes(StandardCharsets.UTF_8));
    }

    /** Not the secret. */
    @Override
    public String toString() {
        return "the bootstrap secret";
    }
}
