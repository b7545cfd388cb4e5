package glove.session.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.policy.session.TerminationCause;
import glove.sys.Syscalls;
import glove.testkit.DyingSyscalls;
import glove.testkit.Seed;
import glove.wire.Digest;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Random histories of a daemon and its peer against a model in memory. */
@Tag("unit")
@Timeout(900)
final class ReceiptModelTest {
    private static final int HISTORIES = 12;
    private static final int LENGTH = 80;
    private static final List<TerminationCause> CAUSES = List.of(TerminationCause.values());

    @TempDir
    private Path parent;

    /** What is known by rule: all receipts there are, what the peer has, and what is set aside. */
    private static final class Model {
        private final List<ReceiptEnvelope> written = new ArrayList<>();
        private final List<ReceiptEnvelope> archived = new ArrayList<>();
        private final List<TerminalReservation> reserved = new ArrayList<>();
        private boolean reconciled;
        private long bytes = ReceiptStore.HEADER_BYTES;

        private static Anchor end(List<ReceiptEnvelope> of) {
            return of.isEmpty() ? ReceiptRoom.GENESIS : of.get(of.size() - 1).anchor();
        }

        private boolean hasRoom(long bytesMax) {
            long needed = (reserved.size() + 1L) * ReceiptStore.RESERVED_BYTES;
            return bytes + needed <= bytesMax;
        }
    }

    private static Receipt receipt(Random random) {
        return random.nextInt(3) == 0
                ? ReceiptRoom.refinement(random.nextBoolean())
                : resource(random);
    }

    private static Receipt resource(Random random) {
        TerminationCause cause = CAUSES.get(random.nextInt(CAUSES.size()));
        OptionalInt code = cause == TerminationCause.EXITED
                ? OptionalInt.of(random.nextInt(256))
                : OptionalInt.empty();
        return random.nextBoolean()
                ? ReceiptRoom.with(
                        List.of(), List.of(ReceiptRoom.retained("e" + random.nextInt(9))))
                : ReceiptRoom.resource(
                        new Ending(
                                cause, code, 1 + random.nextInt(9), random.nextLong() | 1L << 63),
                        random.nextLong());
    }

    @Test
    void aProducerDoesWhatTheModelDoes() throws Exception {
        for (int history = 0; history < HISTORIES; history++) {
            Random random = Seed.random(history);
            ReceiptRoom room =
                    new ReceiptRoom(Files.createDirectory(parent.resolve("h" + history)));
            room.bytesMax = 150_000L + random.nextInt(200_000);
            Model model = new Model();
            ReceiptProducer producer = room.producer(Syscalls.host());
            producer.bootstrap(ReceiptRoom.GENESIS);
            for (int step = 0; step < LENGTH; step++) {
                String when = Seed.words() + " history " + history + " step " + step;
                if (random.nextInt(10) == 0) {
                    producer.close();
                    producer = restarted(room, model, random, when);
                } else {
                    step(producer, room, model, random, when);
                }
            }
            producer.close();
            assertThat(room.scan().end()).isEqualTo(Model.end(model.written));
        }
    }

    /** Sometimes with half a record at the end, which nobody was told of. */
    private ReceiptProducer restarted(ReceiptRoom room, Model model, Random random, String when)
            throws Exception {
        boolean torn = random.nextInt(3) == 0;
        if (torn) {
            byte[] whole = Files.readAllBytes(room.file);
            byte[] more = new byte[whole.length + 7];
            System.arraycopy(whole, 0, more, 0, whole.length);
            more[whole.length + 2] = 3;
            room.write(more);
        }
        ReceiptProducer producer = room.producer(Syscalls.host());
        producer.bootstrap(Model.end(model.archived));
        model.reserved.clear();
        model.reconciled = model.archived.size() == model.written.size();
        assertThat(producer.isReconciled()).as(when).isEqualTo(model.reconciled);
        assertThat(producer.repaired().isPresent()).as(when).isEqualTo(torn);
        return producer;
    }

    private static void step(
            ReceiptProducer producer, ReceiptRoom room, Model model, Random random, String when)
            throws Exception {
        switch (random.nextInt(5)) {
            case 0 -> {
                ReceiptPage page =
                        producer.pageAfter(Model.end(model.archived), 1 + random.nextInt(3));
                model.archived.addAll(page.envelopes());
                assertThat(model.archived)
                        .as(when)
                        .isEqualTo(model.written.subList(0, model.archived.size()));
                assertThat(page.hasMore()).isEqualTo(model.archived.size() < model.written.size());
            }
            case 1 -> {
                boolean all = model.archived.size() == model.written.size();
                ReceiptException failure = catchThrowableOfType(
                        ReceiptException.class,
                        () -> producer.acknowledge(Model.end(model.archived)));
                assertThat(failure == null).as(when).isEqualTo(all);
                model.reconciled |= all;
            }
            case 2 -> {
                Receipt shape = receipt(random);
                boolean expected = model.reconciled && model.hasRoom(room.bytesMax);
                ReceiptException failure = catchThrowableOfType(
                        ReceiptException.class,
                        () -> model.reserved.add(producer.reserve(
                                ReceiptRoom.execution("s" + random.nextInt(5)), shape)));
                assertThat(failure == null).as(when).isEqualTo(expected);
            }
            default -> commitOrDrop(producer, model, random, when);
        }
    }

    private static void commitOrDrop(
            ReceiptProducer producer, Model model, Random random, String when) throws Exception {
        if (model.reserved.isEmpty()) {
            return;
        }
        TerminalReservation place = model.reserved.remove(random.nextInt(model.reserved.size()));
        if (random.nextInt(4) == 0) {
            place.close();
            return;
        }
        Receipt receipt = place.kind() == ReceiptKind.RESOURCE
                ? resource(random)
                : ReceiptRoom.refinement(random.nextBoolean());
        ReceiptEnvelope written = producer.commit(place, receipt);
        Digest before = Model.end(model.written).headHmac();
        assertThat(written.previousHmac()).as(when).isEqualTo(before);
        model.written.add(written);
        model.bytes += ReceiptRecord.encode(written).length + ReceiptStore.FRAME_BYTES;
        assertThat(producer.containsExact(written)).as(when).isTrue();
    }

    /** Many at once, killed somewhere: who was told has a receipt, and the chain is whole. */
    @Test
    void manySessionsEndAtOnceAndTheDaemonDies() throws Exception {
        for (int round = 0; round < 8; round++) {
            Random random = Seed.random(1000 + round);
            ReceiptRoom room = new ReceiptRoom(Files.createDirectory(parent.resolve("m" + round)));
            DyingSyscalls kernel =
                    new DyingSyscalls(Syscalls.host(), 60 + random.nextInt(400), 100);
            ConcurrentLinkedQueue<ReceiptEnvelope> told = new ConcurrentLinkedQueue<>();
            ConcurrentLinkedQueue<ReceiptException.Fault> faults = new ConcurrentLinkedQueue<>();
            try (ReceiptProducer producer = room.producer(kernel)) {
                producer.bootstrap(ReceiptRoom.GENESIS);
                producer.acknowledge(ReceiptRoom.GENESIS);
                List<Thread> threads = new ArrayList<>();
                for (int t = 0; t < 8; t++) {
                    String name = "t" + t;
                    threads.add(Thread.ofVirtual().start(() -> run(producer, name, told, faults)));
                }
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            assertThat(kernel.isDead()).as(Seed.words()).isTrue();
            assertThat(faults).hasSize(8).containsOnly(ReceiptException.Fault.STORAGE);
            try (ReceiptProducer producer = room.producer(Syscalls.host())) {
                producer.bootstrap(ReceiptRoom.GENESIS);
                List<ReceiptEnvelope> there =
                        producer.pageAfter(ReceiptRoom.GENESIS, 1000).envelopes();
                assertThat(there).as(Seed.words()).containsAll(told);
            }
            assertThat(room.scan().fault()).isEmpty();
        }
    }

    private static void run(
            ReceiptProducer producer,
            String name,
            ConcurrentLinkedQueue<ReceiptEnvelope> told,
            ConcurrentLinkedQueue<ReceiptException.Fault> faults) {
        try {
            for (int i = 0; i < 100; i++) {
                told.add(ReceiptRoom.write(producer, name + "-" + i, ReceiptRoom.exited(i)));
            }
        } catch (ReceiptException e) {
            faults.add(e.fault());
        }
    }
}
