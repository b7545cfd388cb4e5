package glove.session.receipt;

import glove.journal.DurableFileException;
import glove.journal.ProtectedFile;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.SecretKey32;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The key that receipts are authenticated with. Whoever has it can check a journal, and could have
 * written it. Immutable.
 *
 * @param secret itself, never shown
 * @param id its name, which is
 */
public record AuditKey(SecretKey32 secret, Digest id) {
    private static final String ID_DOMAIN = "glove.audit-key-id";
    private static final int DIGITS = 2 * Digest.BYTES;

    /** What is typed to make one, before the name of its file. */
    private static final String MAKING =
            "(umask 077; head -c 32 /dev/urandom | od -An -vtx1 | tr -d ' \\n' > ";

    /** The digits, and as much space again. */
    private static final int FILE_BYTES_MAX = 2 * DIGITS;

    /** Of a secret. */
    public static AuditKey of(SecretKey32 secret) {
        return new AuditKey(secret, secret.id(ID_DOMAIN));
    }

    /** The key a file's content is; empty when it is none. */
    static Optional<AuditKey> parse(byte[] content) {
        String text = new String(content, StandardCharsets.ISO_8859_1);
        int from = 0;
        int to = text.length();
        while (from < to && isSpace(text.charAt(from))) {
            from++;
        }
        while (from < to && isSpace(text.charAt(to - 1))) {
            to--;
        }
        return SecretKey32.parse(text.substring(from, to)).map(AuditKey::of);
    }

    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    /**
     * Reads one.
     *
     * @param path absolute; the file is the caller's, with mode 600 and one name
     * @throws DurableFileException when it is not, or holds something else, with what to do
     */
    public static AuditKey read(Linux linux, UnixPath path) throws DurableFileException {
        String making = "make one with " + MAKING + "'" + path + "')";
        byte[] content = ProtectedFile.read(linux, "the receipt key", path, FILE_BYTES_MAX, making);
        return parse(content)
                .orElseThrow(() -> new DurableFileException("the receipt key '" + path
                        + "' is not " + DIGITS + " lower-case hexadecimal digits: make one with "
                        + MAKING
                        + "FILE)"));
    }

    /** The authentication code of what was collected. */
    Digest authenticate(DigestWriter material) {
        return material.hmacSha256(secret);
    }
}
