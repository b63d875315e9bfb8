package dev.idem.examples.orders;

import dev.idem.Call;
import dev.idem.SideEffect;
import dev.idem.clikit.Declares;
import dev.idem.clikit.Effected;
import dev.idem.clikit.KitCommand;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "deploy", description = "Brings the service to a version.")
@Declares(SideEffect.IDEMPOTENT)
final class Deploy implements KitCommand {
    private static final String SERVICE = "shop";

    private final Store store;

    @Option(names = "--version", required = true, description = "Which version.")
    private String version = "";

    Deploy(Store store) {
        this.store = store;
    }

    @Override
    public List<String> plan() {
        return List.of("would update service to " + version, "would restart 2 instances");
    }

    @Override
    public Effected<Map<String, String>> run(Call call) throws Exception {
        Map<String, String> result = Map.of("current_version", version);
        List<Map<String, Object>> now = store.rows("SELECT version FROM services WHERE name = ?", SERVICE);
        if (!now.isEmpty() && version.equals(now.get(0).get("version"))) {
            return Effected.noop("Already at version " + version, result);
        }
        store.change(
                "INSERT INTO services (name, version) VALUES (?, ?) "
                        + "ON CONFLICT (name) DO UPDATE SET version = excluded.version",
                SERVICE,
                version);
        return Effected.updated(result);
    }
}
