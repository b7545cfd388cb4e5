import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Adds up the surefire reports of all modules: what failed, and why some tests did not run. */
public final class Summary {
    private static int passed;
    private static int failed;
    private static int skipped;
    private static final Map<String, Integer> REASONS = new TreeMap<>();

    /** In front of a reason, in this order. */
    private static final String[] PREFIXES = {
        "org.opentest4j.TestAbortedException:",
        "Assumption failed:",
        "assumption was not met due to:"
    };

    private Summary() {}

    /** Arguments: report directories. Exit status 1 when a test failed or none ran. */
    public static void main(String[] directories) throws Exception {
        for (String directory : directories) {
            if (Files.isDirectory(Path.of(directory))) {
                try (DirectoryStream<Path> reports =
                        Files.newDirectoryStream(Path.of(directory), "TEST-*.xml")) {
                    for (Path report : reports) {
                        add(report);
                    }
                }
            }
        }
        REASONS.forEach((reason, count) -> System.out.println("skipped " + count + ": " + reason));
        System.out.println(passed + " passed, " + failed + " failed, " + skipped + " skipped");
        System.exit(failed > 0 || passed == 0 ? 1 : 0);
    }

    private static void add(Path report)
            throws ParserConfigurationException, SAXException, IOException {
        NodeList cases = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            String name = test.getAttribute("classname") + " " + test.getAttribute("name");
            if (has(test, "failure") || has(test, "error")) {
                failed++;
                System.out.println("FAILED " + name);
            } else if (has(test, "skipped")) {
                skipped++;
                Element skip = (Element) test.getElementsByTagName("skipped").item(0);
                REASONS.merge(reason(skip), 1, Integer::sum);
            } else {
                passed++;
            }
        }
    }

    /** The message, which Surefire writes either as an attribute or before the stack inside. */
    private static String reason(Element skip) {
        String text = skip.getAttribute("message");
        if (text.isBlank()) {
            text = skip.getTextContent()
                    .lines()
                    .takeWhile(line -> !line.startsWith("\tat "))
                    .map(String::strip)
                    .collect(Collectors.joining(" "))
                    .strip();
        }
        for (String prefix : PREFIXES) {
            text = text.startsWith(prefix) ? text.substring(prefix.length()).strip() : text;
        }
        return text.isEmpty() ? "no reason given" : text;
    }

    private static boolean has(Element test, String child) {
        return test.getElementsByTagName(child).getLength() > 0;
    }
}
