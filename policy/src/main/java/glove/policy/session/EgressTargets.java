package glove.policy.session;

import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.Token;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Whom a session may talk to, under the name plans know it by (sheet 10, 2.7). Immutable. */
public record EgressTargets(Id128 policyId, List<Target> targets) {
    /** Policies that need no targets: nothing leaves. */
    static final List<String> NOTHING = List.of("no-network", "deny-all");

    private static final int TARGETS_MAX = 128;
    private static final int HOST_BYTES_MAX = 253;
    private static final int PORT_DEFAULT = 443;
    private static final int PORT_MAX = 65535;

    /**
     * One host.
     *
     * @param allowPrivate whether its address may be private
     */
    public record Target(String host, int port, boolean allowPrivate) {
        private static Target read(JsonFields fields) {
            String host = fields.value("host", new Token(HOST_BYTES_MAX));
            int port = fields.u16Or("port", PORT_DEFAULT);
            Target read = new Target(host, port, fields.bool("allow_private"));
            fields.end();
            if (host.indexOf(' ') >= 0) {
                fields.problem("host", "holds a blank", "write a name or an address");
            }
            if (port == 0) {
                fields.problem("port", "is 0", "write a number from 1 to " + PORT_MAX);
            }
            return read;
        }
    }

    /** Copies the list. */
    public EgressTargets {
        targets = List.copyOf(targets);
    }

    static EgressTargets read(JsonFields fields) {
        Id128 id = fields.value("policy_id", Id128.CLASS);
        List<Target> targets = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (JsonFields object : fields.objects("targets", TARGETS_MAX)) {
            Target target = Target.read(object);
            if (!seen.add(target.host + " " + target.port)) {
                object.problem("host", "stands there before with this port", "keep one of them");
            }
            targets.add(target);
        }
        fields.end();
        return new EgressTargets(id, targets);
    }
}
