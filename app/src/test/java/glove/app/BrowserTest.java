package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;

/** Chromium without a display, inside: with its own sandbox, without it, and by Playwright. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class BrowserTest {
    private static final String PAGE = "<p id=a>static</p><script>"
            + "document.getElementById('a').textContent = 'script ' + 6 * 7</script>";

    private static final String DUMP = "chromium --headless --dump-dom \"file://$PWD/page.html\"";
    private static final String DUMPED = "<p id=\"a\">script 42</p>";

    private final WorkRoom room;

    BrowserTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @BeforeEach
    void requireChromium() throws IOException, InterruptedException {
        Lanes.require(
                "browser",
                WorkRoom.isInstalled("chromium"),
                "chromium is not installed in /usr/bin");
        room.outside("cat > work/page.html <<'END'\n" + PAGE + "\nEND\n");
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    @Test
    void itDumpsAPageWithItsOwnSandbox() throws Exception {
        String out = room.prints(List.of("--allow-userns"), DUMP);

        assertThat(out).contains(DUMPED);
    }

    @Test
    void itDumpsAPageWithoutItsOwnSandbox() throws Exception {
        String out = room.prints(DUMP + " --no-sandbox");

        assertThat(out).contains(DUMPED);
    }

    @Test
    void itsOwnSandboxNeedsAllowUserns() throws Exception {
        Command.Result result = room.bash(List.of(), DUMP).run();

        assertThat(result.status()).isNotZero();
        assertThat(result.err()).contains("No usable sandbox");
    }

    @Test
    void playwrightLaunchesItBothWays() throws Exception {
        String cli = room.shell("readlink -f \"$(command -v playwright-core)\"")
                .run()
                .out();
        String where = cli.replaceFirst("/cli\\.js\\s*$", "");
        boolean usable = where.startsWith("/")
                && WorkRoom.isInstalled("node")
                && room.shell("test -r '" + where + "/package.json'").run().status() == 0;
        Lanes.require("playwright", usable, "npm's playwright-core is not in PATH, or no node");
        room.outside("cat > work/p.js <<'END'\n" + """
                const { chromium } = require(process.argv[2]);
                (async () => {
                  const browser = await chromium.launch({
                    executablePath: '/usr/bin/chromium',
                    chromiumSandbox: process.argv[3] === 'sandbox',
                    timeout: 200000,
                  });
                  const page = await browser.newPage();
                  page.setDefaultTimeout(200000);
                  await page.setContent('<title>by playwright</title>');
                  console.log(await page.title(), await page.evaluate(() => 6 * 7));
                  await browser.close();
                })().catch(e => { console.error(String(e)); process.exit(1); });
                """ + "END\n");
        List<String> grant = List.of("--read", where);

        String without = room.prints(grant, "node p.js '" + where + "'");
        String with = room.prints(
                List.of("--read", where, "--allow-userns"), "node p.js '" + where + "' sandbox");

        assertThat(without).isEqualTo("by playwright 42\n");
        assertThat(with).isEqualTo("by playwright 42\n");
    }
}
