package io.headrace.sources.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathPatternTest {

    @TempDir Path folder;

    private void touch(String... names) throws IOException {
        for (String name : names) {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.createFile(file);
        }
    }

    private List<String> expand(String pattern) throws IOException {
        return PathPattern.expand(folder, pattern).stream()
                .map(p -> folder.relativize(p).toString())
                .toList();
    }

    @Test
    void rangeKeepsItsWidth() throws IOException {
        assertThat(Braces.expand("s-{000..002}.tar"))
                .containsExactly("s-000.tar", "s-001.tar", "s-002.tar");
        assertThat(Braces.expand("s-{000..127}.tar")).hasSize(128).endsWith("s-127.tar");
    }

    @Test
    void rangeWithoutZerosHasNoWidth() throws IOException {
        assertThat(Braces.expand("s-{0..11}.tar")).hasSize(12).contains("s-9.tar", "s-11.tar");
    }

    @Test
    void severalBracesGiveTheirProduct() throws IOException {
        assertThat(Braces.expand("{a,b}-{0..1}")).containsExactly("a-0", "a-1", "b-0", "b-1");
        assertThat(Braces.expand("{a,b{0..1}}.x{,y}"))
                .containsExactly("a.x", "a.xy", "b0.x", "b0.xy", "b1.x", "b1.xy");
    }

    @Test
    void bracesWithoutAListStandForThemselves() throws IOException {
        assertThat(Braces.expand("{a}.tar")).containsExactly("{a}.tar");
    }

    @Test
    void rangeOfTwoWidthsIsRefused() {
        assertThatThrownBy(() -> expand("s-{182..01199}.tar"))
                .isInstanceOf(BadPathPattern.class)
                .hasMessageContaining("{182..01199}")
                .hasMessageContaining("3 and 5 digits");
        assertThatThrownBy(() -> expand("s-{01..9}")).isInstanceOf(BadPathPattern.class);
        assertThatThrownBy(() -> expand("s-{9..1}")).hasMessageContaining("runs backwards");
        assertThatThrownBy(() -> expand("s-{a..e}")).hasMessageContaining("no range of numbers");
        assertThatThrownBy(() -> expand("s-{1..3")).hasMessageContaining("not closed");
        assertThatThrownBy(() -> expand("s-{1..99999999}")).hasMessageContaining("limit");
    }

    @Test
    void starFindsAllShardsInNaturalOrder() throws IOException {
        touch("s-10.tar", "s-9.tar", "s-1.tar", "other.txt", "sub/s-2.tar");
        assertThat(expand("*.tar")).containsExactly("s-1.tar", "s-9.tar", "s-10.tar");
        assertThat(expand("s-?.tar")).containsExactly("s-1.tar", "s-9.tar");
        assertThat(expand("**/*.tar"))
                .containsExactly("s-1.tar", "s-9.tar", "s-10.tar", "sub/s-2.tar");
        assertThat(expand("**"))
                .containsExactly("other.txt", "s-1.tar", "s-9.tar", "s-10.tar", "sub/s-2.tar");
        assertThat(expand("{sub,.}/*.tar"))
                .containsExactly("sub/s-2.tar", "s-1.tar", "s-9.tar", "s-10.tar");
        assertThat(expand(folder + "/*-10.tar")).containsExactly("s-10.tar");
    }

    @Test
    void starFindsNoHiddenNames() throws IOException {
        touch("a.tar", ".b.tar", ".git/c.tar");
        assertThat(expand("*")).containsExactly("a.tar");
        assertThat(expand("**/*.tar")).containsExactly("a.tar");
        assertThat(expand(".*.tar")).containsExactly(".b.tar");
    }

    @Test
    void nameWithSpecialCharactersIsFoundByItself() throws IOException {
        touch("a{1,2}*.tar");
        assertThat(expand("a{1,2}*.tar")).containsExactly("a{1,2}*.tar");
    }

    @Test
    void patternsThatFindNothingAreRefused() throws IOException {
        touch("s-000.tar", "s-002.tar");
        assertThatThrownBy(() -> expand("*.parquet"))
                .isInstanceOf(BadPathPattern.class)
                .hasMessageContaining("*.parquet")
                .hasMessageContaining("nothing matches");
        assertThatThrownBy(() -> expand("s-{000..004}.tar"))
                .hasMessageContaining("3 of 5 names match nothing")
                .hasMessageContaining("s-001.tar, s-003.tar, s-004.tar");
        assertThatThrownBy(() -> expand("")).hasMessageContaining("empty");
        assertThatThrownBy(() -> expand("s3://b/*.tar")).hasMessageContaining("this machine");
    }

    @Test
    void eachFileIsFoundOnce() throws IOException {
        touch("s-1.tar", "s-2.tar");
        assertThat(PathPattern.expandAll(folder, List.of("s-2.tar", "*.tar")))
                .containsExactly(folder.resolve("s-2.tar"), folder.resolve("s-1.tar"));
    }

    @Test
    void naturalOrderComparesNumbersByValue() {
        assertThat(NaturalOrder.INSTANCE.compare("s-2", "s-10")).isNegative();
        assertThat(NaturalOrder.INSTANCE.compare("s-02", "s-2")).isNotZero();
        assertThat(NaturalOrder.INSTANCE.compare("a", "a1")).isNegative();
        assertThat(NaturalOrder.INSTANCE.compare("9".repeat(30), "1" + "0".repeat(30)))
                .isNegative();
    }
}
