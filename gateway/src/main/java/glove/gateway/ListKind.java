package glove.gateway;

/** The lists an upstream has. */
enum ListKind {
    TOOLS('t', "tools/list", "tools", "name", "tools"),
    RESOURCES('r', "resources/list", "resources", "uri", "resources"),
    TEMPLATES('e', "resources/templates/list", "resourceTemplates", "uriTemplate", "resources"),
    PROMPTS('p', "prompts/list", "prompts", "name", "prompts");

    private final char code;
    private final String method;
    private final String member;
    private final String key;
    private final String capability;

    ListKind(char code, String method, String member, String key, String capability) {
        this.code = code;
        this.method = method;
        this.member = member;
        this.key = key;
        this.capability = capability;
    }

    /** For {@link Cursors}. */
    char code() {
        return code;
    }

    /** That asks for it. */
    String method() {
        return method;
    }

    /** Of the result, that holds it. */
    String member() {
        return member;
    }

    /** The member of an item that names it. */
    String key() {
        return key;
    }

    /** Of an upstream that has it. */
    String capability() {
        return capability;
    }

    /** That tells of a change. */
    String changed() {
        return "notifications/" + capability + "/list_changed";
    }

    /** Whether an agent knows the items by names of ours. */
    boolean isRenamed() {
        return this == TOOLS || this == PROMPTS;
    }
}
