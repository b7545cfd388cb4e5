package glove.gateway;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tools by name or {@code upstream.*}; an argument {@code path} must lie below /data if given. */
final class TestRules implements ToolRules {
    /** What was decided on: tool and arguments, as they were sent. */
    final List<String> seen = new ArrayList<>();

    long resultBytesMax = 1 << 20;
    private final List<String> allowed;

    TestRules(String... allowed) {
        this.allowed = List.of(allowed);
    }

    @Override
    public boolean mentions(String upstream) {
        return allowed.stream().anyMatch(rule -> rule.startsWith(upstream + "."));
    }

    @Override
    public boolean shows(String upstream, String tool) {
        return allowed.contains(upstream + "." + tool) || allowed.contains(upstream + ".*");
    }

    @Override
    public ToolDecision decide(String upstream, String tool, Optional<JsonValue> arguments) {
        seen.add(upstream + "." + tool + " " + arguments.map(JsonValue::toJson).orElse("-"));
        Optional<JsonValue> path = arguments.flatMap(all -> all.member("path"));
        if (path.isPresent()) {
            boolean well =
                    path.get().is(JsonKind.STRING) && path.get().string().startsWith("/data/");
            if (!well) {
                return ToolDecision.denied(
                        "path under /data",
                        "the path is not under /data",
                        "\"path\" must lie in the permitted directory");
            }
        }
        return ToolDecision.allowed("allow " + upstream + "." + tool, resultBytesMax);
    }
}
