package glove.gateway;

import glove.wire.JsonValue;

import java.util.Optional;

/** Which tools an agent may see, and which calls it may make. Used by the gateway's thread. */
public interface ToolRules {
    /** Whether any tool of an upstream may be seen. */
    boolean mentions(String upstream);

    /** Whether a tool may be seen. */
    boolean shows(String upstream, String tool);

    /**
     * Decides a call of a tool that may be seen. It may count the call.
     *
     * @param arguments an object, the very bytes that will be forwarded
     */
    ToolDecision decide(String upstream, String tool, Optional<JsonValue> arguments);
}
