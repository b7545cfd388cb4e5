package glove.egress;

import java.util.HashMap;
import java.util.Map;

/**
 * How many bytes may still go out, of the run, to each host and to each domain. Confined to one
 * thread.
 */
final class Spending {
    private final EgressLimits limits;
    private long left;
    private final Map<String, long[]> leftOfHost = new HashMap<>(); // and of ".domain"

    Spending(EgressLimits limits) {
        this.limits = limits;
        this.left = limits.bytesOutOfRun();
        for (Map.Entry<String, Long> entry : limits.bytesOutOfHost().entrySet()) {
            leftOfHost.put(entry.getKey(), new long[] {entry.getValue()});
        }
    }

    /** How many bytes more a host may get. */
    long remaining(String host) {
        String tightest = tightest(host);
        return tightest.isEmpty() ? left : leftOf(tightest);
    }

    /** So many go there; what is beyond the limit leaves nothing. */
    void spend(String host, long bytes) {
        if (left != EgressLimits.UNLIMITED) {
            left = Math.max(0, left - bytes);
        }
        for (String key = host; !key.isEmpty() && !leftOfHost.isEmpty(); key = wider(key)) {
            long[] there = leftOfHost.get(key);
            if (there != null) {
                there[0] = Math.max(0, there[0] - bytes);
            }
        }
    }

    /** Which limit does not allow what was asked for. */
    String exceeded(Destination destination) {
        String key = tightest(destination.host());
        String what = "'" + destination + "' may get no more: the limit of ";
        if (key.isEmpty()) {
            return what + limits.bytesOutOfRun() + " bytes out of this run is reached";
        }
        String whom = key.startsWith(".") ? "to '" + key + "' in all" : "to this host";
        return what + limits.bytesOutOfHost().get(key) + " bytes " + whom + " is reached";
    }

    /** The limit of the host or a domain above it that leaves least; empty for that of the run. */
    private String tightest(String host) {
        String found = "";
        long least = left;
        for (String key = host; !key.isEmpty() && !leftOfHost.isEmpty(); key = wider(key)) {
            long[] there = leftOfHost.get(key);
            if (there != null && (there[0] < least || (found.isEmpty() && there[0] == least))) {
                found = key;
                least = there[0];
            }
        }
        return found;
    }

    private long leftOf(String key) {
        long[] there = leftOfHost.get(key);
        return there == null ? left : there[0];
    }

    /** From a host to its name as a domain, from a domain to that above it; empty at the end. */
    private static String wider(String key) {
        if (!key.startsWith(".")) {
            return "." + key;
        }
        int dot = key.indexOf('.', 1);
        return dot < 0 ? "" : key.substring(dot);
    }
}
