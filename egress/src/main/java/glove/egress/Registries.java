package glove.egress;

import java.util.List;

/**
 * Knows where packages come from on this machine. Glove names no registry: the owner's own clients
 * are set up for one, and are asked.
 */
public interface Registries {
    /**
     * What the client answers, at least one.
     *
     * @throws EgressException when it gives no answer, with why and what to do instead
     */
    List<RegistryUrl> urls(Preset.Question question) throws EgressException;
}
