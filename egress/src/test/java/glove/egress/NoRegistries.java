package glove.egress;

import java.util.List;

/** A machine without package clients. */
final class NoRegistries implements Registries {
    @Override
    public List<RegistryUrl> urls(Preset.Question question) throws EgressException {
        throw new EgressException(question.preset() + ": no client is installed", "install one");
    }
}
