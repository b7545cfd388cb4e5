package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.Errno;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Filesystems that cannot be idmapped, met by root. */
@Tag("privileged")
final class PlainGrantsTest {
    private static final Linux LINUX = Linux.host();

    @TempDir
    private Path directory;

    @BeforeEach
    void onlyRootHasIdmappedMounts() {
        Lanes.require("privileged", Identity.isRoot(), "only root can give files to others");
    }

    @Test
    void theAgentTakesTheIdOfTheGrantsOwner() throws Exception {
        Profile profile = profile(write("a", "1001:1002"), write("b", "1001:1002"));

        Ids ids = PlainGrants.adapt(profile, devices(profile)).ids();

        assertThat(ids.agentId()).isEqualTo(1001);
        assertThat(ids.agentGid()).isEqualTo(1002);
        assertThat(ids.initId()).isEqualTo(profile.ids().initId());
    }

    @Test
    void withoutSuchAFilesystemNothingChanges() throws Exception {
        Profile profile = profile(write("a", "1001:1002"));

        assertThat(PlainGrants.adapt(profile, Set.of())).isSameAs(profile);
    }

    @Test
    void rootsOwnFilesAreNotGrantedWritable() throws Exception {
        Profile profile = profile(write("a", "0:0"));

        assertThatThrownBy(() -> PlainGrants.adapt(profile, devices(profile)))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("belongs to root");
    }

    @Test
    void rootsKeptHomeIsRefusedWithAnotherPlaceAsHint() throws Exception {
        Profile profile = profile(write("a", "0:0"));
        Grant home = profile.grants().list().get(0);
        AgentHome kept = new AgentHome(Optional.of(home), List.of(), List.of());

        assertThatThrownBy(() -> PlainGrants.adapt(profile.withHome(kept), devices(profile)))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.hints())
                                .anyMatch(hint -> hint.contains("XDG_STATE_HOME")));
    }

    @Test
    void writableGrantsOfTwoOwnersAreRefused() throws Exception {
        Profile profile = profile(write("a", "1001:1001"), write("b", "1002:1002"));

        assertThatThrownBy(() -> PlainGrants.adapt(profile, devices(profile)))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("different users");
    }

    @Test
    void onlyAFailedIdmapTeachesTheDeviceAndOnlyOnce() throws Exception {
        GrantRequest request = write("a", "1001:1001");
        Profile profile = profile(request);
        StepSubject idmap = new StepSubject(GrantTrees.IDMAP_PURPOSE, request.asGiven());
        StepSubject other = new StepSubject("grant", request.asGiven());
        LaunchPlan plan = new LaunchPlan(new byte[0], List.of(other, idmap), List.of());
        Set<Long> learned = new HashSet<>();

        assertThat(PlainGrants.learn(profile, plan, failed(0), learned)).isFalse();
        assertThat(PlainGrants.learn(profile, plan, failed(1), learned)).isTrue();
        assertThat(PlainGrants.learn(profile, plan, failed(1), learned)).isFalse();
        assertThat(learned).isEqualTo(devices(profile));
    }

    @Test
    void anAgentWithTheOwnersIdWorksInTheGrant() throws Exception {
        Profile profile = profile(write("a", "1001:1002"));
        Set<Long> devices = devices(profile);
        Profile adapted = PlainGrants.adapt(profile, devices);
        LaunchPlan plan = SandboxPlan.of(adapted, AgentRlimits.read(LINUX), devices);
        try (Launcher launcher = TestProfiles.launcher(LINUX);
                RunningSandbox running = launcher.start(plan, StandardStreams.inherited())) {
            running.awaitCreated();
            running.release();

            assertThat(running.await()).isEqualTo(new Exit.Exited(0));
        }
        assertThat(Files.getAttribute(directory.resolve("a/made"), "unix:uid")).isEqualTo(1001);
    }

    private static LaunchStatus failed(int step) {
        return new LaunchStatus(LaunchStatus.FAILED, LaunchStatus.STAGE_OUTER, step, Errno.EINVAL);
    }

    private GrantRequest write(String name, String owner) throws Exception {
        Path path = Files.createDirectory(directory.resolve(name));
        assertThat(Command.of("chown", owner, path.toString()).run().status()).isZero();
        assertThat(Command.of("chmod", "755", directory.toString()).run().status())
                .isZero();
        return new GrantRequest(UnixPath.of(path.toString()), Access.WRITE, "--write");
    }

    private Profile profile(GrantRequest... requests) throws Exception {
        String script = "echo x > '" + directory + "/a/made'";
        return TestProfiles.shell(LINUX, script, List.of(requests));
    }

    private static Set<Long> devices(Profile profile) {
        Set<Long> devices = new HashSet<>();
        for (Grant grant : profile.grants().list()) {
            devices.add(grant.identity().deviceWord());
        }
        return devices;
    }
}
