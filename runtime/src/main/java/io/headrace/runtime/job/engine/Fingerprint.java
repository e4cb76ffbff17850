package io.headrace.runtime.job.engine;

import io.headrace.engine.recipe.Recipe;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names what decides the samples of every step, so that two jobs, or a job and a plan, can be told to agree. */
public final class Fingerprint {

    private static final int FINGERPRINT_BYTES = 8;

    private Fingerprint() {}

    /** Of seed, mixture, order, batch, and the number of samples of each source. */
    public static String of(Recipe recipe, IndexedSources sources) {
        StringBuilder decides =
                new StringBuilder()
                        .append(recipe.seed())
                        .append(recipe.mixture())
                        .append(recipe.order())
                        .append(recipe.batch());
        for (int source = 0; source < sources.sources(); source++) {
            decides.append(sources.source(source)).append(sources.size(source));
        }
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(decides.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, FINGERPRINT_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
