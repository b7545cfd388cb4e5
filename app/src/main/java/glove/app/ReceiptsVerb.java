package glove.app;

import glove.journal.DurableFileException;
import glove.sandbox.Refusal;
import glove.session.receipt.Anchor;
import glove.session.receipt.AuditKey;
import glove.session.receipt.ReceiptEnvelope;
import glove.session.receipt.ReceiptScan;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.Digest;
import glove.wire.JsonWriter;
import glove.wire.U64;

import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * {@code glove receipts}: what stands in the receipt journal of a daemon, and whether it is all
 * there. Reads a file, which may be a copy; asks no daemon.
 */
final class ReceiptsVerb {
    static final String HELP = """
            usage: glove receipts show --journal FILE [--key FILE] [--json]
                   glove receipts verify --journal FILE --key FILE [OPTION...]

            The receipts of gloved: what each session was allowed, what it used and why it
            ended. Reads the journal, or a copy of it, and changes nothing; gloved need not
            run, and may.

              show    lists the receipts, up to the first that is not well; without the
                      key anybody could have written them
              verify  checks the whole chain as anybody with the key can, tells the first
                      record that is not well, and prints the anchor of the end

              --journal FILE   the receipt journal
              --key FILE       the key it was made with; yours, with mode 600
              --anchor N:HMAC  what verify printed before: all receipts up to there must
                               still be in the journal
              --json           print the answer as data
              -h, --help       this text

            Exit status 0 when all is well, 1 when it is not, 2 for a bad command line.

            example: glove receipts verify --journal receipts --key ~/.config/glove/key
            """;

    private static final String SEE_HELP = "glove receipts --help";
    private static final String JOURNAL = "--journal";
    private static final String KEY = "--key";
    private static final String ANCHOR = "--anchor";
    private static final int SCHEMA_VERSION = 1;
    private static final int EXIT_FAILED = 1;

    private final Linux linux;
    private final Invocation invocation;
    private final Notices notices = new Notices("receipts");

    ReceiptsVerb(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    /** Does it all and returns the exit status. */
    int run() {
        try {
            VerbWords words = VerbWords.of(invocation, List.of(JOURNAL, KEY, ANCHOR));
            if (words.help()) {
                return Output.print(HELP);
            }
            boolean show = words.rest().equals(List.of("show"));
            if (!show && !words.rest().equals(List.of("verify"))) {
                throw new Refusal("'show' or 'verify' is wanted, and nothing else", SEE_HELP);
            }
            UnixPath journal = words.value(JOURNAL)
                    .orElseThrow(() -> new Refusal("no journal is named", JOURNAL + " FILE"));
            Optional<AuditKey> key = key(words);
            return show ? show(journal, key, words) : verify(journal, key, words);
        } catch (Refusal e) {
            notices.refuse(e);
            return e.exitStatus();
        } catch (ErrnoException e) {
            notices.say("cannot read the journal: " + e.getMessage());
            notices.suggest(
                    JOURNAL + " FILE, as \"receipt_journal\" of gloved's configuration has it");
            return EXIT_FAILED;
        }
    }

    private Optional<AuditKey> key(VerbWords words) throws Refusal, ErrnoException {
        Optional<UnixPath> file = words.value(KEY);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(AuditKey.read(linux, linux.absolute(file.get())));
        } catch (DurableFileException e) {
            throw new Refusal(EXIT_FAILED, e.getMessage(), List.of(SEE_HELP));
        }
    }

    private int show(UnixPath journal, Optional<AuditKey> key, VerbWords words)
            throws Refusal, ErrnoException {
        if (words.value(ANCHOR).isPresent()) {
            throw new Refusal(ANCHOR + " is for 'verify'", "glove receipts verify ...");
        }
        ReceiptList list = new ReceiptList(words.json(), ZoneId.systemDefault());
        list.begin(journal.toString());
        ReceiptScan scan = ReceiptScan.of(linux, journal, key, list);
        list.end(scan);
        if (!words.json()) {
            scan.fault().ifPresent(fault -> notices.say("'" + journal + "': " + fault));
            if (!scan.authenticated()) {
                notices.say("without the key, anybody could have written this");
                notices.suggest(KEY + " FILE");
            }
        }
        return scan.fault().isEmpty() && list.isPrinted() ? 0 : EXIT_FAILED;
    }

    private int verify(UnixPath journal, Optional<AuditKey> given, VerbWords words)
            throws Refusal, ErrnoException {
        AuditKey key = given.orElseThrow(() -> new Refusal(
                "without the key nothing can be verified: anybody could have written the journal",
                KEY + " FILE"));
        Optional<Anchor> wanted = anchor(key.id(), words);
        AnchorCheck check = new AnchorCheck(wanted);
        ReceiptScan scan = ReceiptScan.of(linux, journal, given, check);
        Optional<String> lost = check.complaint(scan);
        boolean well = scan.fault().isEmpty() && lost.isEmpty();
        int printed =
                Output.print(words.json() ? data(journal, scan, lost) : text(journal, scan, lost));
        return well ? printed : EXIT_FAILED;
    }

    private static Optional<Anchor> anchor(Digest keyId, VerbWords words) throws Refusal {
        Optional<UnixPath> given = words.value(ANCHOR);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        String text = given.get().toString();
        Optional<Anchor> anchor = Anchor.parse(keyId, text);
        if (anchor.isEmpty()) {
            throw new Refusal(
                    ANCHOR + " '" + TerminalText.of(text)
                            + "' is not the number and code of a receipt, as 41:9f86d0...",
                    "glove receipts verify, and note down what it prints");
        }
        return anchor;
    }

    /** Looks for an anchor among the receipts. Confined to one thread. */
    private static final class AnchorCheck implements ReceiptScan.Visitor {
        private final Optional<Anchor> wanted;
        private boolean found;

        AnchorCheck(Optional<Anchor> wanted) {
            this.wanted = wanted;
            this.found = wanted.isEmpty()
                    || wanted.get().equals(Anchor.genesis(wanted.get().keyId()));
        }

        @Override
        public void receipt(ReceiptEnvelope envelope) {
            found = found || envelope.anchor().equals(wanted.orElseThrow());
        }

        /** Why what there is does not have the anchor; empty when it does. */
        Optional<String> complaint(ReceiptScan scan) {
            if (found) {
                return Optional.empty();
            }
            Anchor anchor = wanted.orElseThrow();
            if (U64.isLess(scan.end().sequence(), anchor.sequence())) {
                return Optional.of("only " + U64.text(scan.end().sequence()) + " of the "
                        + U64.text(anchor.sequence()) + " receipts up to the anchor are there");
            }
            return Optional.of("receipt " + U64.text(anchor.sequence())
                    + " is another than the one of the anchor: this journal was made anew");
        }
    }

    private static String text(UnixPath journal, ReceiptScan scan, Optional<String> lost) {
        StringBuilder out = new StringBuilder();
        out.append(U64.text(scan.end().sequence())).append(" receipts of '").append(journal);
        out.append("' are well\n");
        if (scan.fault().isPresent()) {
            out.append(scan.fault().get()).append('\n');
            if (scan.fault().get().torn()) {
                out.append("it is being written now, or its writing was interrupted: gloved ")
                        .append("cuts it off when its controller comes back\n");
            }
        }
        lost.ifPresent(what -> out.append(what).append('\n'));
        if (scan.fault().isEmpty() && lost.isEmpty()) {
            out.append("the chain is whole\n");
            out.append("note down, to see later that its end was not cut off:\n  --anchor ");
            out.append(scan.end()).append('\n');
        }
        return out.toString();
    }

    private static String data(UnixPath journal, ReceiptScan scan, Optional<String> lost) {
        JsonWriter data = new JsonWriter().beginObject();
        data.member("schema_version", SCHEMA_VERSION)
                .member("journal", journal.toString())
                .member("whole", scan.fault().isEmpty() && lost.isEmpty())
                .unsigned("receipts", scan.end().sequence())
                .unsigned("bytes", scan.bytes());
        scan.end().write(data.name("anchor"));
        ReceiptList.fault(data, scan);
        lost.ifPresent(what -> data.member("lost", what));
        return data.endObject().toJson() + "\n";
    }
}
