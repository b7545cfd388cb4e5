package glove.egress;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * What the clients of one run show at the authenticated entry: a fixed user and a random password.
 * Told to nobody but the agent, of no use outside its run. Immutable.
 */
public final class Credential {
    private static final int RANDOM_BYTES = 32;
    private static final String USER = "glove";
    private static final String HEX = "0123456789abcdef";

    private final String password;
    private final byte[] userAndPassword;

    private Credential(String password) {
        this.password = password;
        this.userAndPassword = (USER + ":" + password).getBytes(StandardCharsets.US_ASCII);
    }

    /** A new one: 256 bits of the kernel's (random(4)). */
    public static Credential random(Linux linux) throws ErrnoException {
        byte[] bytes;
        try (OwnedFd fd = linux.open(UnixPath.of("/dev/urandom"), OpenFlags.O_RDONLY, 0)) {
            bytes = linux.readExactly(fd, RANDOM_BYTES);
        }
        StringBuilder text = new StringBuilder(2 * RANDOM_BYTES);
        for (byte b : bytes) {
            text.append(HEX.charAt((b >> 4) & 0xf)).append(HEX.charAt(b & 0xf));
        }
        return new Credential(text.toString());
    }

    /** {@code glove}. */
    public String user() {
        return USER;
    }

    /** 64 hexadecimal digits: a secret, for the agent's environment only. */
    public String password() {
        return password;
    }

    /** {@code http://user:password@host:port}. */
    public String proxyUrl(String host, int port) {
        return "http://" + USER + ":" + password + "@" + host + ":" + port;
    }

    /** Whether a Proxy-Authorization field holds this one (RFC 7617), in constant time. */
    boolean matchesBasic(byte[] field) {
        String value = new String(field, StandardCharsets.ISO_8859_1);
        int space = value.indexOf(' ');
        if (space < 0 || !value.substring(0, space).equalsIgnoreCase("basic")) {
            return false;
        }
        try {
            return matches(Base64.getDecoder().decode(value.substring(space).strip()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether this is what a client of SOCKS5 shows, in constant time. */
    boolean matches(Socks5.Login login) {
        byte[] shown = new byte[login.user().length + 1 + login.password().length];
        System.arraycopy(login.user(), 0, shown, 0, login.user().length);
        shown[login.user().length] = ':';
        System.arraycopy(
                login.password(), 0, shown, login.user().length + 1, login.password().length);
        return matches(shown);
    }

    private boolean matches(byte[] shown) {
        // Every byte is looked at, whatever was shown: time tells nothing of where they differ.
        int difference = shown.length ^ userAndPassword.length;
        for (int i = 0; i < userAndPassword.length; i++) {
            difference |= userAndPassword[i] ^ (i < shown.length ? shown[i] : 0);
        }
        return difference == 0;
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return USER + ":...";
    }
}
