package glove.journal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 in lower-case hexadecimal digits. Stateless. */
final class Sha256 {
    /** Never used itself: a copy costs less than looking for its provider, for each line. */
    private static final MessageDigest EMPTY = provided();

    private Sha256() {}

    private static MessageDigest provided() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static String hex(byte[] bytes) {
        try {
            MessageDigest digest = (MessageDigest) EMPTY.clone();
            return HexFormat.of().formatHex(digest.digest(bytes));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's own can be copied", e);
        }
    }
}
