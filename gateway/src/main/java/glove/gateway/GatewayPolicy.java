package glove.gateway;

import java.util.List;
import java.util.Set;

/**
 * What passes. Everything that is not named here does not. Immutable.
 *
 * @param tools which tools, with which arguments
 * @param resources which resources
 * @param prompts which prompts
 * @param completion upstreams that may complete arguments of those prompts and resources
 * @param sampling upstreams that may ask the agent's model
 * @param elicitation upstreams that may ask the agent's user
 * @param roots what upstreams are told when they ask for the agent's
 * @param withoutRoots upstreams that are told of none: some take roots in place of what their
 *     command names
 * @param isPinRequired whether a definition nobody has accepted stays hidden
 * @param recordsArguments whether events hold arguments beside their digest
 */
public record GatewayPolicy(
        ToolRules tools,
        List<ResourceRule> resources,
        List<PromptRule> prompts,
        Set<String> completion,
        Set<String> sampling,
        Set<String> elicitation,
        List<Root> roots,
        Set<String> withoutRoots,
        boolean isPinRequired,
        boolean recordsArguments) {
    /** Copies the collections. */
    public GatewayPolicy {
        resources = List.copyOf(resources);
        prompts = List.copyOf(prompts);
        completion = Set.copyOf(completion);
        sampling = Set.copyOf(sampling);
        elicitation = Set.copyOf(elicitation);
        roots = List.copyOf(roots);
        withoutRoots = Set.copyOf(withoutRoots);
    }

    /** Whether anything of that kind may be seen of an upstream. */
    boolean mentions(ListKind kind, String upstream) {
        return switch (kind) {
            case TOOLS -> tools.mentions(upstream);
            case PROMPTS -> prompts.stream().anyMatch(rule -> rule.upstream().equals(upstream));
            case RESOURCES, TEMPLATES ->
                resources.stream().anyMatch(rule -> rule.upstream().equals(upstream));
        };
    }

    /** Whether any rule lets an agent see something of an upstream. */
    boolean allowsSomethingOf(String upstream) {
        boolean allowed = tools.mentions(upstream);
        for (ResourceRule rule : resources) {
            allowed |= rule.upstream().equals(upstream);
        }
        for (PromptRule rule : prompts) {
            allowed |= rule.upstream().equals(upstream);
        }
        return allowed;
    }

    /** Whether something an upstream lists may be seen. */
    boolean shows(ListKind kind, String upstream, String name) {
        return switch (kind) {
            case TOOLS -> tools.shows(upstream, name);
            case PROMPTS -> showsPrompt(upstream, name);
            case RESOURCES -> showsResource(upstream, name);
            case TEMPLATES -> showsTemplate(upstream, name);
        };
    }

    private boolean showsPrompt(String upstream, String name) {
        for (PromptRule rule : prompts) {
            boolean named = rule.prompt().isEmpty() || rule.prompt().equals(name);
            if (rule.upstream().equals(upstream) && named) {
                return true;
            }
        }
        return false;
    }

    /** Whether a URI may be read from an upstream that lists it, or whose template it fits. */
    boolean showsResource(String upstream, String uri) {
        for (ResourceRule rule : resources) {
            boolean covered = rule.prefix().isEmpty()
                    ? !ResourceUris.isFile(uri) || isUnderRoot(uri)
                    : ResourceUris.isUnder(uri, rule.prefix());
            if (rule.upstream().equals(upstream) && covered && ResourceUris.isPlain(uri)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a URI may be read from an upstream that does not list it: a prefix names it. */
    boolean namesResource(String upstream, String uri) {
        for (ResourceRule rule : resources) {
            boolean covered = !rule.prefix().isEmpty()
                    && ResourceUris.isPlain(uri)
                    && ResourceUris.isUnder(uri, rule.prefix());
            if (rule.upstream().equals(upstream) && covered) {
                return true;
            }
        }
        return false;
    }

    /** Whether a template may give such a URI. Each is looked at again when it is read. */
    private boolean showsTemplate(String upstream, String template) {
        int brace = template.indexOf('{');
        String fixed = brace < 0 ? template : template.substring(0, brace);
        for (ResourceRule rule : resources) {
            boolean meets = fixed.startsWith(rule.prefix()) || rule.prefix().startsWith(fixed);
            if (rule.upstream().equals(upstream) && meets) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether everything a template may give is covered by one rule: what an upstream completes it
     * to is told the agent without being looked at.
     */
    boolean coversTemplate(String upstream, String template) {
        int brace = template.indexOf('{');
        if (brace < 0) {
            return showsResource(upstream, template);
        }
        String fixed = template.substring(0, brace);
        for (ResourceRule rule : resources) {
            if (rule.upstream().equals(upstream)
                    && (rule.prefix().isEmpty()
                            ? coversAnyBut(fixed)
                            : ResourceUris.isAllUnder(fixed, rule.prefix()))) {
                return true;
            }
        }
        return false;
    }

    /** Of a rule without a prefix: all but files, and of these those under roots. */
    private boolean coversAnyBut(String fixed) {
        boolean isUnder = fixed.indexOf(':') > 0 && !ResourceUris.isFile(fixed);
        for (Root root : roots) {
            isUnder |= ResourceUris.isAllUnder(fixed, root.uri());
        }
        return isUnder;
    }

    private boolean isUnderRoot(String uri) {
        for (Root root : roots) {
            if (ResourceUris.isUnder(uri, root.uri())) {
                return true;
            }
        }
        return false;
    }
}
