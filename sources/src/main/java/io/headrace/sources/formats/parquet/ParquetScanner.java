package io.headrace.sources.formats.parquet;

import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.RowReader;
import dev.hardwood.schema.ColumnProjection;
import dev.hardwood.schema.FileSchema;
import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Codec;
import io.headrace.engine.descriptor.Location;
import io.headrace.engine.descriptor.MediaCounts;
import io.headrace.engine.descriptor.MediaKind;
import io.headrace.engine.descriptor.Part;
import io.headrace.sources.formats.ArrayPayload;
import io.headrace.sources.formats.BadShard;
import io.headrace.sources.formats.FieldSelection;
import io.headrace.sources.formats.SampleSink;
import io.headrace.sources.formats.ShardScanner;
import io.headrace.sources.formats.Skip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Scans a Parquet file: each row is a sample, its key the row's number. The columns of media and text are read whole, since the size
 * of a value is known only when its page is decompressed; other columns are not read.
 */
public final class ParquetScanner implements ShardScanner {

    private final Path shard;
    private final FieldSelection fields;
    private final ParquetGuard guard;

    public ParquetScanner(Path shard, FieldSelection fields, ParquetGuard guard) {
        this.shard = shard;
        this.fields = fields;
        this.guard = guard;
    }

    /** A column of media. */
    private record Media(MediaKind kind, ParquetField field) {}

    /** The columns of one file that are read; {@code text} is empty where no text is wanted. */
    private record Columns(List<Media> media, Optional<ParquetField> text) {
        private String[] projection() {
            Set<String> names = new LinkedHashSet<>();
            media.forEach(column -> names.add(column.field.projection()));
            text.ifPresent(field -> names.add(field.projection()));
            return names.toArray(String[]::new);
        }
    }

    @Override
    public long scan(SampleSink sink) throws IOException {
        long bytes = Files.size(shard);
        guard.read(
                shard,
                (file, progress) -> {
                    scan(file, progress, sink, bytes);
                    return true;
                });
        return bytes;
    }

    private void scan(ParquetFileReader file, AtomicLong progress, SampleSink sink, long bytes)
            throws IOException {
        Columns columns = columns(file.getFileSchema());
        long rows = file.getFileMetaData().numRows();
        try (RowReader reader =
                file.buildRowReader()
                        .projection(ColumnProjection.columns(columns.projection()))
                        .build()) {
            long row = 0;
            while (reader.hasNext()) {
                reader.next();
                take(row, reader, columns, sink);
                row++;
                progress.incrementAndGet();
                sink.progress((long) ((double) row / Math.max(1, rows) * bytes));
            }
            if (row != rows) {
                throw new BadShard(
                        shard, Reason.CORRUPT, "%d rows, its footer names %d".formatted(row, rows));
            }
        }
    }

    private Columns columns(FileSchema schema) throws BadShard {
        List<Media> media = new ArrayList<>();
        for (FieldSelection.Field entry : fields.media()) {
            media.add(
                    entry.alternatives().stream()
                            .flatMap(name -> ParquetField.media(schema, name).stream())
                            .findFirst()
                            .map(field -> new Media(entry.kind(), field))
                            .orElseThrow(() -> missing(schema, entry)));
        }
        Optional<ParquetField> text = Optional.empty();
        if (!fields.text().isEmpty()) {
            text =
                    fields.text().stream()
                            .flatMap(name -> ParquetField.text(schema, name).stream())
                            .findFirst();
            if (text.isEmpty()) {
                throw missing(schema, "text", fields.text());
            }
        }
        if (fields.anyMedia() && !fields.byName().isEmpty()) {
            MediaKind kind = fields.byName().getFirst();
            ParquetField.allMedia(schema).forEach(field -> media.add(new Media(kind, field)));
            text.ifPresent(chosen -> media.removeIf(m -> m.field.path().equals(chosen.path())));
        }
        if (media.isEmpty() && text.isEmpty()) {
            throw missing(schema, "media", List.of("of bytes"));
        }
        return new Columns(media, text);
    }

    private BadShard missing(FileSchema schema, FieldSelection.Field entry) {
        return missing(schema, entry.kind().name().toLowerCase(Locale.ROOT), entry.alternatives());
    }

    private BadShard missing(FileSchema schema, String kind, List<String> names) {
        String there =
                String.join(
                        ", ",
                        schema.getRootNode().children().stream().map(node -> node.name()).toList());
        return new BadShard(
                shard,
                Reason.MISSING_FIELD,
                "no %s column %s; its columns: %s"
                        .formatted(kind, String.join(" or ", names), there));
    }

    private void take(long row, RowReader reader, Columns columns, SampleSink sink)
            throws IOException {
        String key = Long.toString(row);
        try {
            List<Part> parts = new ArrayList<>();
            for (Media column : columns.media) {
                addMedia(row, column, reader, parts, sink);
            }
            if (columns.text.isPresent()) {
                parts.add(text(row, columns.text.get(), reader, MediaCounts.of(parts), sink));
            }
            if (parts.isEmpty()) {
                throw new BadPayload(Reason.MISSING_FIELD, "no media: the value is null");
            }
            sink.sample(key, parts);
        } catch (BadPayload e) {
            sink.skip(new Skip(e.reason(), "row " + key, -1, String.valueOf(e.getMessage())));
        } catch (ParquetGuard.SinkFailure e) {
            throw e;
        } catch (IOException e) {
            throw new ParquetGuard.SinkFailure(e);
        }
    }

    private static void addMedia(
            long row, Media column, RowReader reader, List<Part> parts, SampleSink sink)
            throws BadPayload, IOException {
        int element = 0;
        for (byte[] bytes : column.field.values(reader)) {
            if (bytes != null) {
                parts.add(
                        sink.media(
                                column.kind,
                                column.field.partField(element),
                                new Location.Cell(0, row, 0, bytes.length),
                                new ArrayPayload(bytes, 0, bytes.length)));
            }
            element++;
        }
    }

    private static Part.Text text(
            long row, ParquetField field, RowReader reader, MediaCounts media, SampleSink sink)
            throws BadPayload, IOException {
        byte[] bytes = field.values(reader).getFirst();
        Codec codec = field.codec();
        if (bytes == null || codec == null) {
            throw new BadPayload(
                    Reason.MISSING_FIELD, "'%s' is null".formatted(field.partField(0)));
        }
        return sink.text(
                        field.partField(0),
                        new Location.Cell(0, row, 0, bytes.length),
                        codec,
                        new ArrayPayload(bytes, 0, bytes.length))
                .finish(media);
    }
}
