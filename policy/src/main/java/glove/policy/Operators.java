package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the operators of one place of a policy file. Confined to one thread. */
final class Operators {
    private static final int COUNT_MAX = Integer.MAX_VALUE;

    private final FileObject place;
    private final List<Constraint> constraints = new ArrayList<>();

    Operators(FileObject place) {
        this.place = place;
    }

    /** In this order they are also tried: what says most of what is wrong comes first. */
    List<Constraint> read() throws PolicyException {
        type();
        values();
        List<String> prefixes = place.findStrings("prefix");
        if (!prefixes.isEmpty()) {
            constraints.add(new StartsWith(prefixes));
        }
        under();
        hosts();
        place.findInt("max_len", 0, COUNT_MAX).ifPresent(n -> constraints.add(new LengthMax(n)));
        place.findInt("max_items", 0, COUNT_MAX).ifPresent(n -> constraints.add(new ItemsMax(n)));
        range();
        Optional<JsonValue> pattern = place.find("matches", JsonKind.STRING);
        if (pattern.isPresent()) {
            constraints.add(FullMatch.compile(pattern.get().string(), place.where()));
        }
        keys();
        each();
        return constraints;
    }

    private void type() throws PolicyException {
        List<String> types = place.findStrings("type");
        for (String type : types) {
            if (TypeIs.kind(type).isEmpty()) {
                throw place.wrong(
                        "there is no type " + Shown.quoted(type),
                        "types are " + String.join(", ", TypeIs.NAMES));
            }
        }
        if (!types.isEmpty()) {
            constraints.add(new TypeIs(types));
        }
    }

    private void values() throws PolicyException {
        Optional<JsonValue> value = place.find("equals");
        if (value.isPresent()) {
            constraints.add(new OneOf(List.of(value.get())));
        }
        Optional<JsonValue> list = place.find("in", JsonKind.ARRAY);
        if (list.isPresent()) {
            if (list.get().size() == 0) {
                throw place.wrong("'in' holds nothing, so that no value would do");
            }
            constraints.add(new OneOf(list.get().children()));
        }
    }

    private void under() throws PolicyException {
        List<String> directories = place.findStrings("under");
        for (String directory : directories) {
            if (UnderPath.components(directory).isEmpty()) {
                throw place.wrong(
                        "'under' takes absolute paths without '..', not " + Shown.quoted(directory),
                        "\"under\": \"/data/public\"");
            }
        }
        if (!directories.isEmpty()) {
            constraints.add(new UnderPath(directories));
        }
    }

    private void hosts() throws PolicyException {
        List<HostIn.Host> hosts = new ArrayList<>();
        for (String text : place.findStrings("host_in")) {
            Optional<HostIn.Host> host = HostIn.Host.parse(text);
            if (host.isEmpty()) {
                throw place.wrong(
                        "'host_in' takes hosts, not " + Shown.quoted(text),
                        "\"example.com\", \"example.com:8443\", \".example.com\" for all below");
            }
            hosts.add(host.get());
        }
        if (!hosts.isEmpty()) {
            constraints.add(new HostIn(hosts));
        }
    }

    private void range() throws PolicyException {
        Optional<JsonValue> value = place.find("range");
        if (value.isEmpty()) {
            return;
        }
        FileObject range = place.object("range", value.get());
        Optional<BigDecimal> least = bound(range, "min");
        Optional<BigDecimal> most = bound(range, "max");
        range.end();
        if (least.isEmpty() && most.isEmpty()) {
            throw range.wrong("it has neither 'min' nor 'max'");
        }
        if (least.isPresent() && most.isPresent() && least.get().compareTo(most.get()) > 0) {
            throw range.wrong("'min' is above 'max', so that no number would do");
        }
        constraints.add(new Between(least, most));
    }

    private static Optional<BigDecimal> bound(FileObject range, String key) throws PolicyException {
        Optional<JsonValue> value = range.find(key, JsonKind.NUMBER);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        Optional<BigDecimal> number = Numbers.exact(value.get());
        if (number.isEmpty()) {
            throw range.wrong("'" + key + "' has too large an exponent");
        }
        return number;
    }

    private void keys() throws PolicyException {
        Optional<JsonValue> list = place.find("keys_only", JsonKind.ARRAY);
        if (list.isPresent()) {
            boolean none = list.get().size() == 0;
            constraints.add(new KeysOnly(none ? List.of() : place.findStrings("keys_only")));
        }
    }

    private void each() throws PolicyException {
        Optional<JsonValue> value = place.find("each");
        if (value.isEmpty()) {
            return;
        }
        FileObject each = place.object("each", value.get());
        List<Constraint> inner = new Operators(each).read();
        each.end();
        if (inner.isEmpty()) {
            throw each.wrong("it demands nothing", "\"type\": \"array\" for any array");
        }
        constraints.add(new EachElement(inner));
    }
}
