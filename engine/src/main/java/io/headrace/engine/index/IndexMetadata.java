package io.headrace.engine.index;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headrace.engine.descriptor.Codec;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an index says of itself.
 *
 * @param source name of the source
 * @param settings what the descriptors depend on beside the shards: fields, tokenizer, template. An index with other settings is stale
 * @param skips what was left out of each shard that is not whole, by the number of the shard
 */
public record IndexMetadata(String source, String settings, SortedMap<Integer, SkipSummary> skips) {

    /** Skipped members are named only in the first so many shards, so that the header stays within its bound. */
    static final int MAX_SHARDS_WITH_NAMES = 2000;

    public IndexMetadata {
        skips = Collections.unmodifiableSortedMap(new TreeMap<>(skips));
    }

    /** An index of one shard. */
    public static IndexMetadata ofShard(String source, String settings, SkipSummary skips) {
        SortedMap<Integer, SkipSummary> all = new TreeMap<>();
        if (skips.total() > 0) {
            all.put(0, skips);
        }
        return new IndexMetadata(source, settings, all);
    }

    /** What was left out of a shard. */
    public SkipSummary skips(int shard) {
        return skips.getOrDefault(shard, SkipSummary.NONE);
    }

    /** What was left out of all shards. */
    public SkipSummary allSkips() {
        return skips.values().stream().reduce(SkipSummary.NONE, SkipSummary::plus);
    }

    /** Version of the columns and of their meaning. */
    public static final int FORMAT = 2;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<Codec> CODECS = List.of(Codec.values());

    Map<String, String> encode(List<String> fields) {
        try {
            Map<String, String> strings = new LinkedHashMap<>();
            strings.put("format", "headrace-index-" + FORMAT);
            strings.put("source", source);
            strings.put("settings", settings);
            strings.put("fields", JSON.writeValueAsString(fields));
            strings.put("codecs", JSON.writeValueAsString(CODECS));
            strings.put("skipped", JSON.writeValueAsString(encodedSkips()));
            return strings;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Strings that are no JSON", e);
        }
    }

    static IndexMetadata decode(Map<String, String> strings) throws IOException {
        String format = strings.getOrDefault("format", "");
        if (!format.equals("headrace-index-" + FORMAT)) {
            throw new IOException(
                    "Index of format '%s', this program reads 'headrace-index-%d'"
                            .formatted(format, FORMAT));
        }
        SortedMap<Integer, List<SkipSummary.Entry>> entries =
                JSON.readValue(strings.getOrDefault("skipped", "{}"), new TypeReference<>() {});
        SortedMap<Integer, SkipSummary> skips = new TreeMap<>();
        entries.forEach((shard, list) -> skips.put(shard, new SkipSummary(list)));
        return new IndexMetadata(
                strings.getOrDefault("source", ""), strings.getOrDefault("settings", ""), skips);
    }

    private SortedMap<Integer, List<SkipSummary.Entry>> encodedSkips() {
        SortedMap<Integer, List<SkipSummary.Entry>> encoded = new TreeMap<>();
        skips.forEach(
                (shard, summary) ->
                        encoded.put(
                                shard,
                                encoded.size() < MAX_SHARDS_WITH_NAMES
                                        ? summary.entries()
                                        : summary.withoutNames().entries()));
        return encoded;
    }

    static List<String> fields(Map<String, String> strings) throws IOException {
        return JSON.readValue(strings.getOrDefault("fields", "[]"), new TypeReference<>() {});
    }

    /** Number of a codec in a file that this program writes: its place in the list of names. */
    static int codecNumber(Codec codec) {
        return CODECS.indexOf(codec);
    }

    /** The codecs by their number in the file. */
    static List<Codec> codecs(Map<String, String> strings) throws IOException {
        String[] names = JSON.readValue(strings.getOrDefault("codecs", "[]"), String[].class);
        try {
            return Arrays.stream(names).map(Codec::valueOf).toList();
        } catch (IllegalArgumentException e) {
            throw new IOException("Index with a codec that this program does not know", e);
        }
    }
}
