package glove.session.receipt;

import glove.policy.session.RefinementOutcome;
import glove.policy.session.ResourceLimits;
import glove.policy.session.SandboxBackend;
import glove.policy.session.TerminationCause;
import glove.policy.session.Variant;
import glove.session.ReceiptReservation;
import glove.session.StoreBytes;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.SecretKey32;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** A journal and its key in a directory of their own, and receipts to put into it. */
final class ReceiptRoom {
    static final String KEY_HEX =
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    static final AuditKey KEY = AuditKey.of(SecretKey32.parse(KEY_HEX).orElseThrow());
    static final Anchor GENESIS = Anchor.genesis(KEY.id());
    static final Digest CONTROLLER = new Digest("a".repeat(64));
    static final Digest PROFILE = new Digest("c".repeat(64));
    static final ResourceLimits LIMITS =
            new ResourceLimits(60_000, 536_870_912, 128, 120_000, 1_073_741_824, 16_777_216);

    final Path directory;
    final Path file;
    final Path keyFile;
    long bytesMax = ReceiptStore.BYTES_MOST;

    ReceiptRoom(Path parent) throws IOException {
        directory = Files.createDirectory(parent.resolve("receipts"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        file = directory.resolve("journal");
        keyFile = directory.resolve("key");
        StoreBytes.write(keyFile, (KEY_HEX + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    void write(byte[] journal) throws IOException {
        StoreBytes.write(file, journal);
    }

    ReceiptStore store() {
        return new ReceiptStore(UnixPath.of(file.toString()), bytesMax);
    }

    ReceiptProducer producer(Syscalls kernel) throws Exception {
        return ReceiptProducer.of(new Linux(kernel), UnixPath.of(keyFile.toString()), store());
    }

    /** One that may begin: its peer has all there is. */
    ReceiptProducer ready(Anchor peers) throws Exception {
        ReceiptProducer producer = producer(Syscalls.host());
        producer.bootstrap(peers);
        Anchor head = peers;
        ReceiptPage page;
        do {
            page = producer.pageAfter(head, 7);
            head = page.hasMore()
                    ? page.envelopes().get(page.envelopes().size() - 1).anchor()
                    : page.localAnchor();
        } while (page.hasMore());
        producer.acknowledge(head);
        return producer;
    }

    ReceiptJournal open(Optional<Anchor> trusted) throws ReceiptException {
        return ReceiptJournal.open(Linux.host(), store(), KEY, trusted);
    }

    /** Reads it as a stranger would. */
    ReceiptScan scan() throws Exception {
        return ReceiptScan.of(
                Linux.host(), UnixPath.of(file.toString()), Optional.of(KEY), found -> {});
    }

    static ReceiptReservation execution(String session) {
        return new ReceiptReservation(new Id128(session), CONTROLLER, PROFILE);
    }

    static ReceiptEnvelope write(ReceiptProducer producer, String session, Receipt receipt)
            throws ReceiptException {
        try (TerminalReservation room = producer.reserve(execution(session), receipt)) {
            return producer.commit(room, receipt);
        }
    }

    static ResourceReceipt exited(int code) {
        return resource(
                new Ending(TerminationCause.EXITED, OptionalInt.of(code), 1000, 1750), 1024);
    }

    static ResourceReceipt resource(Ending ending, long printed) {
        return new ResourceReceipt(
                PROFILE,
                new ResourceReceipt.Sandbox(
                        SandboxBackend.LINUX_PRODUCTION,
                        new Id128("linux-production:cgroup-v2-v1")),
                LIMITS,
                Mechanisms.CGROUP,
                new ObservedUse(500, 16_777_216, 2, 750, 4096, printed),
                ending,
                List.of(),
                List.of());
    }

    static ResourceReceipt with(
            List<ProjectionReceipt> projections, List<RetainedChange> retained) {
        ResourceReceipt plain = exited(0);
        return new ResourceReceipt(
                plain.profileDigest(),
                plain.sandbox(),
                plain.limits(),
                plain.mechanisms(),
                plain.observed(),
                plain.ending(),
                projections,
                retained);
    }

    static RetainedChange retained(String exposure) {
        return new RetainedChange(
                new Id128(exposure),
                1,
                new RetainedChange.Trees(digest(1), digest(2), digest(3), digest(4), digest(5)),
                new RetainedChange.Counts(1, 2, 3, 4, 5, 6));
    }

    static Digest digest(int digit) {
        return new Digest(Integer.toString(digit).repeat(64));
    }

    /** An evaluation; without an outcome its transcript is not complete. */
    static RefinementReceipt refinement(boolean valid) {
        Optional<RefinementOutcome> outcome = valid
                ? Optional.of(new RefinementOutcome(new TreeMap<>(Map.of("passed", 1L))))
                : Optional.empty();
        return new RefinementReceipt(
                exited(0),
                outcome,
                Variant.CANDIDATE,
                new RefinementReceipt.Bundles(bundle("fixture"), bundle("base"), bundle("new")),
                digest(7),
                new RefinementReceipt.Transcript(digest(8), 1024, valid),
                new RefinementReceipt.Evaluator(true, true, 2, 1));
    }

    private static RefinementReceipt.Bundle bundle(String name) {
        return new RefinementReceipt.Bundle(name, digest(6), "skills");
    }

    /** What a journal holds, record by record. */
    static List<byte[]> payloads(byte[] journal) {
        return StoreBytes.payloads(journal, ReceiptStore.HEADER_BYTES);
    }
}
