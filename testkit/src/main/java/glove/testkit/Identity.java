package glove.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * Who runs a command in a test. Tests started by root run as both; others only as themselves. The
 * ordinary user is a number without an account, so nothing has to be made or removed.
 */
public enum Identity {
    ROOT,
    ORDINARY;

    private static final int ORDINARY_ID = 54321;

    /** Those this test run can take. */
    public static List<Identity> available() {
        return isRoot() ? List.of(ROOT, ORDINARY) : List.of(ORDINARY);
    }

    /**
     * The ordinary user alone, for what differs by nothing else: verbs that read the files they are
     * given, what is sent over a connection. Each class that runs as both costs its time twice.
     */
    public static List<Identity> ordinary() {
        return List.of(ORDINARY);
    }

    /** Whether the test run itself is root's. */
    public static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** The command line that runs a command as this identity. */
    public List<String> command(List<String> command) {
        if (this == ROOT || !isRoot()) {
            return command;
        }
        List<String> all = new ArrayList<>(List.of(
                "setpriv", "--reuid=" + ORDINARY_ID, "--regid=" + ORDINARY_ID, "--clear-groups"));
        all.addAll(command);
        return all;
    }

    /** {@code user:group} for chown. */
    public String owner() {
        return this == ROOT || !isRoot() ? "root:root" : ORDINARY_ID + ":" + ORDINARY_ID;
    }

    @Override
    public String toString() {
        return this == ROOT ? "root" : "an ordinary user";
    }
}
