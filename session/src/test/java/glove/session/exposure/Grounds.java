package glove.session.exposure;

import glove.journal.AppendLogException;
import glove.policy.session.Access;
import glove.policy.session.CleanupPolicy;
import glove.policy.session.ExposureMode;
import glove.policy.session.ExposureOffer;
import glove.policy.session.ExposurePolicy;
import glove.policy.session.ExposureRequest;
import glove.policy.session.ExposureRoot;
import glove.policy.session.Materialization;
import glove.policy.session.PathGrant;
import glove.session.StoreBytes;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;
import glove.wire.Id128;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A root with a few things in it, a policy of it, and a journal in a directory of its own. */
final class Grounds {
    static final ExposureMode READ =
            new ExposureMode(Access.READ, Materialization.BIND, 0, CleanupPolicy.RETAIN);
    static final ExposureMode COPY = new ExposureMode(
            Access.EPHEMERAL_WRITE, Materialization.COPY, 1000, CleanupPolicy.REMOVE);
    static final Id128 MAIN = new Id128("main");
    static final Id128 CODEX = new Id128("codex-safe");
    static final long TTL_MAX = 1000;

    final Path top;
    final Path root;
    final Path project;
    final Path file;
    volatile long bytesMax = ExposureRegistry.BYTES_MAX_DEFAULT;

    Grounds(Path parent) throws IOException {
        top = Files.createDirectory(parent.toRealPath().resolve("grounds"));
        root = Files.createDirectory(top.resolve("root"));
        project = Files.createDirectory(root.resolve("project"));
        Files.createDirectory(project.resolve("inner"));
        Files.writeString(root.resolve("one.txt"), "one");
        Path own = Files.createDirectory(top.resolve("own"));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
        file = own.resolve("exposures");
    }

    ExposurePolicy policy() {
        return policy(List.of(READ, COPY));
    }

    ExposurePolicy policy(List<ExposureMode> modes) {
        ExposureOffer offer = ExposureOffer.of(modes, List.of(CODEX, new Id128("pi-safe")));
        return new ExposurePolicy(
                List.of(new ExposureRoot(MAIN, new AbsolutePath(root.toString()), offer, TTL_MAX)));
    }

    ExposureRegistry open() throws AppendLogException, RootException {
        return open(Syscalls.host());
    }

    ExposureRegistry open(Syscalls kernel) throws AppendLogException, RootException {
        return open(kernel, policy());
    }

    ExposureRegistry open(Syscalls kernel, ExposurePolicy policy)
            throws AppendLogException, RootException {
        return ExposureRegistry.open(
                new Linux(kernel), policy, UnixPath.of(file.toString()), bytesMax);
    }

    ExposureRequest.Submitted wish(String id, Path path) {
        return wish(id, path.toString(), 100);
    }

    static ExposureRequest.Submitted wish(String id, String path, long ttlSecs) {
        return new ExposureRequest.Submitted(
                id, "main", path, "A label", List.of(READ, COPY), ttlSecs, List.of("codex-safe"));
    }

    static PathGrant.Terms reading(long ttlSecs) {
        return new PathGrant.Terms(
                Access.READ, Materialization.BIND, 0, ttlSecs, CleanupPolicy.RETAIN);
    }

    static PathGrant.Exposed grant(ExposureView view) {
        return new PathGrant.Exposed(view.exposureId(), view.generation(), view.scopeDigest());
    }

    static ExposureView done(ExposureReply reply) {
        return switch (reply) {
            case ExposureReply.Done done -> done.exposure();
            case ExposureReply.Refused refused -> throw new AssertionError(refused.why());
        };
    }

    /** What was answered, in a word or two. */
    static String words(ExposureReply reply) {
        return switch (reply) {
            case ExposureReply.Done done ->
                (done.repeated() ? "again " : "done ") + done.exposure().generation() + " "
                        + done.exposure().state().word();
            case ExposureReply.Refused refused -> refused.reason().name();
        };
    }

    /** What a journal holds, record by record. */
    static List<byte[]> payloads(byte[] journal) {
        return StoreBytes.payloads(journal, ExposureRegistry.HEADER.length());
    }

    static byte[] journal(List<byte[]> payloads) {
        return StoreBytes.of(ExposureRegistry.HEADER, payloads);
    }

    /** Puts a journal in the place of the file. */
    void write(byte[] journal) throws IOException {
        StoreBytes.write(file, journal);
    }
}
