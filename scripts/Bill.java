import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Writes the software bill of materials of an image, CycloneDX 1.6: the modules that are linked in,
 * the C library that static programs hold, and every file with its digest. Run by scripts/image:
 * {@code Bill ROOT IMAGE JARS LIBC VERSION FILE}. Paths are told from ROOT on; IMAGE, below it, has
 * lib/modules; JARS has what was linked; FILE is written, and not listed.
 */
final class Bill {
    private static final String GPL = "GPL-2.0-only WITH Classpath-exception-2.0";

    private final Path root;
    private final Path image;
    private final String version;
    private final StringBuilder json = new StringBuilder();

    private Bill(Path root, Path image, String version) {
        this.root = root;
        this.image = image;
        this.version = version;
    }

    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]);
        Path image = root.resolve(args[1]).normalize();
        Path file = Path.of(args[5]);
        Bill bill = new Bill(root, image, args[4]);
        Files.writeString(file, bill.write(Path.of(args[2]), args[3], file));
    }

    private String write(Path jars, String libc, Path without) throws Exception {
        modules(jars);
        String[] nameAndVersion = libc.split("@", 2);
        library(nameAndVersion[0], nameAndVersion[1], "pkg:generic/" + libc,
                nameAndVersion[0].equals("musl") ? "MIT" : "LGPL-2.1-or-later", "");
        files(without);
        long seconds = Long.parseLong(System.getenv("SOURCE_DATE_EPOCH"));
        // No random number: the same image has the same bill.
        UUID serial = UUID.nameUUIDFromBytes(json.toString().getBytes(StandardCharsets.UTF_8));
        return """
                {
                  "bomFormat": "CycloneDX",
                  "specVersion": "1.6",
                  "serialNumber": "urn:uuid:%s",
                  "version": 1,
                  "metadata": {
                    "timestamp": "%s",
                    "component": {"type": "application", "bom-ref": "glove", "name": "glove", \
                "version": "%s", "purl": "pkg:generic/glove@%s", \
                "licenses": [{"license": {"id": "Apache-2.0"}}]}
                  },
                  "components": [%s
                  ]
                }
                """.formatted(serial, Instant.ofEpochSecond(seconds), version, version, json);
    }

    /** Each with the digest of the jar it was linked from; the JDK's come from its own image. */
    private void modules(Path jars) throws Exception {
        ModuleFinder ours = ModuleFinder.of(jars);
        Properties release = new Properties();
        try (var in = Files.newBufferedReader(image.resolve("release"))) {
            release.load(in);
        }
        String names = release.getProperty("MODULES").replace("\"", "");
        String java = release.getProperty("JAVA_VERSION").replace("\"", "");
        for (String name : Stream.of(names.split(" ")).sorted().toList()) {
            ModuleReference module = ours.find(name).orElse(null);
            if (module == null) {
                library(name, java, "pkg:generic/openjdk@" + java + "#" + name, GPL, "");
                continue;
            }
            String digest = sha256(Path.of(module.location().orElseThrow()));
            String of = module.descriptor().version().map(ModuleDescriptor.Version::toString)
                    .orElse(version);
            switch (name) {
                case "tools.jackson.core" -> library(name, of,
                        "pkg:maven/tools.jackson.core/jackson-core@" + of, "Apache-2.0", digest);
                case "re2j" -> library(name, of,
                        "pkg:maven/com.google.re2j/re2j@" + of, "BSD-3-Clause", digest);
                default -> {
                    if (!name.startsWith("glove.")) {
                        throw new IllegalStateException("no licence is known of module " + name);
                    }
                    library(name, of, "pkg:generic/glove@" + of + "#" + name, "Apache-2.0", digest);
                }
            }
        }
    }

    private void library(String name, String version, String purl, String licence, String digest) {
        String form = licence.contains(" ")
                ? "{\"expression\": \"" + licence + "\"}"
                : "{\"license\": {\"id\": \"" + licence + "\"}}";
        component("library", name, ", \"version\": \"" + version + "\", \"purl\": \"" + purl
                + "\", \"licenses\": [" + form + "]", digest);
    }

    private void files(Path without) throws Exception {
        TreeMap<String, Path> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                if (!Files.isSymbolicLink(file) && !file.equals(without)) {
                    files.put(root.relativize(file).toString(), file);
                }
            }
        }
        for (var file : files.entrySet()) {
            component("file", file.getKey(), "", sha256(file.getValue()));
        }
    }

    private void component(String type, String name, String more, String digest) {
        json.append(json.isEmpty() ? "\n" : ",\n");
        json.append("    {\"type\": \"").append(type).append("\", \"bom-ref\": \"").append(type)
                .append(':').append(name).append("\", \"name\": \"").append(name).append('"')
                .append(more);
        if (!digest.isEmpty()) {
            json.append(", \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"").append(digest)
                    .append("\"}]");
        }
        json.append('}');
    }


    private static String sha256(Path file) throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
