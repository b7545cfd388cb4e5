package glove.gateway;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the upstream a URI is to be read from. Confined to the gateway's thread. */
final class ResourceOwners {
    private final Hub hub;

    ResourceOwners(Hub hub) {
        this.hub = hub;
    }

    /** Whose a resource is: who lists it, else the only one it can be of; empty for none. */
    Optional<UpstreamSession> find(String uri) {
        Listing listed = hub.catalogues.listing(ListKind.RESOURCES);
        Optional<Entry> entry = listed.find(uri);
        if (entry.isPresent()) {
            return entry.map(Entry::upstream);
        }
        if (listed.hiddenReason(uri).isPresent() || !ResourceUris.isPlain(uri)) {
            return Optional.empty();
        }
        Set<UpstreamSession> able = new LinkedHashSet<>();
        Map<UpstreamSession, ResourceUris.Budget> budgets = new HashMap<>();
        for (UpstreamSession upstream : hub.upstreams().values()) {
            if (hub.policy.showsResource(upstream.spec().name(), uri)) {
                budgets.put(upstream, new ResourceUris.Budget(hub.upstreams().size()));
            }
        }
        for (Entry template : hub.catalogues.listing(ListKind.TEMPLATES).entries()) {
            ResourceUris.Budget budget = budgets.get(template.upstream());
            if (budget != null && ResourceUris.fits(uri, template.item().name(), budget)) {
                able.add(template.upstream());
            }
        }
        for (UpstreamSession upstream : hub.upstreams().values()) {
            if (upstream.hello().has("resources")
                    && hub.policy.namesResource(upstream.spec().name(), uri)) {
                able.add(upstream);
            }
        }
        return able.size() == 1 ? Optional.of(able.iterator().next()) : Optional.empty();
    }
}
