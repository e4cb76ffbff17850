package io.headrace.sources.formats.tar;

import io.headrace.engine.descriptor.BadPayload;
import io.headrace.engine.descriptor.BadPayload.Reason;
import io.headrace.engine.descriptor.Location;
import io.headrace.sources.formats.BadShard;
import io.headrace.sources.formats.FieldSelection;
import io.headrace.sources.formats.MemberName;
import io.headrace.sources.formats.SampleGrouping;
import io.headrace.sources.formats.SampleSink;
import io.headrace.sources.formats.ShardScanner;
import io.headrace.sources.formats.Skip;
import io.headrace.sources.stores.ByteSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Scans a WebDataset tar: its headers, and of the payloads what the sink asks for. Complete samples before a damage are given; the
 * damage is skipped with its offset.
 */
public final class TarScanner implements ShardScanner {

    private final Path shard;
    private final ByteSource source;
    private final FieldSelection fields;

    /**
     * @param source the bytes of the tar, decompressed
     */
    public TarScanner(Path shard, ByteSource source, FieldSelection fields) {
        this.shard = shard;
        this.source = source;
        this.fields = fields;
    }

    @Override
    public long scan(SampleSink sink) throws IOException {
        ScanWindow window = new ScanWindow(source);
        long length = window.lengthBytes();
        if (length == 0) {
            throw new BadShard(shard, Reason.EMPTY, "empty file");
        }
        TarWalker walker = new TarWalker(window);
        SampleGrouping samples = new SampleGrouping(fields, sink);
        try {
            Optional<TarMember> member = walker.next();
            while (member.isPresent()) {
                take(member.get(), window, samples, sink);
                sink.progress(Math.min(walker.offset(), length));
                member = walker.next();
            }
        } catch (BadPayload e) {
            if (e.offsetBytes() == 0 && e.reason() == Reason.CORRUPT) {
                throw new BadShard(shard, Reason.CORRUPT, "not a tar", e);
            }
            sink.skip(
                    new Skip(
                            e.reason(),
                            "(header)",
                            e.offsetBytes(),
                            String.valueOf(e.getMessage())));
        }
        samples.finish();
        return length;
    }

    private static void take(
            TarMember member, ScanWindow window, SampleGrouping samples, SampleSink sink)
            throws IOException {
        long offset = member.headerOffset();
        long end = member.dataOffset() + member.sizeBytes();
        if (!member.isRegular()) {
            if (!member.name().endsWith("/")) {
                sink.skip(
                        new Skip(
                                Reason.NOT_A_REGULAR_FILE,
                                member.name(),
                                offset,
                                "a link, a device or a sparse file"));
            }
        } else if (MemberName.isClutter(member.name())) {
            sink.skip(new Skip(Reason.IGNORED_NAME, member.name(), offset, "no data"));
        } else if (end > window.lengthBytes()) {
            samples.cut(
                    member.name(),
                    offset,
                    "the shard ends at %d, the member at %d".formatted(window.lengthBytes(), end));
        } else {
            samples.add(
                    member.name(),
                    new Location.Range(0, member.dataOffset(), member.sizeBytes()),
                    offset,
                    window.payload(member.dataOffset(), member.sizeBytes()));
        }
    }
}
