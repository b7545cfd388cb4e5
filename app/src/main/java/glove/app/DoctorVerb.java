package glove.app;

import glove.sandbox.Launcher;
import glove.sandbox.Refusal;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;

/** {@code glove doctor}: what of Glove works on this host, found out by doing it. */
final class DoctorVerb {
    static final String HELP = """
            usage: glove doctor [OPTION...]

            Tries on this host what Glove is made of, each thing for two seconds at most,
            and leaves nothing behind. Tells for each whether it is ok, missing (exec runs
            without it), untried (the trial could not be made) or failed, what that means,
            and what to type against it; then which protections of the threat table hold
            here.

              -v, --verbose  name the protections that hold, too
              --json         print the report as data, docs/schemas/doctor.schema.json
              -h, --help     this text

            Exit status 0 when exec runs and nothing failed, whatever is missing; 1 when
            exec runs and something failed; 3 when nothing failed, and something could not
            be tried; 125 when exec cannot run here; 2 for a bad command line.

            example: glove doctor --json
            """;

    private final Linux linux;
    private final Invocation invocation;
    private final Notices notices = new Notices("doctor");

    DoctorVerb(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    /** Does it all and returns the exit status. */
    int run() {
        boolean verbose = false;
        boolean json = false;
        try {
            OptionWords words = new OptionWords(invocation.arguments(), "glove doctor --help");
            while (words.advance()) {
                switch (words.name()) {
                    case "-v", "--verbose" -> verbose = words.flag();
                    case "--json" -> json = words.flag();
                    case "-h", "--help" -> {
                        return Output.print(HELP);
                    }
                    default ->
                        throw new Refusal(
                                "unknown option '" + words.shown() + "'", "glove doctor --help");
                }
            }
            if (words.behind().isPresent()) {
                throw new Refusal("it takes no command", "glove doctor");
            }
        } catch (Refusal e) {
            notices.refuse(e);
            return e.exitStatus();
        }
        DoctorReport report = DoctorReport.of(examine());
        int printed = Output.print(json ? report.json() : report.text(verbose));
        return report.exitStatus() == 0 ? printed : report.exitStatus();
    }

    private List<Check> examine() {
        Remedies remedies = new Remedies(linux, HostFamily.of(linux));
        Examination examination = new Examination();
        List<Check> checks =
                new ArrayList<>(examination.of(new HostProbes(linux, invocation, remedies).all()));
        UnixPath built = BuiltFiles.launcher();
        try (Launcher launcher = Launcher.open(linux, built)) {
            checks.addAll(examination.of(new KernelProbes(linux, launcher, remedies).all()));
            ContainedProbes contained = new ContainedProbes(linux, invocation, launcher, remedies);
            Check launch = examination.of(List.of(contained.launch())).get(0);
            checks.add(launch);
            if (launch.isOk()) {
                checks.addAll(examination.of(contained.others()));
            }
        } catch (ErrnoException e) {
            checks.add(Check.failed(
                    ContainedProbes.LAUNCH,
                    "cannot open the launcher: " + e.getMessage(),
                    List.of("scripts/build --force")));
        }
        return checks;
    }
}
