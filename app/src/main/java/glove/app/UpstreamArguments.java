package glove.app;

import glove.sandbox.AgentReach;
import glove.sys.ErrnoException;
import glove.sys.UnixPath;

import java.util.Optional;

/** What is said of the files among an upstream's arguments. Stateless. */
final class UpstreamArguments {
    private UpstreamArguments() {}

    /**
     * Names those the agent can change: nobody can tell whether they are code or data.
     *
     * @param start absolute, where relative ones count from
     */
    static void warn(AgentReach reach, UpstreamOptions options, UnixPath start, Notices notices)
            throws ErrnoException {
        for (byte[] argument : options.argv.subList(1, options.argv.size())) {
            if (argument.length == 0) {
                continue;
            }
            UnixPath path = start.resolve(UnixPath.of(argument));
            Optional<UnixPath> place = reach.changing(path);
            if (place.isPresent() && reach.isFile(path)) {
                String rights = options.sandbox.isPresent()
                        ? "with all that this upstream may do"
                        : "with your rights";
                notices.say(options.subject() + ": the agent can change '"
                        + UnixPath.of(argument) + "', by '" + place.get()
                        + "'; should that be code, it runs " + rights
                        + ": keep code outside every writable grant");
            }
        }
    }
}
