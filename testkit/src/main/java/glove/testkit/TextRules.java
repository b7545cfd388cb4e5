package glove.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules that need no parser: budgets, leftovers, links, decision records. Stateless. */
final class TextRules {
    static final int LINE_MAX = 100;

    /** Tests hold command lines and tables. */
    static final int TEST_LINE_MAX = 120;

    static final int FILE_LINES_MAX = 600;
    static final int FILE_LINES_WANTED = 400;
    static final int LAUNCHER_LINES_MAX = 900;
    static final int GUEST_LINES_MAX = 250;
    static final int DECISION_LINES_MAX = 60;
    static final int PARAMETERS_MAX = 5;
    static final int METHOD_LINES_MAX = 70;
    static final int METHOD_LINES_WANTED = 60;

    // In two parts, so that this file does not break its own rule.
    private static final Pattern LEFTOVER =
            Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
    private static final String MACHINE = "tools/vm/";
    private static final String TEXT_BLOCK = "\"\"\"";
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)(?:\\s+\"[^\"]*\")?\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern DECISION = Pattern.compile("docs/adr/(\\d{4})-[a-z0-9-]+\\.md");

    private TextRules() {}

    /** Of one file; {@code exists} answers for paths relative to the root. */
    static List<Finding> check(SourceFile file, Predicate<String> exists) {
        List<Finding> found = new ArrayList<>();
        List<String> lines = file.lines();
        // The test machine is kept as it came: the keys of its cache are digests of its scripts.
        boolean code = file.isJava() || (isScript(file) && !file.path().startsWith(MACHINE));
        boolean quoted = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int width = line.codePointCount(0, line.length());
            boolean edge = file.isJava() && count(line, TEXT_BLOCK) % 2 == 1;
            // What a text block holds is another program's text.
            int lineMax = file.path().contains("/src/test/") ? TEST_LINE_MAX : LINE_MAX;
            if (code && !(quoted && !edge) && width > lineMax) {
                add(found, file, i, "a line of " + width + " is too long, use at most " + lineMax);
            }
            quoted ^= edge;
            Matcher leftover = LEFTOVER.matcher(line);
            if (leftover.find()) {
                add(found, file, i, leftover.group() + " is banned, use an issue");
            }
        }
        int most = linesMax(file);
        if (lines.size() > most) {
            add(found, file, most, lines.size() + " lines are too many, use at most " + most);
        }
        if (file.isMarkdown()) {
            links(file, exists, found);
        }
        if (file.path().startsWith("docs/adr/")) {
            decision(file, found);
        }
        return found;
    }

    private static int linesMax(SourceFile file) {
        return switch (file.name()) {
            case "launcher.c" -> LAUNCHER_LINES_MAX;
            case "guest.c" -> GUEST_LINES_MAX;
            default -> file.isJava() ? FILE_LINES_MAX : Integer.MAX_VALUE;
        };
    }

    private static int count(String line, String part) {
        int count = 0;
        for (int at = line.indexOf(part); at >= 0; at = line.indexOf(part, at + part.length())) {
            count++;
        }
        return count;
    }

    private static boolean isScript(SourceFile file) {
        return file.text().startsWith("#!");
    }

    private static void links(SourceFile file, Predicate<String> exists, List<Finding> found) {
        String folder = file.path().substring(0, file.path().lastIndexOf('/') + 1);
        boolean fenced = false;
        List<String> lines = file.lines();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).stripLeading().startsWith("```")) {
                fenced = !fenced;
            }
            Matcher link = LINK.matcher(CODE.matcher(lines.get(i)).replaceAll(""));
            while (!fenced && link.find()) {
                String target = link.group(1);
                int fragment = target.indexOf('#');
                String path = fragment < 0 ? target : target.substring(0, fragment);
                if (!path.isEmpty() && !path.contains(":") && !exists.test(folder + path)) {
                    add(
                            found,
                            file,
                            i,
                            "the link '" + target + "' is dead, use a path that exists");
                }
            }
        }
    }

    private static void decision(SourceFile file, List<Finding> found) {
        if (file.name().equals("README.md")) {
            return;
        }
        if (!DECISION.matcher(file.path()).matches()) {
            add(found, file, 0, "the name is banned, use NNNN-lower-case-words.md");
        }
        List<String> lines = file.lines();
        if (lines.size() > DECISION_LINES_MAX) {
            String most = "use at most " + DECISION_LINES_MAX;
            add(found, file, DECISION_LINES_MAX, lines.size() + " lines are too many, " + most);
        }
        for (String part : List.of("Status:", "Date:")) {
            if (lines.stream().noneMatch(line -> line.startsWith(part))) {
                add(found, file, 0, "a decision without '" + part + "' is banned, use the form");
            }
        }
        for (String part : List.of("## Context", "## Decision", "## Consequences")) {
            if (!lines.contains(part)) {
                add(found, file, 0, "a decision without '" + part + "' is banned, use the form");
            }
        }
    }

    /** Decision records are numbered 1, 2, 3 ... without a gap or a twin. */
    static List<Finding> checkDecisions(List<SourceFile> files) {
        List<Finding> found = new ArrayList<>();
        TreeMap<Integer, SourceFile> byNumber = new TreeMap<>();
        for (SourceFile file : files) {
            Matcher matcher = DECISION.matcher(file.path());
            if (matcher.matches()) {
                int number = Integer.parseInt(matcher.group(1));
                SourceFile twin = byNumber.put(number, file);
                if (twin != null) {
                    add(
                            found,
                            file,
                            0,
                            "the number of " + twin.name() + " is banned, use the next");
                }
            }
        }
        int expected = 1;
        for (var entry : byNumber.entrySet()) {
            if (entry.getKey() != expected) {
                add(found, entry.getValue(), 0, "a gap is banned, use number " + expected);
            }
            expected = entry.getKey() + 1;
        }
        return found;
    }

    private static void add(List<Finding> found, SourceFile file, int index, String message) {
        found.add(new Finding(file.path(), index + 1, message));
    }
}
