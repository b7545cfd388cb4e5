package glove.session.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import glove.journal.DurableFileException;
import glove.sys.Syscalls;
import glove.testkit.Fault;
import glove.testkit.FaultLoop;
import glove.testkit.FaultyCalls;
import glove.testkit.Leftovers;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Every call of a receipt journal and of whoever pages through it fails in every way: no receipt is
 * lost that was told, and none is half there.
 */
@Tag("unit")
@Timeout(900)
final class ReceiptFaultTest {
    @TempDir
    private Path parent;

    private ReceiptRoom room;

    @BeforeEach
    void makeReceiptRoom() throws Exception {
        room = new ReceiptRoom(parent);
    }

    @Test
    void whatWasAnsweredIsThereAndTheRestIsToldAndDoneNextTime() throws Exception {
        new FaultLoop(Syscalls.host()).run(this::use).requireRow("receipt journal and its pages");
    }

    private void use(FaultyCalls calls) throws Exception {
        Files.deleteIfExists(room.file);
        Leftovers leftovers = Leftovers.since(Leftovers.Place.withoutGroups());
        List<ReceiptEnvelope> answered = new ArrayList<>();
        String told = "";
        try (ReceiptProducer producer = room.producer(calls)) {
            producer.bootstrap(ReceiptRoom.GENESIS);
            producer.acknowledge(ReceiptRoom.GENESIS);
            answered.add(ReceiptRoom.write(producer, "one", ReceiptRoom.exited(0)));
            answered.add(ReceiptRoom.write(producer, "two", ReceiptRoom.refinement(true)));
            assertThat(producer.pageAfter(ReceiptRoom.GENESIS, 7).envelopes()).isEqualTo(answered);
            producer.acknowledge(answered.getLast().anchor());
        } catch (ReceiptException | DurableFileException e) {
            told = String.valueOf(e.getMessage());
        }
        leftovers.assertNone();
        Fault.assertTold(calls.fault(), told.isEmpty(), told, "is in use");
        assertKept(answered);
    }

    private void assertKept(List<ReceiptEnvelope> answered) throws Exception {
        try (ReceiptProducer producer = room.producer(Syscalls.host())) {
            producer.bootstrap(ReceiptRoom.GENESIS);
            ReceiptPage page = producer.pageAfter(ReceiptRoom.GENESIS, 7);
            assertThat(page.envelopes().subList(0, answered.size())).isEqualTo(answered);
            assertThat(page.envelopes()).hasSizeLessThanOrEqualTo(2);
            producer.acknowledge(page.localAnchor());
            ReceiptEnvelope next = ReceiptRoom.write(producer, "three", ReceiptRoom.exited(2));
            assertThat(next.sequence()).isEqualTo(page.localAnchor().sequence() + 1);
        }
        assertThat(room.scan().fault()).isEmpty();
    }
}
