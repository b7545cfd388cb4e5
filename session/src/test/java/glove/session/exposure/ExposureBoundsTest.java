package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;

import glove.policy.session.ExposureOffer;
import glove.policy.session.ExposurePolicy;
import glove.policy.session.ExposureRequest;
import glove.policy.session.ExposureRoot;
import glove.policy.session.SourceIdentity;
import glove.session.exposure.ExposureRefusedException.Reason;
import glove.sys.Call;
import glove.sys.Errno;
import glove.sys.Syscalls;
import glove.wire.AbsolutePath;
import glove.wire.Id128;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** What stands can always be listed, and an error that says nothing about it changes no state. */
@Tag("unit")
@Timeout(900)
final class ExposureBoundsTest {
    private static final long NOW = 1_000_000;

    @TempDir
    private Path parent;

    private static List<String> templates() {
        List<String> names = new ArrayList<>();
        for (int i = 10; i < 74; i++) {
            names.add("t" + i + "x".repeat(125));
        }
        return names;
    }

    private static ExposureRequest.Submitted wish(Grounds grounds, String id) {
        return new ExposureRequest.Submitted(
                id,
                "main",
                grounds.project.toString(),
                "A label",
                List.of(Grounds.READ),
                100,
                templates());
    }

    private static ExposurePolicy policy(Grounds grounds) {
        ExposureOffer offer = ExposureOffer.of(
                List.of(Grounds.READ), templates().stream().map(Id128::new).toList());
        return new ExposurePolicy(List.of(new ExposureRoot(
                Grounds.MAIN, new AbsolutePath(grounds.root.toString()), offer, Grounds.TTL_MAX)));
    }

    private static ExposureReply create(Grounds grounds, ExposureRegistry registry, String id) {
        return registry.create(grounds.wish(id, grounds.project), new Id128("k" + id), NOW);
    }

    @Test
    void aFullJournalTakesNoMoreAndGoesOnOtherwise() throws Exception {
        Grounds grounds = new Grounds(parent);
        try (ExposureRegistry registry = grounds.open()) {
            create(grounds, registry, "a");
        }
        grounds.bytesMax = Files.size(grounds.file) + 10;
        try (ExposureRegistry registry = grounds.open()) {
            assertThat(Grounds.words(create(grounds, registry, "b")))
                    .isEqualTo(Reason.CAPACITY.name());
            assertThat(Grounds.words(create(grounds, registry, "a"))).isEqualTo("again 1 active");
            assertThat(registry.list(NOW)).hasSize(1);
        }
    }

    /** Those that are over count, too, and bytes and records are far from their bounds. */
    @Test
    void thatSoonThereAreTooManyIsToldBefore() throws Exception {
        Grounds grounds = new Grounds(parent);
        try (ExposureRegistry registry = grounds.open()) {
            for (int i = 1; i <= 922; i++) {
                assertThat(registry.isRoomLow()).as("with %s", i - 1).isFalse();
                create(grounds, registry, "e" + i);
            }

            assertThat(registry.count()).isEqualTo(922);
            assertThat(registry.isRoomLow()).isTrue();
            assertThat(registry.roomSpokenFor().isLow()).isFalse();
        }
    }

    @Test
    void thereAreAtMost1024Exposures() throws Exception {
        Grounds grounds = new Grounds(parent);
        ExposureBook book = new ExposureBook(grounds.policy());
        ExposureMemory memory = new ExposureMemory(book);
        ExposureRequests.Place place = new ExposureRequests.Place(
                new SourceIdentity(1, 2, 3, 4, 5), new SourceIdentity(1, 2, 3, 4, 5));
        for (int i = 1; i <= ExposureBook.EXPOSURES_MAX + 1; i++) {
            ExposureRequest asked =
                    grounds.wish("e" + i, grounds.project).request(new Id128("k" + i));
            ExposureChange change = new ExposureChange(
                    memory, new ExposureRequests.Creation(asked, Optional.of(place), NOW));
            change.make(i);

            assertThat(Grounds.words(change.done()))
                    .isEqualTo(i <= ExposureBook.EXPOSURES_MAX ? "done 1 active" : "CAPACITY");
        }
    }

    @Test
    void whatWouldMakeTheCatalogueTooLargeIsNotExposed() throws Exception {
        Grounds grounds = new Grounds(parent);
        try (ExposureRegistry registry = grounds.open(Syscalls.host(), policy(grounds))) {
            int made = 0;
            ExposureReply reply;
            do {
                reply = registry.create(wish(grounds, "e" + made), new Id128("k" + made), NOW);
                made++;
            } while (reply instanceof ExposureReply.Done && made < 200);

            assertThat(Grounds.words(reply)).isEqualTo(Reason.CAPACITY.name());
            assertThat(((ExposureReply.Refused) reply).why()).contains("one response holds");
            assertThat(ExposureCatalogue.bytes(registry.list(NOW)))
                    .isBetween(1_000_000L, (long) ExposureCatalogue.BYTES_MAX);

            Grounds.done(registry.revoke("e0", 1, new Id128("r"), NOW));
            assertThat(Grounds.words(
                            registry.create(wish(grounds, "again"), new Id128("again"), NOW)))
                    .as("what is over does not count")
                    .isEqualTo("done 1 active");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM, Errno.EIO, Errno.EAGAIN})
    void anErrorThatSaysNothingAboutAnExposureDoesNotTakeItBack(int errno) throws Exception {
        Grounds grounds = new Grounds(parent);
        AtomicInteger left = new AtomicInteger();
        Syscalls kernel = (call, a, b, c, d, e, f) ->
                call == Call.OPENAT2 && left.getAndUpdate(n -> n > 0 ? n - 1 : 0) == 1
                        ? -errno
                        : Syscalls.host().call(call, a, b, c, d, e, f);
        try (ExposureRegistry registry = grounds.open(kernel)) {
            ExposureView view = Grounds.done(
                    registry.create(grounds.wish("a", grounds.project), new Id128("k"), NOW));
            int refused = 0;
            for (int nth = 1; nth <= 6; nth++) {
                left.set(nth);
                try {
                    assertThat(registry.list(NOW).get(0).state()).isEqualTo(ExposureState.ACTIVE);
                } catch (ExposureRefusedException e) {
                    assertThat(e.reason()).isEqualTo(Reason.UNAVAILABLE);
                    refused++;
                }
                left.set(nth);
                try {
                    registry.resolve(Grounds.grant(view), Grounds.reading(1), Grounds.CODEX, NOW)
                            .close();
                } catch (ExposureRefusedException e) {
                    assertThat(e.reason()).isEqualTo(Reason.UNAVAILABLE);
                    refused++;
                }
            }
            left.set(0);
            assertThat(refused).as("the control: calls failed").isGreaterThanOrEqualTo(4);
            assertThat(registry.list(NOW).get(0).state()).isEqualTo(ExposureState.ACTIVE);
        }
    }
}
