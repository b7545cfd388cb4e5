package glove.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code under}: an absolute path that is one of these directories or lies in one, by its letters
 * alone. No file is looked at: what a link inside leads to is for the upstream's own sandbox. What
 * could be read in two ways is refused: {@code ..} anywhere, control characters, relative paths.
 * {@code //} and {@code .} mean nothing. Backslashes and percent signs are letters.
 */
record UnderPath(List<String> directories) implements OnStrings {
    UnderPath {
        directories = List.copyOf(directories);
    }

    @Override
    public boolean allows(String text) {
        Optional<List<String>> path = components(text);
        if (path.isEmpty()) {
            return false;
        }
        for (String directory : directories) {
            List<String> top = components(directory).orElseThrow();
            int depth = top.size();
            if (path.get().size() >= depth && path.get().subList(0, depth).equals(top)) {
                return true;
            }
        }
        return false;
    }

    /** What stands between the slashes; empty when it is no path a rule can speak about. */
    static Optional<List<String>> components(String path) {
        if (path.isEmpty() || path.charAt(0) != '/') {
            return Optional.empty();
        }
        List<String> components = new ArrayList<>();
        int start = 1;
        for (int i = 1; i <= path.length(); i++) {
            if (i < path.length() && Character.isISOControl(path.charAt(i))) {
                return Optional.empty();
            }
            if (i == path.length() || path.charAt(i) == '/') {
                String component = path.substring(start, i);
                if (component.equals("..")) {
                    return Optional.empty();
                }
                if (!component.isEmpty() && !component.equals(".")) {
                    components.add(component);
                }
                start = i + 1;
            }
        }
        return Optional.of(components);
    }

    @Override
    public String rule() {
        return "under " + String.join(" or ", directories);
    }

    @Override
    public String advice() {
        return "an absolute path inside a directory you were given, without '..'";
    }
}
