package glove.host;

import glove.wire.Digest;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/** How a remote host, its key and its images are written (sheet 55, 1 and 2). Stateless. */
final class RemoteNames {
    private static final String KEY_TYPE = "ssh-ed25519";
    private static final int KEY_BYTES = 32;
    private static final int KEY_TEXT_MAX = 512;
    private static final int PORT_MAX = 65535;
    private static final int PORT_DIGITS_MAX = 5;
    private static final String PIN = "@sha256:";

    private RemoteNames() {}

    /** One byte at least, and at most so many, in UTF-8. */
    static boolean isLength(String text, int most) {
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        return length >= 1 && length <= most;
    }

    /** A name or an address that no program can take for an option. */
    static boolean isHost(String text, int most) {
        return isLength(text, most)
                && !text.startsWith("-")
                && text.chars().allMatch(c -> isLower(c) || isUpper(c) || ".:-".indexOf(c) >= 0);
    }

    /** A login name. */
    static boolean isUser(String text, int most) {
        return isLength(text, most)
                && "-0123456789".indexOf(text.charAt(0)) < 0
                && text.chars().allMatch(c -> isLower(c) || "_-".indexOf(c) >= 0);
    }

    private static boolean isLower(int c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    }

    private static boolean isUpper(int c) {
        return c >= 'A' && c <= 'Z';
    }

    /**
     * The fingerprint of a public key as known_hosts has it, without its host; empty when it is no
     * Ed25519 key, or has a comment.
     */
    static Optional<String> fingerprint(String key) {
        String prefix = KEY_TYPE + " ";
        if (!key.startsWith(prefix)) {
            return Optional.empty();
        }
        String text = key.substring(prefix.length());
        if (text.length() % 4 != 0 || text.length() > KEY_TEXT_MAX) {
            return Optional.empty();
        }
        byte[] blob;
        try {
            blob = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        byte[] type = KEY_TYPE.getBytes(StandardCharsets.US_ASCII);
        byte[] head = ByteBuffer.allocate(4 + type.length + 4)
                .putInt(type.length)
                .put(type)
                .putInt(KEY_BYTES)
                .array();
        // Written again: bits that padding leaves over would be another text of the same key.
        boolean known = blob.length == head.length + KEY_BYTES
                && Arrays.equals(blob, 0, head.length, head, 0, head.length)
                && Base64.getEncoder().encodeToString(blob).equals(text);
        if (!known) {
            return Optional.empty();
        }
        byte[] hash = HexFormat.of().parseHex(Digest.sha256(blob).hex());
        return Optional.of("SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(hash));
    }

    /** An image by its digest, of a registry or none; a tag would say another thing tomorrow. */
    static boolean isImage(String text, int most) {
        int pin = text.indexOf(PIN);
        if (pin < 0 || !isLength(text, most) || !Digest.is(text.substring(pin + PIN.length()))) {
            return false;
        }
        String[] parts = text.substring(0, pin).split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            String part = i == 0 && parts.length > 1 ? withoutPort(parts[i]) : parts[i];
            if (!isComponent(part)) {
                return false;
            }
        }
        return true;
    }

    /** The host of the first component; empty, which is none, when the port is none. */
    private static String withoutPort(String part) {
        int colon = part.indexOf(':');
        if (colon < 0) {
            return part;
        }
        String port = part.substring(colon + 1);
        boolean digits = !port.isEmpty()
                && port.length() <= PORT_DIGITS_MAX
                && port.chars().allMatch(c -> c >= '0' && c <= '9');
        boolean known = digits && Integer.parseInt(port) >= 1 && Integer.parseInt(port) <= PORT_MAX;
        return known ? part.substring(0, colon) : "";
    }

    private static boolean isComponent(String part) {
        return !part.isEmpty()
                && isLower(part.charAt(0))
                && isLower(part.charAt(part.length() - 1))
                && part.chars().allMatch(c -> isLower(c) || "._-".indexOf(c) >= 0);
    }
}
