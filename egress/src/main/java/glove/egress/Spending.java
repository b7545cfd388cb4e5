package glove.egress;

import java.util.HashMap;
import java.util.Map;

/** How many bytes may still go out, of the run and to each host. Confined to one thread. */
final class Spending {
    private final EgressLimits limits;
    private long left;
    private final Map<String, long[]> leftOfHost = new HashMap<>();

    Spending(EgressLimits limits) {
        this.limits = limits;
        this.left = limits.bytesOutOfRun();
        for (Map.Entry<String, Long> entry : limits.bytesOutOfHost().entrySet()) {
            leftOfHost.put(entry.getKey(), new long[] {entry.getValue()});
        }
    }

    /** How many bytes more a host may get. */
    long remaining(String host) {
        long[] ofHost = leftOfHost.get(host);
        return ofHost == null ? left : Math.min(left, ofHost[0]);
    }

    /** So many go there; what is beyond the limit leaves nothing. */
    void spend(String host, long bytes) {
        if (left != EgressLimits.UNLIMITED) {
            left = Math.max(0, left - bytes);
        }
        long[] ofHost = leftOfHost.get(host);
        if (ofHost != null) {
            ofHost[0] = Math.max(0, ofHost[0] - bytes);
        }
    }

    /** Which limit does not allow what was asked for. */
    String exceeded(Destination destination) {
        String host = destination.host();
        long[] leftThere = leftOfHost.get(host);
        Long limit = limits.bytesOutOfHost().get(host);
        String what = "'" + destination + "' may get no more: the limit of ";
        return limit != null && leftThere != null && leftThere[0] <= left
                ? what + limit + " bytes to this host is reached"
                : what + limits.bytesOutOfRun() + " bytes out of this run is reached";
    }
}
