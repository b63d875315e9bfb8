package dev.idem.clikit.program;

import dev.idem.Call;
import dev.idem.SideEffect;
import dev.idem.clikit.Declares;
import dev.idem.clikit.KitCommand;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** The command that every program gets from the kit. */
@Command(name = "manifest", description = "Lists every command with its options, its danger and its exit codes.")
@Declares(SideEffect.READ)
public final class ManifestCommand implements KitCommand {
    static final String NAME = "manifest";

    private final Supplier<Map<String, @Nullable Object>> manifest;

    ManifestCommand(Supplier<Map<String, @Nullable Object>> manifest) {
        this.manifest = manifest;
    }

    @Override
    public Object run(Call call) {
        return manifest.get();
    }
}
