package glove.policy;

import java.util.List;

/** {@code prefix}: a string that begins with one of these. The empty one means any string. */
record StartsWith(List<String> prefixes) implements OnStrings {
    StartsWith {
        prefixes = List.copyOf(prefixes);
    }

    @Override
    public boolean allows(String text) {
        for (String prefix : prefixes) {
            if (text.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String rule() {
        StringBuilder all = new StringBuilder("a string that begins with ");
        for (int i = 0; i < prefixes.size(); i++) {
            all.append(i == 0 ? "" : " or ").append(Shown.quoted(prefixes.get(i)));
        }
        return all.toString();
    }

    @Override
    public String advice() {
        return "a string that begins as is allowed";
    }
}
