package glove.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

@Tag("unit")
final class JsonSpliceTest {
    private static final String CALL =
            "{ \"id\" : \"x\\u0031\" ,\"params\":{\"name\":\"f__t\",\"arguments\":"
                    + "{\"n\":-0.0,\"b\":1E2,\"s\":\"\\u00e9\u00e9\\/\"},\"_meta\":{\"progressToken\":7,\"k\":[ ]}}}";

    @Test
    void everythingBesidesTheReplacedPlacesIsTheSendersOwn() throws JsonException {
        JsonValue root = root(CALL);
        JsonValue params = member(root, "params");

        String forwarded = text(new JsonSplice(root)
                .replace(member(member(params, "_meta"), "progressToken"), utf8("\"g-1\""))
                .replace(member(root, "id"), utf8("42"))
                .replace(member(params, "name"), utf8("\"t\"")));

        assertThat(forwarded)
                .isEqualTo("{ \"id\" : 42 ,\"params\":{\"name\":\"t\",\"arguments\":"
                        + "{\"n\":-0.0,\"b\":1E2,\"s\":\"\\u00e9\u00e9\\/\"},"
                        + "\"_meta\":{\"progressToken\":\"g-1\",\"k\":[ ]}}}");
    }

    @Test
    void nothingChangedIsTheSameBytes() throws JsonException {
        assertThat(text(new JsonSplice(root(CALL)))).isEqualTo(CALL);
    }

    @Test
    void aPartCanBeTheWhole() throws JsonException {
        JsonValue meta = member(member(root(CALL), "params"), "_meta");

        String part = text(new JsonSplice(meta).remove(meta, Set.of("progressToken")));

        assertThat(part).isEqualTo("{\"k\":[ ]}");
    }

    @Test
    void anyMembersCanGoAndOthersCome() throws JsonException {
        Random random = new Random(11);
        for (int round = 0; round < 3000; round++) {
            Map<String, String> expected = new LinkedHashMap<>();
            StringBuilder json = new StringBuilder("{");
            int size = random.nextInt(5);
            for (int i = 0; i < size; i++) {
                String value = List.of("1", "{\"x\":[1,2]}", "\",\"", "[]").get(random.nextInt(4));
                json.append(random.nextBoolean() ? " " : "")
                        .append('"')
                        .append(i)
                        .append("\" :")
                        .append(value);
                json.append(i < size - 1 ? " ,\n" : random.nextBoolean() ? " " : "");
                expected.put(Integer.toString(i), value);
            }
            JsonValue root = root(json.append('}').toString());
            JsonSplice splice = new JsonSplice(root);
            Set<String> removed = new HashSet<>();
            for (int i = 0; i < size; i++) {
                if (random.nextInt(3) == 0) {
                    removed.add(Integer.toString(i));
                    expected.remove(Integer.toString(i));
                }
            }
            splice.remove(root, removed);
            for (int i = random.nextInt(3); i > 0; i--) {
                splice.put(root, "new" + i, utf8("{\"y\":" + i + "}"));
                expected.put("new" + i, "{\"y\":" + i + "}");
            }

            JsonValue result = root(text(splice));

            List<String> got = new ArrayList<>();
            for (JsonValue child : result.children()) {
                got.add(child.name() + child.toJson());
            }
            List<String> wanted = new ArrayList<>();
            expected.forEach((name, value) -> wanted.add(name + value));
            assertThat(got).as("%s without %s", json, removed).isEqualTo(wanted);
        }
    }

    @Test
    void aMemberThatIsThereIsReplacedByPut() throws JsonException {
        JsonValue root = root("{\"a\":1,\"b\":2}");

        assertThat(text(new JsonSplice(root).put(root, "a", utf8("[]"))))
                .isEqualTo("{\"a\":[],\"b\":2}");
    }

    @Test
    void contradictionsAreBugsOfTheCaller() throws JsonException {
        JsonValue root = root("{\"a\":{\"b\":1}}");
        JsonValue a = member(root, "a");
        JsonSplice twice =
                new JsonSplice(root).replace(a, utf8("1")).replace(member(a, "b"), utf8("2"));
        JsonSplice gone = new JsonSplice(root).remove(root, Set.of("a")).replace(a, utf8("1"));

        assertThatIllegalStateException().isThrownBy(twice::toBytes);
        assertThatIllegalStateException().isThrownBy(gone::toBytes);
        assertThatIllegalStateException()
                .isThrownBy(() -> new JsonSplice(a).replace(root, utf8("1")));
        JsonValue other = root("{\"a\":{\"b\":1}}");
        assertThatIllegalStateException()
                .isThrownBy(() -> new JsonSplice(root).replace(other, utf8("1")));
        assertThatIllegalStateException()
                .isThrownBy(() -> new JsonSplice(root).put(member(a, "b"), "x", utf8("1")));
    }

    private static JsonValue root(String text) throws JsonException {
        return JsonText.value(utf8(text), JsonLimits.FRAME).root();
    }

    private static JsonValue member(JsonValue object, String name) {
        return object.member(name).orElseThrow();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(JsonSplice splice) {
        return new String(splice.toBytes(), StandardCharsets.UTF_8);
    }
}
