package glove.policy.session;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Texts by their bytes in UTF-8, which is the order of all formats. Stateless. */
final class Bytes {
    private Bytes() {}

    static int compare(String a, String b) {
        return Arrays.compareUnsigned(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
