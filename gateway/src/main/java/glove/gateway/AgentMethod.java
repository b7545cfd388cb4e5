package glove.gateway;

import glove.wire.JsonValue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The requests an agent may make beside {@code initialize} and {@code ping}; there are no others.
 * Each with the params it may have: one more would reach the upstream unseen.
 */
enum AgentMethod {
    TOOLS_LIST("tools/list", "tools", "cursor"),
    TOOLS_CALL("tools/call", "tools", "name", "arguments"),
    RESOURCES_LIST("resources/list", "resources", "cursor"),
    TEMPLATES_LIST("resources/templates/list", "resources", "cursor"),
    RESOURCES_READ("resources/read", "resources", "uri"),
    SUBSCRIBE("resources/subscribe", "resources", "uri"),
    UNSUBSCRIBE("resources/unsubscribe", "resources", "uri"),
    PROMPTS_LIST("prompts/list", "prompts", "cursor"),
    PROMPTS_GET("prompts/get", "prompts", "name", "arguments"),
    COMPLETE("completion/complete", "completions", "ref", "argument", "context"),
    SET_LEVEL("logging/setLevel", "logging", "level");

    private static final Map<String, AgentMethod> BY_NAME = new HashMap<>();

    static {
        for (AgentMethod method : values()) {
            BY_NAME.put(method.method, method);
        }
    }

    private final String method;
    private final String capability;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> params;

    AgentMethod(String method, String capability, String... params) {
        this.method = method;
        this.capability = capability;
        this.params = List.of(params);
    }

    static Optional<AgentMethod> find(String method) {
        return Optional.ofNullable(BY_NAME.get(method));
    }

    /** As the protocol spells it. */
    String method() {
        return method;
    }

    /** That an agent was told of, or there is no such method for it. */
    String capability() {
        return capability;
    }

    /** What is wrong with the names of its params; empty when nothing is. */
    String fault(Message request) {
        if (request.params().isEmpty()) {
            return "";
        }
        for (JsonValue param : request.params().get().children()) {
            String name = param.name();
            if (name.equals("task")) {
                return "tasks are not mediated: call without \"task\"";
            }
            if (!name.equals("_meta") && !params.contains(name)) {
                return "Unknown parameter of " + method + ": " + Answers.shown(name);
            }
        }
        return Rewriting.isTokenWell(request)
                ? ""
                : "\"progressToken\" is misspelt, or neither a short string nor an integer";
    }
}
