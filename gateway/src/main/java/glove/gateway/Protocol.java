package glove.gateway;

import java.util.List;

/**
 * What the Model Context Protocol and JSON-RPC fix. The four revisions that begin with
 * {@code initialize} are spoken, on either side.
 */
final class Protocol {
    /** Oldest first. */
    static final List<String> REVISIONS =
            List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

    static final String NEWEST = REVISIONS.getLast();

    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int INTERNAL_ERROR = -32603;
    static final int RESOURCE_NOT_FOUND = -32002;

    // Our own: JSON-RPC and MCP keep -32768 to -32000 to themselves.

    /** Too much is under way; the same may work later. */
    static final int BUSY = -31001;

    /** An upstream did not answer in time. */
    static final int TIMED_OUT = -31002;

    /** An upstream is not running. */
    static final int UPSTREAM_GONE = -31003;

    /** An answer is larger than may be passed on. */
    static final int TOO_LARGE = -31004;

    static final String CANCELLED = "notifications/cancelled";
    static final String INITIALIZED = "notifications/initialized";
    static final String LOG_MESSAGE = "notifications/message";
    static final String PROGRESS = "notifications/progress";
    static final String RESOURCE_UPDATED = "notifications/resources/updated";
    static final String ROOTS_CHANGED = "notifications/roots/list_changed";

    /** Members of {@code _meta} that belong to whoever speaks the protocol: never passed on. */
    static final String OWN_META = "io.modelcontextprotocol/";

    static final String PROGRESS_TOKEN = "progressToken";

    /** Of log messages, least severe first (RFC 5424). */
    static final List<String> LEVELS = List.of(
            "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");

    private Protocol() {}
}
