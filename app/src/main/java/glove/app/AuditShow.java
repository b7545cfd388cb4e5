package glove.app;

import glove.journal.AuditEntry;
import glove.journal.AuditException;
import glove.journal.AuditFile;
import glove.journal.AuditLine;
import glove.journal.AuditLineException;
import glove.sys.UnixPath;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Prints events of an audit log as they are read, in bounded memory. Lines that are none of Glove's
 * are told on stderr and passed over. Confined to one thread.
 */
final class AuditShow {
    /** {@code --last} keeps 16 bytes for each. */
    static final int LAST_MAX = 100_000;

    private static final int WAITING_BYTES = 32 << 10;

    private final UnixPath path;
    private final AuditSelection selection;
    private final Notices notices;
    private final boolean json;
    private final AuditText text = new AuditText(ZoneId.systemDefault());
    private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private boolean unreadable;
    private boolean unheard;

    /**
     * Of one log.
     *
     * @param json whether lines are printed as they stand in the file
     */
    AuditShow(UnixPath path, AuditSelection selection, boolean json, Notices notices) {
        this.path = path;
        this.selection = selection;
        this.json = json;
        this.notices = notices;
    }

    /** Whether all was readable, and taken by who reads it. */
    boolean isWell() {
        return !unreadable && !unheard;
    }

    /** Whether nobody reads what is printed any more. */
    boolean isUnheard() {
        return unheard;
    }

    /** Prints a whole file, or what was asked for of its end. */
    void begin(AuditFile file) throws AuditException {
        file.look();
        if (selection.lastMax().isPresent()) {
            skip(file, selection.lastMax().get());
        }
        printRest(file);
    }

    /** Prints what has come since. */
    void goOn(AuditFile file) throws AuditException {
        file.look();
        printRest(file);
    }

    /** Reads once to learn where the last ones begin, and goes back there. */
    private void skip(AuditFile file, int last) throws AuditException {
        long[] numbers = new long[last];
        long[] offsets = new long[last];
        long found = 0;
        for (; ; ) {
            Optional<AuditLine> line = file.next();
            if (line.isEmpty()) {
                break;
            }
            if (isWanted(line.get())) {
                numbers[(int) (found % last)] = line.get().number();
                offsets[(int) (found % last)] = line.get().offset();
                found++;
            }
        }
        int first = (int) (found < last ? 0 : found % last);
        if (found > 0) {
            file.goBackTo(numbers[first], offsets[first]);
        }
    }

    private boolean isWanted(AuditLine line) {
        try {
            return selection.has(line.entry().event());
        } catch (AuditLineException e) {
            return false;
        }
    }

    private void printRest(AuditFile file) throws AuditException {
        while (!unheard) {
            Optional<AuditLine> line = file.next();
            if (line.isEmpty()) {
                break;
            }
            print(line.get());
        }
        flush();
    }

    private void print(AuditLine line) {
        AuditEntry entry;
        try {
            entry = line.entry();
        } catch (AuditLineException e) {
            flush();
            unreadable = true;
            notices.say("'" + path + "', line " + line.number() + ": " + e.getMessage());
            return;
        }
        if (selection.has(entry.event())) {
            String words = text.of(entry.event(), entry.run());
            waiting.writeBytes(json ? line.bytes() : words.getBytes(StandardCharsets.UTF_8));
        }
        if (waiting.size() > WAITING_BYTES) {
            flush();
        }
    }

    private void flush() {
        if (waiting.size() > 0) {
            unheard |= Output.print(waiting.toByteArray()) != 0;
            waiting.reset();
        }
    }
}
