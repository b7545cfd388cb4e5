package glove.session;

import glove.journal.AppendLogException;
import glove.policy.session.Access;
import glove.policy.session.CleanupPolicy;
import glove.policy.session.ExposureMode;
import glove.policy.session.ExposureOffer;
import glove.policy.session.ExposurePolicy;
import glove.policy.session.ExposureRoot;
import glove.policy.session.Materialization;
import glove.session.exposure.ExposureRegistry;
import glove.session.exposure.RootException;
import glove.session.receipt.Anchor;
import glove.session.receipt.ReceiptException;
import glove.session.receipt.ReceiptProducer;
import glove.session.receipt.ReceiptStore;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;
import glove.wire.Id128;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A program that opens the stores of a daemon as whoever runs it, and prints what became of it. */
final class StoreUse {
    /** What a store is called: a directory of its own, and in it a file of that name. */
    static final List<String> STORES = List.of("sessions", "exposures", "receipts");

    private final Path top;
    private final PrintStream out = System.out;

    private StoreUse(Path top) {
        this.top = top;
    }

    /**
     * Runs.
     *
     * @param words a directory, and either "make" or names of harms to do to every store in turn
     */
    public static void main(String[] words) throws Exception {
        StoreUse use = new StoreUse(Path.of(words[0]));
        for (int i = 1; i < words.length; i++) {
            for (String store : STORES) {
                use.run(words[i], store);
            }
        }
    }

    private void run(String harm, String store) throws Exception {
        if (harm.equals("make")) {
            make(store);
        } else {
            harm(harm, top.resolve(store), store);
        }
        out.println(harm + " " + store + ": " + open(store, top.resolve(store).resolve(store)));
        if (!harm.equals("make")) {
            undo(harm, top.resolve(store), store);
        }
    }

    private void make(String store) throws Exception {
        Path directory = Files.createDirectory(top.resolve(store));
        chmod(directory, "rwx------");
        Path key = directory.resolve("key");
        Files.writeString(key, "0".repeat(63) + "1\n");
        chmod(key, "rw-------");
        Files.createDirectories(top.resolve("root"));
    }

    private static void chmod(Path path, String mode) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    /** What the user himself can do wrong. */
    private static void harm(String harm, Path directory, String store) throws Exception {
        Path file = directory.resolve(store);
        switch (harm) {
            case "group-parent" -> chmod(directory, "rwxrwx---");
            case "open-parent" -> chmod(directory, "rwxr-xr-x");
            case "group-file" -> chmod(file, "rw-rw----");
            case "linked-parent" -> {
                Path elsewhere = directory.resolveSibling(store + ".real");
                Files.move(directory, elsewhere);
                Files.createSymbolicLink(directory, elsewhere);
            }
            case "linked-file" -> {
                Path elsewhere = directory.resolve("real");
                Files.move(file, elsewhere);
                Files.createSymbolicLink(file, elsewhere);
            }
            case "two-names" -> Files.createLink(directory.resolve("other"), file);
            case "control" -> {}
            default -> throw new IllegalArgumentException(harm);
        }
    }

    private static void undo(String harm, Path directory, String store) throws Exception {
        Path file = directory.resolve(store);
        Path elsewhere = harm.equals("linked-parent")
                ? directory.resolveSibling(store + ".real")
                : directory.resolve("real");
        if (Files.exists(elsewhere, LinkOption.NOFOLLOW_LINKS)) {
            Path link = harm.equals("linked-parent") ? directory : file;
            Files.delete(link);
            Files.move(elsewhere, link);
        }
        Files.deleteIfExists(directory.resolve("other"));
        if (!harm.equals("control")) {
            chmod(directory, "rwx------");
            chmod(file, "rw-------");
        }
    }

    private String open(String store, Path file) throws Exception {
        UnixPath path = UnixPath.of(file.toString());
        try {
            switch (store) {
                case "sessions" -> openSessions(path);
                case "exposures" -> openExposures(path);
                default -> openReceipts(path);
            }
            return "opened";
        } catch (AppendLogException e) {
            return e.fault().name();
        } catch (ReceiptException e) {
            return e.getCause() instanceof AppendLogException cause
                    ? cause.fault().name()
                    : e.fault().name();
        }
    }

    private static void openSessions(UnixPath path) throws AppendLogException {
        SessionRegistry.Checks checks = new SessionRegistry.Checks(
                (plan, nowMs) -> {
                    throw new PlanRefusedException("no plan is good here");
                },
                (plan, nowMs) -> LaunchCheck.Eligibility.LAUNCHABLE,
                envelope -> ReceiptCheck.Worth.UNKNOWN);
        SessionRegistry.open(Linux.host(), SessionRegistry.Store.at(path), checks)
                .close();
    }

    private void openExposures(UnixPath path) throws AppendLogException, RootException {
        ExposureMode read =
                new ExposureMode(Access.READ, Materialization.BIND, 0, CleanupPolicy.RETAIN);
        ExposureOffer offer = ExposureOffer.of(List.of(read), List.of(new Id128("t")));
        AbsolutePath root = new AbsolutePath(top.resolve("root").toString());
        ExposurePolicy policy =
                new ExposurePolicy(List.of(new ExposureRoot(new Id128("main"), root, offer, 1000)));
        ExposureRegistry.open(Linux.host(), policy, path, 1 << 20).close();
    }

    private static void openReceipts(UnixPath path) throws Exception {
        UnixPath key = path.parent().resolve("key");
        try (ReceiptProducer receipts =
                ReceiptProducer.of(Linux.host(), key, ReceiptStore.at(path))) {
            receipts.bootstrap(Anchor.genesis(receipts.keyId()));
        }
    }
}
