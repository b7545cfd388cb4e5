package glove.app;

import glove.journal.AuditChain;
import glove.journal.AuditChain.Mark;
import glove.journal.AuditEvent;
import glove.journal.AuditException;
import glove.journal.AuditFile;
import glove.sandbox.Refusal;
import glove.sandbox.ShellWord;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;
import glove.wire.JsonWriter;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** {@code glove audit}: checks and shows what runs have recorded. */
final class AuditVerb {
    static final String HELP = """
            usage: glove audit verify [FILE] [--expect SEQUENCE:DIGEST] [--json]
                   glove audit show [FILE] [OPTION...]

            What runs have recorded: in FILE, or the audit log in Glove's state directory,
            ${XDG_STATE_HOME:-~/.local/state}/glove/audit/audit.jsonl. Both may be used
            while runs write to it.

              verify    reads every line: is each as Glove writes it, does each continue
                        from the one before, is the file yours alone; prints the last
                        line's number and digest to note down; exit status 1 if not
              show      prints the events, one a line, in local time

              --expect SEQUENCE:DIGEST  noted down earlier: that line must still be there
              -f, --follow       go on as more is written; begins with the last 10
                                 unless --last or --since is given
              --denied           only what was refused, denied or failed
              --since TIME       not before: 90s, 10m, 2h, 3d ago, 2026-11-29,
                                 2026-11-29T14:30, with an offset or in local time
              --last N           the last N of them, at most 100000
              --json             verify: the result as data; show: the lines as they are
              -h, --help         this text

            example: glove audit show --denied --since 2h
            """;

    private static final String SEE_HELP = "glove audit --help";
    private static final String DIRECTORY = "audit";
    private static final int SCHEMA_VERSION = 1;
    private static final int EXIT_FAILED = 1;
    private static final int FOLLOWED_FIRST = 10;

    private final Linux linux;
    private final Invocation invocation;
    private final Notices notices = new Notices(DIRECTORY);

    // As given.
    private Optional<UnixPath> file = Optional.empty();
    private Optional<Mark> expected = Optional.empty();
    private Optional<Integer> last = Optional.empty();
    private Optional<Long> since = Optional.empty();
    private boolean follow;
    private boolean denied;
    private boolean json;

    AuditVerb(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    /** Does it all and returns the exit status: 0, 1 when something is wrong, 2 for bad words. */
    int run() {
        try {
            return run(invocation.arguments());
        } catch (Refusal e) {
            notices.refuse(e);
            return e.exitStatus();
        } catch (AuditException e) {
            notices.say(e.getMessage());
            return EXIT_FAILED;
        } catch (ErrnoException e) {
            notices.say("it failed at " + e.getMessage());
            return EXIT_FAILED;
        }
    }

    private int run(List<byte[]> words) throws Refusal, AuditException, ErrnoException {
        for (byte[] word : words) {
            String text = UnixPath.of(word).toString();
            if (text.equals("-h") || text.equals("--help")) {
                return Output.print(HELP);
            }
        }
        String what = words.isEmpty() ? "" : UnixPath.of(words.get(0)).toString();
        List<byte[]> rest = words.isEmpty() ? words : words.subList(1, words.size());
        return switch (what) {
            case "verify" -> {
                read(rest, true);
                yield verify();
            }
            case "show" -> {
                read(rest, false);
                yield show();
            }
            case "" -> throw new Refusal("verify or show?", SEE_HELP);
            default -> throw new Refusal("unknown word '" + TerminalText.of(what) + "'", SEE_HELP);
        };
    }

    private void read(List<byte[]> given, boolean verifying) throws Refusal {
        OptionWords words = new OptionWords(given, SEE_HELP);
        while (words.advance()) {
            String name = words.name();
            boolean taken = verifying ? readVerify(name, words) : readShow(name, words);
            if (name.equals("--json")) {
                json = words.flag();
            } else if (!taken && name.startsWith("-")) {
                throw new Refusal(
                        "unknown option '" + TerminalText.of(words.shown()) + "'", SEE_HELP);
            } else if (!taken && file.isPresent()) {
                throw new Refusal("one file at a time", SEE_HELP);
            } else if (!taken) {
                file = Optional.of(words.whole());
            }
        }
        if (words.behind().isPresent()) {
            throw new Refusal("nothing stands behind '--'", SEE_HELP);
        }
    }

    private boolean readVerify(String name, OptionWords words) throws Refusal {
        if (!name.equals("--expect")) {
            return false;
        }
        String given = words.text();
        expected = Mark.parse(given);
        if (expected.isEmpty()) {
            throw new Refusal(
                    "--expect '" + TerminalText.of(given) + "' is not the number and digest of a "
                            + "line, as 41:9f86d0...",
                    "glove audit verify, and note down what it prints");
        }
        return true;
    }

    private boolean readShow(String name, OptionWords words) throws Refusal {
        switch (name) {
            case "-f", "--follow" -> follow = words.flag();
            case "--denied" -> denied = words.flag();
            case "--since" ->
                since = Optional.of(
                        AuditSelection.since(words.text(), Instant.now(), ZoneId.systemDefault()));
            case "--last" -> {
                long count = Quantity.count(name, words.value());
                if (count > AuditShow.LAST_MAX) {
                    throw new Refusal(
                            "--last " + count + " is more than " + AuditShow.LAST_MAX,
                            "--last " + AuditShow.LAST_MAX);
                }
                last = Optional.of((int) count);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** The file that is meant; made is only the directory, and only when asked for. */
    private UnixPath path(boolean making) throws Refusal, ErrnoException {
        if (file.isPresent()) {
            return linux.absolute(file.get());
        }
        Optional<OwnedFd> directory = making
                ? Optional.of(StateDirectory.open(linux, invocation, ExecAudit.DIRECTORY))
                : StateDirectory.openIfPresent(linux, invocation, ExecAudit.DIRECTORY);
        if (directory.isEmpty()) {
            throw new Refusal(
                    EXIT_FAILED,
                    "nothing has been recorded yet: there is no audit log in the state directory",
                    List.of("glove audit show FILE, of a run with --audit-log FILE"));
        }
        try (OwnedFd opened = directory.get()) {
            return linux.pathOf(opened).resolve(ExecAudit.FILE);
        }
    }

    private AuditFile open(UnixPath path) throws Refusal, AuditException {
        Optional<AuditFile> opened = AuditFile.open(linux, path);
        if (opened.isEmpty()) {
            throw new Refusal(
                    EXIT_FAILED,
                    "there is no '" + path + "'",
                    List.of("ls -l " + ShellWord.operand(path)));
        }
        return opened.get();
    }

    private int verify() throws Refusal, AuditException, ErrnoException {
        UnixPath path = path(false);
        try (AuditFile log = open(path)) {
            String complaint = log.complaint();
            log.look();
            AuditChain chain = AuditChain.of(log, expected);
            boolean whole = chain.fault().isEmpty() && complaint.isEmpty();
            int printed = Output.print(
                    json ? data(path, chain, complaint) : words(path, chain, complaint));
            return whole ? printed : EXIT_FAILED;
        }
    }

    private static String words(UnixPath path, AuditChain chain, String complaint) {
        StringBuilder out = new StringBuilder();
        out.append(chain.lines()).append(" lines of '").append(path).append("' are well\n");
        addTime(out, "first", chain.first());
        addTime(out, "last", chain.last());
        if (!complaint.isEmpty()) {
            out.append("but the ").append(complaint).append('\n');
        }
        if (chain.fault().isPresent()) {
            AuditChain.Fault fault = chain.fault().get();
            out.append("line ").append(fault.line());
            out.append(fault.offset() < 0 ? "" : ", at byte " + fault.offset());
            return out.append(": ").append(fault.what()).append('\n').toString();
        }
        out.append("the chain is whole\n");
        if (chain.mark().isPresent() && complaint.isEmpty()) {
            out.append("note down, to see later that its end was not cut off:\n  --expect ");
            out.append(chain.mark().get()).append('\n');
        }
        return out.toString();
    }

    private static void addTime(StringBuilder out, String what, Optional<AuditEvent> event) {
        if (event.isPresent()) {
            String time = AuditText.time(event.get().timestampNanos(), ZoneId.systemDefault());
            out.append(what).append(": ").append(time).append('\n');
        }
    }

    private static String data(UnixPath path, AuditChain chain, String complaint) {
        JsonWriter data = new JsonWriter().beginObject();
        data.member("schema_version", SCHEMA_VERSION)
                .member("file", path.toString())
                .member("whole", chain.fault().isEmpty() && complaint.isEmpty())
                .member("lines", chain.lines());
        if (chain.mark().isPresent()) {
            data.member("first_timestamp_ns", chain.first().orElseThrow().timestampNanos())
                    .member("last_timestamp_ns", chain.last().orElseThrow().timestampNanos())
                    .member("last_sequence", chain.mark().get().sequence())
                    .member("last_digest", chain.mark().get().digest());
        }
        if (!complaint.isEmpty()) {
            data.member("access", complaint);
        }
        if (chain.fault().isPresent()) {
            AuditChain.Fault fault = chain.fault().get();
            data.name("fault").beginObject().member("line", fault.line());
            if (fault.offset() >= 0) {
                data.member("offset", fault.offset());
            }
            data.member("what", fault.what()).endObject();
        }
        return data.endObject().toJson() + "\n";
    }

    private int show() throws Refusal, AuditException, ErrnoException {
        UnixPath path = path(follow);
        if (follow && last.isEmpty() && since.isEmpty()) {
            last = Optional.of(FOLLOWED_FIRST);
        }
        AuditSelection selection = new AuditSelection(denied, since.orElse(Long.MIN_VALUE), last);
        AuditShow show = new AuditShow(path, selection, json, notices);
        if (follow) {
            try (AuditFollow following = AuditFollow.of(linux, notices, path)) {
                return following.run(show);
            }
        }
        try (AuditFile log = open(path)) {
            show.begin(log);
        }
        return show.isWell() ? 0 : EXIT_FAILED;
    }
}
