package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;

import glove.policy.session.Access;
import glove.policy.session.ExposureMode;
import glove.policy.session.ExposurePolicy;
import glove.policy.session.ExposureRequest;
import glove.policy.session.HostPaths;
import glove.policy.session.SourceIdentity;
import glove.session.bundle.BundleKind;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonWriter;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What docs/exposures.md says is so. */
@Tag("unit")
final class ExposureDocTest {
    private static final String FENCE = "```json\n";

    private String text = "";

    @BeforeEach
    void read() throws Exception {
        Path root = Path.of(System.getProperty("glove.root"));
        text = Files.readString(root.resolve("docs/exposures.md"));
    }

    /** An example, counted from 0. */
    private String example(int number) {
        int start = 0;
        for (int i = 0; i <= number; i++) {
            start = text.indexOf(FENCE, start) + FENCE.length();
            assertThat(start).isGreaterThan(FENCE.length());
        }
        return text.substring(start, text.indexOf("\n```", start));
    }

    @Test
    void thePolicyAllowsTheRequestWhichBecomesTheRecordAndTheCatalogue() throws Exception {
        HostPaths directories = path -> new HostPaths.HostObject(1, 2, 0040755);
        JsonProblems problems = JsonProblems.all(9);
        ExposurePolicy policy = ExposurePolicy.parse(
                        example(0).getBytes(StandardCharsets.UTF_8), directories, problems)
                .orElseThrow();
        byte[] wish = example(1).getBytes(StandardCharsets.UTF_8);
        ExposureRequest asked = ExposureRequest.Submitted.read(
                        JsonFields.of(JsonText.value(wish, JsonLimits.FRAME).root(), problems))
                .request(new Id128("request-1"));
        assertThat(problems.list()).isEmpty();
        assertThat(policy.root(asked.rootId())
                        .orElseThrow()
                        .refusal(asked.hostPath().path(), asked.offer()))
                .isEmpty();
        ExposureRequests.Place place = new ExposureRequests.Place(
                new SourceIdentity(65024, 2317899, 040755, 1000, 1000),
                new SourceIdentity(65024, 2317898, 040755, 1000, 1000));
        ExposureMemory memory = new ExposureMemory(new ExposureBook(policy));
        ExposureChange change = new ExposureChange(
                memory, new ExposureRequests.Creation(asked, Optional.of(place), 1000));
        byte[] record = change.make(1).orElseThrow();

        JsonWriter catalogue = new JsonWriter();
        Grounds.done(change.done()).write(catalogue);
        assertThat(catalogue.toJson()).isEqualTo(example(2));
        assertThat(new String(record, StandardCharsets.UTF_8)).isEqualTo(example(3));
    }

    @Test
    void theTableHasEveryAccessThatIsExposedWithItsOneWay() {
        for (Access access : Access.values()) {
            Optional<String> row = text.lines()
                    .filter(line -> line.startsWith("| `" + access.word() + "` |"))
                    .findFirst();
            assertThat(row.isPresent()).isEqualTo(access != Access.DIRECT_WRITE);
            row.ifPresent(found -> assertThat(found.split("\\|"))
                    .extracting(String::strip)
                    .containsSubsequence(ways(access)));
        }
    }

    private static String[] ways(Access access) {
        return switch (access) {
            case READ -> new String[] {"`bind`", "0", "`retain`"};
            case EPHEMERAL_WRITE -> new String[] {"`copy`", "from 1", "`remove`"};
            case RETAINED_WRITE ->
                new String[] {"`copy`", "from " + ExposureMode.RETAINED_BYTES_LEAST, "`retain`"};
            case DIRECT_WRITE -> new String[0];
        };
    }

    @Test
    void everyKindOfEntryIsNamed() {
        for (BundleKind kind : BundleKind.values()) {
            assertThat(text).contains("`" + kind.word() + "`");
        }
    }
}
