package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Linux;
import glove.testkit.Children;
import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;
import glove.testkit.Seed;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Plans the launcher was not meant to run. Malformed ones are refused whole; mutated ones may do
 * what their steps say, so they run only in throw-away namespaces as an ordinary user, and must end
 * in a verdict, not in a crash of the launcher.
 */
@Tag("privileged")
final class PlanMutationTest {
    private static final int HEADER_BYTES = 80;
    private static final int STEP_BYTES = 64;
    private static final int MUTANTS = 400;

    private final Linux linux = Linux.host();

    @Test
    void everyPlanWithABrokenHeaderIsRejected() throws Exception {
        byte[] plan = plan();
        for (int at = 0; at < 72; at++) {
            byte[] broken = plan.clone();
            broken[at] ^= (byte) 0x80;

            assertThat(verdict(broken)).as("header byte %d", at).isEqualTo(LaunchStatus.REJECTED);
        }
    }

    @Test
    void everyPlanCutShortIsRejected() throws Exception {
        byte[] plan = plan();
        for (int length : new int[] {0, 1, 79, 80, 81, 143, plan.length - 8, plan.length - 1}) {
            byte[] cut = Arrays.copyOf(plan, length);

            assertThat(verdict(cut)).as("%d bytes", length).isEqualTo(LaunchStatus.REJECTED);
        }
    }

    @Test
    void everyStepOfAnUnknownKindOrCallOrSlotIsRejected() throws Exception {
        byte[] plan = plan();
        int steps = stepCount(plan);
        for (int step = 0; step < steps; step += 7) {
            int at = HEADER_BYTES + step * STEP_BYTES;
            assertThat(verdict(with16(plan, at, 77))).as("operation").isEqualTo(1);
            assertThat(verdict(with16(plan, at + 4, 5000))).as("slot").isEqualTo(1);
            if (plan[at] == 1) {
                assertThat(verdict(with16(plan, at + 2, 62))).as("kill").isEqualTo(1);
            }
            byte[] kind = plan.clone();
            kind[at + 6] = 9;
            assertThat(verdict(kind)).as("kind of step %d", step).isEqualTo(1);
        }
    }

    @Test
    void aPlanThatIsNotSealedIsRejected(@TempDir Path directory) throws Exception {
        Path file = Files.write(directory.resolve("plan"), plan());
        String script = "exec 3<'" + file + "'; \"$0\" 4>&1 5</dev/null | od -An -tu4 -N4";

        Command.Result result = Command.of("sh", "-c", script, launcherPath()).run();

        assertThat(result.out().strip()).isEqualTo("1");
    }

    @Test
    void mutatedPlansEndInAVerdictAndNeverCrashTheLauncher(@TempDir Path directory)
            throws Exception {
        Lanes.require(
                "privileged",
                Command.of("sh", "-c", "command -v python3 && command -v unshare")
                                .run()
                                .status()
                        == 0,
                "python3 and unshare make the throw-away namespaces");
        Path plans = Files.createDirectory(directory.resolve("plans"));
        byte[] plan = plan();
        for (int i = 0; i < MUTANTS; i++) {
            Files.write(plans.resolve(Integer.toString(i)), mutate(plan, Seed.random(i)));
        }
        Path runner = Files.writeString(directory.resolve("run.py"), RUNNER);
        Command.of("chmod", "-R", "a+rX", directory.toString()).run();
        List<String> words = new ArrayList<>(List.of("unshare", "-Urmpn", "--fork"));
        words.addAll(List.of("python3", runner.toString(), launcherPath(), plans.toString()));

        Command.Result result = new Command(Identity.ORDINARY.command(words)).run();

        assertThat(result.status()).as("%s\n%s", Seed.words(), result).isZero();
        assertThat(result.out()).contains(MUTANTS + " plans");
    }

    /**
     * Runs each plan with the launcher's descriptors and a release; says which crashed it. A plan
     * without a verdict in two seconds is ended: its agent may have been released into anything.
     */
    private static final String RUNNER = """
            import fcntl, os, select, signal, struct, sys
            launcher, plans = sys.argv[1], sys.argv[2]
            crashed = []
            names = sorted(os.listdir(plans), key=int)
            for name in names:
                data = open(os.path.join(plans, name), 'rb').read()
                plan = os.memfd_create('plan', os.MFD_ALLOW_SEALING)
                os.write(plan, data)
                fcntl.fcntl(plan, fcntl.F_ADD_SEALS, 15)
                status_r, status_w = os.pipe()
                control_r, control_w = os.pipe()
                os.write(control_w, bytes([0]))
                pid = os.fork()
                if pid == 0:
                    null = os.open('/dev/null', os.O_RDWR)
                    fds = [os.dup2(fd, 100 + i) for i, fd in enumerate(
                        [null, null, null, plan, status_w, control_r])]
                    for i, fd in enumerate(fds):
                        os.dup2(fd, i)
                    os.execv(launcher, ['launcher'])
                for fd in (plan, status_w, control_r):
                    os.close(fd)
                ready = select.select([status_r], [], [], 2)[0]
                message = os.read(status_r, 16) if ready else b''
                os.close(control_w)
                os.close(status_r)
                _, code = os.waitpid(pid, 0)
                if os.WIFSIGNALED(code):
                    crashed.append((name, os.WTERMSIG(code)))
                elif ready and len(message) != 16:
                    crashed.append((name, 'no verdict'))
            print(len(names), 'plans', crashed)
            sys.exit(1 if crashed else 0)
            """;

    /** One to four changes: a bit, a byte, a step exchanged with another, a word of a range. */
    private static byte[] mutate(byte[] plan, Random random) {
        byte[] mutant = plan.clone();
        int steps = stepCount(plan);
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
            int step = HEADER_BYTES + random.nextInt(steps) * STEP_BYTES;
            switch (random.nextInt(5)) {
                case 0 -> mutant[random.nextInt(mutant.length)] ^= (byte) (1 << random.nextInt(8));
                case 1 -> mutant[step + random.nextInt(STEP_BYTES)] = (byte) random.nextInt(256);
                case 2 -> {
                    int other = HEADER_BYTES + random.nextInt(steps) * STEP_BYTES;
                    System.arraycopy(plan, other, mutant, step, STEP_BYTES);
                }
                case 3 -> littleEndian(mutant).putLong(step + 16, random.nextLong());
                default ->
                    littleEndian(mutant)
                            .putInt(step + 16 + 4 * random.nextInt(12), random.nextInt(1 << 17));
            }
        }
        return mutant;
    }

    /** The kind of the launcher's first message; nothing may be left of it. */
    private int verdict(byte[] plan) throws Exception {
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningSandbox running = launcher.start(
                        new LaunchPlan(plan, List.of(), List.of()), StandardStreams.inherited())) {
            running.awaitCreated();
            return LaunchStatus.CREATED;
        } catch (LaunchException e) {
            assertThat(Children.list()).isEmpty();
            return e.status().kind();
        }
    }

    private byte[] plan() throws Exception {
        try (Launcher launcher = TestProfiles.launcher(linux)) {
            Profile profile =
                    TestProfiles.shell(linux, "exit 0").withIds(Ids.ofCaller(54321, 54321));
            Profile whole = TestProfiles.withLoopback(linux, profile);
            return new Sandbox(linux, launcher).plan(whole).bytes();
        }
    }

    private static int stepCount(byte[] plan) {
        ByteBuffer in = littleEndian(plan);
        return in.getInt(24) + in.getInt(28) + in.getInt(32) + in.getInt(36);
    }

    private static byte[] with16(byte[] plan, int at, int value) {
        byte[] changed = plan.clone();
        littleEndian(changed).putShort(at, (short) value);
        return changed;
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static String launcherPath() {
        return System.getProperty("glove.native") + "/launcher";
    }
}
