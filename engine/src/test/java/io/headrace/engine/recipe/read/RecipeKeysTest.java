package io.headrace.engine.recipe.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.recipe.schema.Key;
import io.headrace.engine.recipe.schema.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table of keys is complete and says nothing twice. */
class RecipeKeysTest {
    private static List<Type.Section> sections() {
        List<Type.Section> found = new ArrayList<>();
        collect(RecipeKeys.ROOT, found);
        return found;
    }

    private static void collect(Type type, List<Type.Section> into) {
        switch (type) {
            case Type.Section section -> {
                into.add(section);
                section.keys().forEach(key -> collect(key.type(), into));
            }
            case Type.Named named -> collect(named.item(), into);
            case Type.Items items -> collect(items.item(), into);
            case Type.Whole _, Type.Real _, Type.Text _, Type.Time _, Type.Choice _ -> {}
            case Type.Absent _ -> {}
        }
    }

    @Test
    void everyKeyIsDocumented() {
        List<Type.Section> sections = sections();
        assertThat(sections).hasSizeGreaterThan(12);
        for (Type.Section section : sections) {
            for (Key key : section.keys()) {
                if (key.type() instanceof Type.Absent(String reason)) {
                    assertThat(reason).as(key.name()).isNotBlank();
                } else {
                    assertThat(key.doc()).as(key.name()).endsWith(".");
                    assertThat(RecipeDocs.markdown()).contains(key.name());
                }
            }
        }
    }

    @Test
    void noWordMeansTwoKeysOfASection() {
        for (Type.Section section : sections()) {
            Set<String> words = new HashSet<>();
            for (Key key : section.keys()) {
                assertThat(words.add(key.name())).as(key.name()).isTrue();
                for (String meant : key.meant()) {
                    assertThat(words.add(meant)).as(meant).isTrue();
                }
            }
        }
    }

    @Test
    void everyWordOfAChoiceIsExplained() {
        for (Type.Section section : sections()) {
            for (Key key : section.keys()) {
                if (key.type() instanceof Type.Choice choice) {
                    assertThat(choice.options())
                            .as(key.name())
                            .hasSizeGreaterThan(1)
                            .allSatisfy(option -> assertThat(option.doc()).isNotBlank());
                }
            }
        }
    }
}
