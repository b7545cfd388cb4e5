package glove.egress;

import glove.sys.IpAddress;
import glove.sys.IpEndpoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What may leave, and why the rest may not: what the options of one run say, made ready to decide.
 * What no rule names is refused. Immutable.
 */
public final class EgressRules {
    /** More would be a mistake of what writes the command line. */
    static final int RULES_MAX = 4096;

    private final List<EgressRule> rules;
    private final Map<String, List<EgressRule>> byName;
    private final List<EgressRule> aboutAddresses;

    private EgressRules(List<EgressRule> rules) {
        this.rules = List.copyOf(rules);
        this.byName = new HashMap<>();
        this.aboutAddresses = new ArrayList<>();
        for (EgressRule rule : rules) {
            HostName name = rule.name();
            if (name == null) {
                aboutAddresses.add(rule);
                continue;
            }
            List<EgressRule> same = byName.get(name.toString());
            if (same == null) {
                same = new ArrayList<>();
                byName.put(name.toString(), same);
            }
            same.add(rule);
        }
    }

    /**
     * Reads the values of the options.
     *
     * @param allow those of {@code --egress-allow}: rules and {@code @presets}
     * @param allowPrivate those of {@code --egress-allow-private}
     * @param registries asked for what presets of package registries stand for
     * @throws EgressException for one that cannot be meant, or is given twice
     */
    public static EgressRules parse(
            List<String> allow, List<String> allowPrivate, Registries registries)
            throws EgressException {
        List<EgressRule> typed = new ArrayList<>();
        List<EgressRule> all = new ArrayList<>();
        for (String text : allowPrivate) {
            String origin = EgressRule.ALLOW_PRIVATE + " " + text;
            add(typed, new RuleReader(EgressRule.ALLOW_PRIVATE, origin).read(text));
        }
        List<String> presets = new ArrayList<>();
        for (String text : allow) {
            String origin = EgressRule.ALLOW + " " + text;
            RuleReader reader = new RuleReader(EgressRule.ALLOW, origin);
            if (!text.startsWith("@")) {
                add(typed, reader.read(text));
                continue;
            }
            if (presets.contains(text)) {
                throw new EgressException(origin + " is given twice", "keep one");
            }
            presets.add(text);
            Preset preset = Preset.named(text);
            for (Preset.Entry entry : preset.entries()) {
                all.add(reader.read(entry.rule()));
            }
            if (preset.question().isPresent()) {
                for (RegistryUrl url : registries.urls(preset.question().get())) {
                    all.add(reader.read(url.rule()));
                }
            }
        }
        all.addAll(0, typed);
        if (all.size() > RULES_MAX) {
            throw new EgressException(
                    "there are " + all.size() + " egress rules, and at most " + RULES_MAX
                            + " are taken",
                    EgressRule.ALLOW + " .example.com covers all hosts of a domain");
        }
        return new EgressRules(all);
    }

    private static void add(List<EgressRule> typed, EgressRule rule) throws EgressException {
        for (EgressRule earlier : typed) {
            if (earlier.isSameAs(rule)) {
                throw new EgressException(
                        rule.origin() + ": " + rule + " is given twice",
                        earlier.origin() + " is enough");
            }
        }
        typed.add(rule);
    }

    /** All of them, those of {@code --egress-allow-private} first. */
    public List<EgressRule> rules() {
        return rules;
    }

    /**
     * What of the machine's own loopback is granted, so that the same address can be offered
     * inside; {@code localhost} at both of its addresses. Each listener once.
     */
    public List<LocalService> localServices() {
        List<LocalService> services = new ArrayList<>();
        for (EgressRule rule : rules) {
            if (!rule.mayBePrivate()) {
                continue;
            }
            HostName name = rule.name();
            if (name == null) {
                Destination destination = Destination.of(rule.address(), rule.port());
                if (AddressClass.of(rule.address()) == AddressClass.LOOPBACK) {
                    offer(services, rule.address(), destination);
                }
            } else if (name.isLocalhost()) {
                Destination destination = Destination.of(name, rule.port());
                offer(services, IpAddress.LOOPBACK_V4, destination);
                offer(services, IpAddress.LOOPBACK_V6, destination);
            }
        }
        return services;
    }

    private static void offer(
            List<LocalService> services, IpAddress address, Destination destination) {
        IpEndpoint listener = new IpEndpoint(address, destination.port());
        for (LocalService earlier : services) {
            if (earlier.listener().toString().equals(listener.toString())) {
                return;
            }
        }
        services.add(new LocalService(listener, destination));
    }

    /**
     * Whether a client may go there. For a name this is half of the answer: each address it
     * resolves to has to pass {@link #mayDial}. For an address it is all of it.
     */
    public Decision decide(Destination destination) {
        return destination.isName() ? decideName(destination) : decideAddress(destination);
    }

    /**
     * The host of a limit, as {@link Destination#host} says it.
     *
     * @param typed a name, an address with or without brackets, or a domain, which begins with a
     *     dot and means all its hosts together
     * @throws EgressException when it is none, or no rule lets anything out to it
     */
    public String limited(String typed) throws EgressException {
        if (typed.startsWith(".")) {
            return limitedDomain(typed);
        }
        boolean brackets = typed.startsWith("[") && typed.endsWith("]");
        Optional<IpAddress> address =
                IpAddress.parse(brackets ? typed.substring(1, typed.length() - 1) : typed);
        Destination destination = address.isPresent()
                ? Destination.of(address.get(), EgressRule.DEFAULT_PORT)
                : Destination.of(HostName.ofOption(typed), EgressRule.DEFAULT_PORT);
        List<EgressRule> covering = destination.isName()
                ? ofName(destination.host())
                : ofAddress(destination.address());
        if (covering.isEmpty()) {
            throw unlimited(typed, destination.authority(EgressRule.DEFAULT_PORT));
        }
        return destination.host();
    }

    /** Rules may be about the domain, one above it, or hosts and domains below it. */
    private String limitedDomain(String typed) throws EgressException {
        String name = HostName.ofOption(typed.substring(1)).toString();
        boolean covered = false;
        for (EgressRule rule : ofName(name)) {
            covered |= rule.isDomain();
        }
        for (String ruled : byName.keySet()) {
            covered |= ruled.equals(name) || ruled.endsWith("." + name);
        }
        if (!covered) {
            throw unlimited(typed, "." + name);
        }
        return "." + name;
    }

    private static EgressException unlimited(String typed, String allowable) {
        return new EgressException(
                "nothing is let out to '" + typed + "', so there is nothing to limit",
                EgressRule.ALLOW + " " + allowable);
    }

    private Decision decideName(Destination destination) {
        return choose(ofName(destination.host()), destination);
    }

    private List<EgressRule> ofName(String name) {
        List<EgressRule> candidates = new ArrayList<>();
        int at = 0;
        while (at >= 0) {
            List<EgressRule> rulesHere = byName.get(name.substring(at));
            if (rulesHere != null) {
                for (EgressRule rule : rulesHere) {
                    if (at == 0 || rule.isDomain()) {
                        candidates.add(rule);
                    }
                }
            }
            int dot = name.indexOf('.', at);
            at = dot < 0 ? -1 : dot + 1;
        }
        return candidates;
    }

    private Decision decideAddress(Destination destination) {
        IpAddress address = destination.address();
        Decision decision = choose(ofAddress(address), destination);
        return decision.isAllowed() ? mayDial(decision.rule(), destination, address) : decision;
    }

    private List<EgressRule> ofAddress(IpAddress address) {
        List<EgressRule> covering = new ArrayList<>();
        for (EgressRule rule : aboutAddresses) {
            if (rule.covers(address)) {
                covering.add(rule);
            }
        }
        return covering;
    }

    /** One that grants private addresses before one that does not; then the narrower. */
    private static Decision choose(List<EgressRule> candidates, Destination destination) {
        EgressRule found = null;
        for (EgressRule rule : candidates) {
            boolean better = found == null || (rule.mayBePrivate() && !found.mayBePrivate());
            if (better && rule.opens(destination.port())) {
                found = rule;
            }
        }
        if (found != null) {
            return Decision.allowed(found);
        }
        String remedy = suggestion(destination);
        if (candidates.isEmpty()) {
            return Decision.refused(Reasons.notNamed(destination), remedy);
        }
        return Decision.refused(Reasons.otherPort(destination, candidates.get(0)), remedy);
    }

    /**
     * Whether the destination, already allowed by a rule, may be reached at this address. Dial the
     * very address that was asked about.
     *
     * @param rule of the decision that allowed the destination
     * @param address of what its name resolved to, or the destination's own
     */
    public static Decision mayDial(EgressRule rule, Destination destination, IpAddress address) {
        AddressClass kind = AddressClass.of(address);
        boolean open = rule.isAboutAddresses() ? kind.isOpenToAddresses() : kind.isPublic();
        boolean granted =
                rule.mayBePrivate() && (kind.isGrantedByName() || rule.isExactly(address));
        if (open || granted) {
            return Decision.allowed(rule);
        }
        boolean grantable = kind.isGrantedByName() && !rule.mayBePrivate();
        String remedy = grantable ? EgressRule.ALLOW_PRIVATE + " " + destination : "";
        return Decision.refused(Reasons.notPublic(destination, address, kind), remedy);
    }

    /** For an address of this machine's own, which a rule about what is public does not mean. */
    static Decision refuseOwn(Destination destination, IpAddress address) {
        return Decision.refused(
                Reasons.own(destination, address), EgressRule.ALLOW_PRIVATE + " " + destination);
    }

    /**
     * The option that would allow a destination; empty for what should not be opened in passing,
     * such as the metadata service of a cloud.
     */
    public static String suggestion(Destination destination) {
        boolean local = destination.isName() && destination.name().isLocalhost();
        if (!destination.isName()) {
            AddressClass kind = AddressClass.of(destination.address());
            if (!kind.isOpenToAddresses() && !kind.isGrantedByName()) {
                return "";
            }
            local = !kind.isOpenToAddresses();
        }
        return local
                ? EgressRule.ALLOW_PRIVATE + " " + destination
                : EgressRule.ALLOW + " " + destination.authority(EgressRule.DEFAULT_PORT);
    }
}
