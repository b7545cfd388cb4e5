package glove.session.exposure;

import glove.journal.AppendLogException;
import glove.session.bundle.BundleException;
import glove.session.bundle.LibraryBundleStore;
import glove.session.stage.ChangesRequest;
import glove.session.stage.RetainedStages;
import glove.session.stage.StageException;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;
import glove.wire.Id128;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A program that exposes things as whoever runs it, and prints what became of it. */
final class OrdinaryUse {
    private static final long NOW = 1_000_000;

    private OrdinaryUse() {}

    /**
     * Runs.
     *
     * @param words a directory to make things in, and one of somebody else
     */
    public static void main(String[] words) throws Exception {
        PrintStream out = System.out;
        Grounds grounds = new Grounds(Path.of(words[0]));
        String foreign = words[1];
        Path closed = Files.createDirectory(grounds.root.resolve("closed"));
        Path inner = Files.createDirectory(closed.resolve("inner"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        try (ExposureRegistry registry = grounds.open()) {
            ExposureReply open =
                    registry.create(grounds.wish("open", grounds.project), new Id128("k1"), NOW);
            out.println("open: " + Grounds.words(open));
            out.println("closed: "
                    + Grounds.words(
                            registry.create(grounds.wish("closed", inner), new Id128("k2"), NOW)));
            registry.resolve(
                            Grounds.grant(Grounds.done(open)),
                            Grounds.reading(1),
                            Grounds.CODEX,
                            NOW)
                    .close();
            out.println("granted: yes");
        }
        try {
            UnixPath journal = UnixPath.of(foreign + "/journal");
            ExposureRegistry.open(Linux.host(), grounds.policy(), journal, 1 << 20)
                    .close();
        } catch (AppendLogException e) {
            out.println("journal elsewhere: " + e.fault());
        }
        try {
            LibraryBundleStore.open(Linux.host(), new AbsolutePath(foreign)).close();
        } catch (BundleException e) {
            out.println("bundles elsewhere: " + e.fault());
        }
        try {
            new RetainedStages(Linux.host(), new AbsolutePath(foreign))
                    .inspect(new ChangesRequest("s", "e", 0, 1), () -> true);
        } catch (StageException e) {
            out.println("stages elsewhere: " + e.getMessage().contains("not yours alone"));
        }
    }
}
