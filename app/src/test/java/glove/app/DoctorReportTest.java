package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sandbox.Refusal;
import glove.sys.Linux;
import glove.sys.UnixPath;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What doctor makes of what its probes found; and the rows of the threat table it tells of. */
@Tag("unit")
final class DoctorReportTest {
    private static final long MINUTES_MILLIS = 240_000;

    private static final Path ROOT = Path.of(System.getProperty("glove.root"));

    /** Every code a row can stand on, all well but some. */
    private static List<Check> all(Check... others) {
        Set<String> codes = new HashSet<>(List.of("launch"));
        for (Threats.Row row : Threats.rows()) {
            codes.addAll(row.checks());
            codes.addAll(row.secondChecks());
        }
        List<Check> checks = new ArrayList<>(List.of(others));
        for (Check other : others) {
            codes.remove(other.code());
        }
        for (String code : codes) {
            checks.add(Check.ok(code, "well"));
        }
        return checks;
    }

    private static Check missing(String code) {
        return Check.missing(code, "not there", List.of("mend " + code));
    }

    private static Check untried(String code) {
        return Check.untried(code, "no room", List.of("make room for " + code));
    }

    private static Check failed(String code) {
        return Check.failed(code, "broken", List.of("mend " + code));
    }

    private static List<Threats.State> states(List<Check> checks) {
        return Threats.standing(checks).stream()
                .map(Threats.Standing::state)
                .distinct()
                .toList();
    }

    @Test
    void theRowsAreThoseOfTheDocumentation() throws IOException {
        List<String> documented = new ArrayList<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/threat-model.md"))) {
            String[] columns = line.split(" \\| ", -1);
            if (line.startsWith("| ") && columns.length == 4) {
                documented.add(columns[0].substring(2) + " | " + columns[1] + " | " + columns[2]);
            }
        }
        documented.remove(0); // the headings

        assertThat(Threats.rows())
                .as("app/src/main/resources/glove/app/threats.txt has the rows of"
                        + " docs/threat-model.md, in its order, with the checks each stands on")
                .hasSizeGreaterThan(50)
                .map(row -> row.attack() + " | " + row.mechanism() + " | " + row.second())
                .isEqualTo(documented);
    }

    @Test
    void aRowWhoseMechanismIsOfTheKernelStandsOnAProbe() {
        for (Threats.Row row : Threats.rows()) {
            String words = row.mechanism();
            List<String> needed = new ArrayList<>();
            if (words.startsWith("filter") || words.startsWith("the filter")) {
                needed.add("seccomp");
            }
            if (words.startsWith("pid namespace") || words.startsWith("a pid namespace")) {
                needed.add("pid_namespace");
            }
            if (words.startsWith("network namespace")) {
                needed.add("network_namespace");
            }
            if (words.startsWith("read-only mount") || words.startsWith("mount namespace")) {
                needed.add(row.checks().contains("protected_names") ? "protected_names" : "mounts");
            }
            assertThat(row.checks()).as(row.attack()).containsAll(needed);
            if (row.second().startsWith("Landlock")) {
                assertThat(row.secondChecks())
                        .as(row.attack())
                        .anyMatch(code -> code.startsWith("landlock"));
            }
        }
    }

    @Test
    void everyCheckOfARowIsAProbesName() throws IOException {
        StringBuilder sources = new StringBuilder();
        for (String file : List.of(
                "app/src/main/java/glove/app/HostProbes.java",
                "app/src/main/java/glove/app/KernelProbes.java",
                "app/src/main/java/glove/app/StateProbe.java",
                "app/src/main/java/glove/app/ContainedProbes.java",
                "sandbox/src/main/java/glove/sandbox/KernelTrial.java")) {
            sources.append(Files.readString(ROOT.resolve(file)));
        }
        for (Check check : all()) {
            assertThat(sources.toString()).contains("\"" + check.code() + "\"");
        }
    }

    @Test
    void allHoldWhereAllIsWell() {
        DoctorReport report = DoctorReport.of(all());

        assertThat(states(report.checks())).containsExactly(Threats.State.HOLDS);
        assertThat(report.exitStatus()).isZero();
        assertThat(report.text(false)).contains("glove exec runs here\n").doesNotContain("try:");
    }

    @Test
    void whatIsOnlyMissingIsTold() {
        DoctorReport report = DoctorReport.of(all(missing("landlock"), missing("landlock_scopes")));

        assertThat(report.exitStatus()).isZero();
        assertThat(states(report.checks()))
                .containsOnly(Threats.State.HOLDS, Threats.State.WEAKENED);
        assertThat(report.text(false))
                .contains("missing  landlock ", "try: mend landlock\n")
                .contains("\nweakened write, create, remove, rename, change in a read-only grant"
                        + " (not well: landlock)\n")
                .doesNotContain("\nholds ");
        assertThat(report.text(true)).contains("\nholds    use up processes");
    }

    @Test
    void whatFailedIsAStatusOfItsOwnAndNamesWhatIsLost() {
        DoctorReport report = DoctorReport.of(all(failed("protected_names")));

        assertThat(report.exitStatus()).isEqualTo(1);
        assertThat(report.text(false)).contains("\nlost     write, move, link, replace what makes");
        assertThat(report.isHealthy()).isFalse();
        assertThat(report.execRuns()).isTrue();
    }

    @Test
    void whatWasNotTriedIsNeitherLostNorHeld() {
        DoctorReport report = DoctorReport.of(all(untried("protected_names"), untried("egress")));

        assertThat(report.exitStatus()).isEqualTo(3);
        assertThat(report.isHealthy()).isTrue();
        assertThat(states(report.checks()))
                .containsOnly(Threats.State.HOLDS, Threats.State.UNTRIED);
        assertThat(report.text(false))
                .contains("untried  protected_names      not tried: no room\n")
                .contains("try: make room for protected_names\n")
                .contains("\nuntried  write, move, link, replace what makes")
                .contains("(not tried: protected_names)\n", "see 'untried'\n")
                .doesNotContain("\nlost ", "\nfailed ");
        assertThat(report.json())
                .contains("\"status\":\"untried\"", "\"state\":\"untried\"")
                .doesNotContain("\"state\":\"lost\"");
    }

    @Test
    void whatIsLostForCertainIsLostThoughMoreWasNotTried() {
        DoctorReport report = DoctorReport.of(all(failed("mounts"), untried("landlock")));

        assertThat(report.exitStatus()).isEqualTo(1);
        assertThat(report.text(false))
                .contains("\nlost     carry a file out of a read-only grant")
                .contains("\nuntried  write, create, remove, rename, change in a read-only grant"
                        + " (not tried: landlock)\n");
    }

    @Test
    void aProbeThatCannotBeSetUpIsUntriedAndOneThatFailsIsFailed() {
        List<Check> checks = new Examination(MINUTES_MILLIS)
                .of(List.of(
                        new Probe("refused", deadline -> {
                            throw new Refusal("no such directory", "mkdir it");
                        }),
                        new Probe("full", deadline -> {
                            Linux.host().open(UnixPath.of("/none/such"), 0, 0).close();
                            return Check.ok("full", "there is such a file");
                        })));

        assertThat(checks)
                .allMatch(Check::isUntried)
                .allMatch(c -> !c.remedies().isEmpty());
        assertThat(checks.get(0).message()).isEqualTo("not tried: no such directory");
    }

    @Test
    void whereExecCannotRunNothingIsLostButAllIsRefused() {
        DoctorReport report = DoctorReport.of(List.of(failed("launch")));

        assertThat(report.exitStatus()).isEqualTo(125);
        assertThat(states(report.checks()))
                .containsOnly(Threats.State.REFUSED, Threats.State.HOLDS);
        assertThat(report.text(false)).contains("cannot run here", "try: mend launch\n");
    }

    @Test
    void aRemedyIsToldOnce() {
        Check one = Check.failed("one", "broken", List.of("mend it"));
        Check two = Check.failed("two", "broken", List.of("mend it"));

        assertThat(new DoctorReport(List.of(one, two), List.of()).text(false))
                .containsOnlyOnce("mend it");
        assertThat(new DoctorReport(List.of(one, two), List.of()).json().split("mend it", -1))
                .hasSize(3);
    }

    @Test
    void aProbeThatNeverAnswersIsAFailureAndTheNextIsMade() throws Exception {
        CountDownLatch next = new CountDownLatch(1);
        List<Probe> probes = List.of(
                new Probe("stuck", deadline -> {
                    for (; ; ) {
                        LockSupport.park();
                    }
                }),
                new Probe("next", deadline -> {
                    next.countDown();
                    return Check.ok("next", "it is");
                }));

        List<Check> checks = new Examination(200).of(probes);

        assertThat(checks.get(0).status()).isEqualTo(Check.Status.FAILED);
        assertThat(checks.get(0).message()).isEqualTo("no answer within 200 ms");
        assertThat(checks).hasSize(2);
        assertThat(next.await(4, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void aProbeThatBreaksIsAFailureAndTheNextIsMade() {
        List<Check> checks = new Examination(MINUTES_MILLIS)
                .of(List.of(
                        new Probe("broken", deadline -> {
                            throw new IllegalStateException("nobody foresaw this");
                        }),
                        new Probe("well", deadline -> Check.ok("well", "it is"))));

        assertThat(checks).map(Check::status).containsExactly(Check.Status.FAILED, Check.Status.OK);
        assertThat(checks.get(0).message()).contains("nobody foresaw this");
    }

    @Test
    void releasesOfKernelsAreCompared() {
        assertThat(HostProbes.atLeast("5.12.0", 5, 12)).isTrue();
        assertThat(HostProbes.atLeast("5.15.0-107-generic", 5, 12)).isTrue();
        assertThat(HostProbes.atLeast("6.6.87.2-microsoft-standard-WSL2", 5, 12))
                .isTrue();
        assertThat(HostProbes.atLeast("5.4.0", 5, 12)).isFalse();
        assertThat(HostProbes.atLeast("4.19", 5, 12)).isFalse();
        assertThat(HostProbes.atLeast("", 5, 12)).isFalse();
    }

    @Test
    void distributionsAreKnownByWhatTheySay() {
        assertThat(HostFamily.value("NAME=x\nID=\"rhel\"\nID_LIKE='a b'", "ID")).isEqualTo("rhel");
        assertThat(HostFamily.value("NAME=x\nID_LIKE='a b'\n", "ID_LIKE")).isEqualTo("a b");
        assertThat(HostFamily.value("NAME=x\n", "ID")).isEmpty();
        assertThat(HostFamily.DEBIAN.install("a", "b", "c")).isEqualTo("sudo apt-get install a");
        assertThat(HostFamily.OTHER.install("a", "b", "c")).isEqualTo("install c");
        assertThat(HostFamily.FEDORA.setBootParameter("lsm=landlock"))
                .isEqualTo("sudo grubby --update-kernel=ALL --args=\"lsm=landlock\"");
        for (HostFamily family : HostFamily.values()) {
            assertThat(family.setSysctl("user.max_user_namespaces", "10000"))
                    .contains("user.max_user_namespaces", "10000", "sudo");
            assertThat(family.setBootParameter("lsm=landlock")).contains("lsm=landlock");
        }
    }
}
