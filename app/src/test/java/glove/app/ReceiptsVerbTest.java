package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** {@code glove receipts}, on journals that were made by others than Glove. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#ordinary")
final class ReceiptsVerbTest {
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));
    private static final String KEY =
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    private static final String MIXED_END =
            "4:5fd0299d99872ef9d901b38424ed21fa449c0d839d4ad386c9f5d30a7a19ed84";
    private static final String SETUP = """
            export TZ=UTC
            glove() { "$GLOVE" "$@"; }
            (umask 077; echo %s > key)
            verify() { glove receipts verify --journal journal --key key "$@"; }
            """.formatted(KEY);

    private final WorkRoom room;

    ReceiptsVerbTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(SETUP + script).run();
    }

    /** A journal another implementation wrote, as a copy that is not the reader's own. */
    private void journal(String name) throws Exception {
        Path vectors = ROOT.resolve(
                "session/src/test/resources/glove/session/receipt/receipt_journal.json");
        JsonValue root =
                JsonText.value(Files.readAllBytes(vectors), JsonLimits.FRAME).root();
        for (JsonValue one : root.member("cases").orElseThrow().children()) {
            if (one.member("name").orElseThrow().string().equals(name)) {
                String content = one.member("file_base64").orElseThrow().string();
                Path there = room.path().resolve("journal");
                Files.deleteIfExists(there);
                Files.write(there, Base64.getDecoder().decode(content));
                return;
            }
        }
        throw new AssertionError(name);
    }

    /** What stands between the first such fence after a heading and its end. */
    private static String block(String page, String fence) {
        int start = page.indexOf("```" + fence + "\n") + fence.length() + 4;
        return page.substring(start, page.indexOf("```", start));
    }

    @Test
    void theJournalOfTheDocumentationIsMadeByHandAndIsWell() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/receipts.md"));
        String shown = block(page, "console");

        Command.Result result = run("""
                mkdir doc; cd doc
                {
                %s
                } > /dev/null
                echo '$ glove receipts show --journal receipts --key key'
                glove receipts show --journal receipts --key key
                echo '$ glove receipts verify --journal receipts --key key'
                glove receipts verify --journal receipts --key key
                """.formatted(block(page, "sh")));

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).isEqualTo(shown);
    }

    @Test
    void receiptsAreListedWithTheirKind() throws Exception {
        journal("mixed");
        Command.Result shown = run("glove receipts show --journal journal --key key");
        Command.Result json = run("glove receipts show --json --journal journal");
        journal("empty");
        Command.Result none = run("glove receipts show --journal journal --key key");

        assertThat(shown.status()).as("%s", shown).isZero();
        assertThat(shown.err()).isEmpty();
        assertThat(shown.out().lines().map(line -> line.replaceAll(":? wall .* bytes", "")))
                .containsExactly(
                        "1 1970-01-01 00:00:01 session-1 exited 0",
                        "2 1970-01-01 00:00:01 session-refinement-1 exited 0, evaluated",
                        "3 1970-01-01 00:00:01 session:2.x_y pid_limit",
                        "4 1970-01-01 00:00:01 session-refinement-2 exited 0, no valid outcome");
        assertThat(none.out()).isEqualTo("no receipts\n");
        JsonValue data = JsonText.value(json.outBytes(), JsonLimits.FRAME).root();
        assertThat(data.member("schema_version").orElseThrow().number()).isEqualTo("1");
        assertThat(data.member("receipts").orElseThrow().children()).hasSize(4);
        assertThat(data.member("whole").orElseThrow().truth()).isTrue();
        assertThat(data.member("authenticated").orElseThrow().truth())
                .as("without the key")
                .isFalse();
    }

    @Test
    void aWholeChainIsVerifiedAndItsAnchorsKnownAgain() throws Exception {
        journal("mixed");
        Command.Result result = run("verify");
        Command.Result again = run("verify --anchor " + MIXED_END + " --json");
        Command.Result genesis = run("verify --anchor 0:" + "0".repeat(64));
        Command.Result cut = run("""
                size=$(stat -c %s journal)
                last=$((16#$(tail -c 4 journal | od -An -tx1 | tr -d ' ')))
                head -c $((size - last - 8)) journal > copy
                glove receipts verify --journal copy --key key
                glove receipts verify --journal copy --key key --anchor ANCHOR
                """.replace("ANCHOR", MIXED_END));
        Command.Result other = run("verify --anchor 2:" + "5".repeat(64));

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out())
                .startsWith("4 receipts of 'journal' are well\nthe chain is whole\n")
                .endsWith("\n  --anchor " + MIXED_END + "\n");
        assertThat(again.status()).isZero();
        assertThat(again.out())
                .startsWith("{\"schema_version\":1,\"journal\":\"journal\",\"whole\":true,"
                        + "\"receipts\":4,\"bytes\":");
        assertThat(genesis.status()).isZero();
        assertThat(cut.status()).isEqualTo(1);
        assertThat(cut.out())
                .startsWith("3 receipts of 'copy' are well\nthe chain is whole\n")
                .endsWith("only 3 of the 4 receipts up to the anchor are there\n");
        assertThat(other.status()).isEqualTo(1);
        assertThat(other.out()).contains("receipt 2 is another than the one of the anchor");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "torn-1-byte-no-anchor   | record 3, at byte 2878, has no end",
                "flipped-payload-byte    | record 1, at byte 72, was made with another key",
                "header-only-71          | the header, at byte 0, is not whole",
                "zero-length-record      | record 4, at byte 4281, has the length 0",
            })
    void whatIsWrongIsToldWithItsPlace(String name, String told) throws Exception {
        journal(name);

        Command.Result result = run("verify || verify --json");
        Command.Result shown = run("glove receipts show --journal journal --key key");

        assertThat(result.status()).as("%s", result).isEqualTo(1);
        assertThat(result.out()).contains(told).contains("\"whole\":false").contains("\"fault\":{");
        assertThat(shown.status()).isEqualTo(1);
        assertThat(shown.err()).contains(told);
    }

    /** A daemon has it locked, and is not disturbed: nothing is written, no lock is waited for. */
    @Test
    void aJournalInUseIsReadAndLeftAsItIs() throws Exception {
        journal("torn-1-byte-no-anchor");

        Command.Result result = run("""
                cp journal mine; chmod 600 mine; before=$(sha256sum < mine)
                flock -x mine -c '"$GLOVE" receipts verify --journal mine --key key' && exit 9
                test "$before" = "$(sha256sum < mine)"
                test "$(ls)" = "journal
                key
                mine
                work"
                """);

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).contains("2 receipts of 'mine' are well");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "chmod 640 key                          | 1 | has the mode 640: chmod 600",
                "echo abc > key                         | 1 | is not 64 lower-case hexadecimal digits",
                "mv key k; ln -s k key                  | 1 | it is a symbolic link",
                "rm journal                             | 1 | cannot read the journal",
                "rm journal; mkdir journal              | 1 | cannot read the journal",
            })
    void whatCannotBeReadIsTold(String change, int status, String told) throws Exception {
        journal("mixed");

        Command.Result result = run(change + "; verify");

        assertThat(result.status()).as("%s", result).isEqualTo(status);
        assertThat(result.err()).contains("glove receipts: ").contains(told);
    }

    @Test
    void aBadCommandLineIsOne() throws Exception {
        journal("mixed");
        for (String line : new String[] {
            "",
            "show",
            "verify --key key",
            "verify --journal journal",
            "check --journal journal",
            "show --journal journal --anchor " + MIXED_END,
            "verify --journal journal --key key --anchor 4",
            "verify --journal journal --key key --anchor 4:00",
            "verify --journal journal --key key --anchor x:" + "0".repeat(64),
            "verify --journal journal --key key more",
            "show --journal journal --jurnal x",
        }) {
            Command.Result result = run("glove receipts " + line);
            assertThat(result.status()).as(line).isEqualTo(2);
            assertThat(result.err()).as(line).contains("glove receipts: ").contains("Try: ");
        }
    }
}
