package glove.app;

import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.List;

/**
 * What {@code glove doctor} found, for people and for programs.
 *
 * @param checks in the order they were made
 * @param standings of the rows of the threat table, in their order
 */
record DoctorReport(List<Check> checks, List<Threats.Standing> standings) {
    private static final int SCHEMA_VERSION = 1;
    private static final int EXIT_FAILED = 1;
    private static final int EXIT_UNTRIED = 3;
    private static final int STATUS_COLUMNS = 9;
    private static final int CODE_COLUMNS = 21;

    /** Copies the lists. */
    DoctorReport {
        checks = List.copyOf(checks);
        standings = List.copyOf(standings);
    }

    static DoctorReport of(List<Check> checks) {
        return new DoctorReport(checks, Threats.standing(checks));
    }

    /** Whether {@code exec} runs here. */
    boolean execRuns() {
        return Check.of(checks, ContainedProbes.LAUNCH).map(Check::isOk).orElse(false);
    }

    /** Whether nothing needed is broken; what is only missing may be. */
    boolean isHealthy() {
        for (Check check : checks) {
            if (check.status() == Check.Status.FAILED) {
                return false;
            }
        }
        return true;
    }

    /** Whether everything could be tried. */
    boolean isWhole() {
        for (Check check : checks) {
            if (check.isUntried()) {
                return false;
            }
        }
        return true;
    }

    int exitStatus() {
        if (!execRuns()) {
            return ExecVerb.EXIT_CANNOT_LAUNCH;
        }
        return !isHealthy() ? EXIT_FAILED : isWhole() ? 0 : EXIT_UNTRIED;
    }

    /**
     * A line a check, and what the rows say.
     *
     * @param verbose whether rows that hold are named, too
     */
    String text(boolean verbose) {
        StringBuilder out = new StringBuilder();
        List<String> told = new ArrayList<>();
        for (Check check : checks) {
            pad(out, check.status().word(), STATUS_COLUMNS);
            pad(out, check.code(), CODE_COLUMNS);
            out.append(TerminalText.of(check.message())).append('\n');
            for (String remedy : check.remedies()) {
                if (told.contains(remedy)) {
                    continue;
                }
                told.add(remedy);
                pad(out, "", STATUS_COLUMNS);
                out.append("try: ").append(TerminalText.of(remedy)).append('\n');
            }
        }
        addThreats(out, verbose);
        return out.append(conclusion()).append('\n').toString();
    }

    private String conclusion() {
        if (!execRuns()) {
            return "glove exec cannot run here: it refuses, and lets nothing in";
        }
        if (!isHealthy()) {
            return "glove exec runs here, but something is broken: see 'failed'";
        }
        return isWhole()
                ? "glove exec runs here"
                : "glove exec runs here, but not everything could be tried: see 'untried'";
    }

    private static void pad(StringBuilder out, String word, int columns) {
        out.append(word).append(" ".repeat(Math.max(1, columns - word.length())));
    }

    private void addThreats(StringBuilder out, boolean verbose) {
        out.append("protections (the table of docs/threat-model.md): ").append(standings.size());
        for (Threats.State state : Threats.State.values()) {
            out.append(", ").append(count(state)).append(' ').append(state.word());
        }
        out.append('\n');
        for (Threats.Standing standing : standings) {
            boolean whole = standing.state() == Threats.State.HOLDS;
            if ((!whole && standing.state() != Threats.State.REFUSED) || verbose) {
                pad(out, standing.state().word(), STATUS_COLUMNS);
                out.append(standing.row().attack());
                boolean untried = standing.state() == Threats.State.UNTRIED;
                String why = (untried ? " (not tried: " : " (not well: ")
                        + String.join(", ", standing.lost()) + ")";
                out.append(whole ? "" : why);
                out.append('\n');
            }
        }
    }

    private int count(Threats.State state) {
        int count = 0;
        for (Threats.Standing standing : standings) {
            count += standing.state() == state ? 1 : 0;
        }
        return count;
    }

    /** The same as one JSON document, by docs/schemas/doctor.schema.json. */
    String json() {
        JsonWriter out = new JsonWriter().beginObject();
        out.member("schema_version", SCHEMA_VERSION)
                .member("exec_runs", execRuns())
                .member("healthy", isHealthy())
                .name("checks")
                .beginArray();
        for (Check check : checks) {
            out.beginObject()
                    .member("code", check.code())
                    .member("status", check.status().word())
                    .member("message", check.message())
                    .name("recovery")
                    .beginArray();
            for (String remedy : check.remedies()) {
                out.value(remedy);
            }
            out.endArray().endObject();
        }
        out.endArray().name("protections").beginArray();
        for (Threats.Standing standing : standings) {
            out.beginObject()
                    .member("attack", standing.row().attack())
                    .member("mechanism", standing.row().mechanism())
                    .member("second", standing.row().second())
                    .member("state", standing.state().word())
                    .name("lost")
                    .beginArray();
            for (String code : standing.lost()) {
                out.value(code);
            }
            out.endArray().endObject();
        }
        return out.endArray().endObject().toJson() + "\n";
    }
}
