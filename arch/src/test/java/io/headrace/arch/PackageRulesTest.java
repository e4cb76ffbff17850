package io.headrace.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which package may see which, and what a pure package may not touch. */
class PackageRulesTest {

    /** Below this the rules would hold for want of anything to look at. Raise it as the project grows. */
    private static final int LEAST_CLASSES = 200;

    /** The engine's stages in the order of the data; an import points to the left. */
    private static final List<String> STAGES =
            List.of("unit", "descriptor", "recipe", "index", "cost", "plan", "schedule");

    private static final List<String> PURE =
            List.of("unit", "descriptor", "cost", "plan", "schedule");

    private final JavaClasses classes = Project.classes();

    @Test
    void enoughClassesAreScannedAndEveryStageHasSome() {
        assertThat(classes.size()).isGreaterThan(LEAST_CLASSES);
        for (String stage : STAGES) {
            assertThat(
                            classes.stream()
                                    .filter(
                                            c ->
                                                    c.getPackageName()
                                                            .startsWith(
                                                                    "io.headrace.engine." + stage)))
                    .as("classes of " + engine(stage))
                    .isNotEmpty();
        }
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.headrace.(**)").should().beFreeOfCycles().check(classes);
    }

    @Test
    void engineStagesPointFromLaterToEarlier() {
        for (int i = 0; i < STAGES.size(); i++) {
            List<String> later = new ArrayList<>();
            for (String stage : STAGES.subList(i + 1, STAGES.size())) {
                later.add(engine(stage));
            }
            if (!later.isEmpty()) {
                noClasses()
                        .that()
                        .resideInAPackage(engine(STAGES.get(i)))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(later.toArray(String[]::new))
                        .check(classes);
            }
        }
    }

    @Test
    void modulesSeeOnlyThoseBelowThem() {
        Map<String, String[]> forbidden =
                Map.of(
                        "engine", modules("media", "sources", "runtime", "sim", "app"),
                        "media", modules("sources", "runtime", "sim", "app"),
                        "sources", modules("media", "runtime", "sim", "app"),
                        "runtime", modules("sim", "app"),
                        "sim", modules("media", "sources", "runtime", "app"));
        forbidden.forEach(
                (module, others) ->
                        noClasses()
                                .that()
                                .resideInAPackage("io.headrace." + module + "..")
                                .should()
                                .dependOnClassesThat()
                                .resideInAnyPackage(others)
                                .allowEmptyShould(module.equals("sim"))
                                .check(classes));
    }

    @Test
    void purePackagesUseNoClockRandomnessFileSocketThreadOrLogger() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        PURE.stream().map(PackageRulesTest::engine).toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.io..",
                        "java.nio..",
                        "java.net..",
                        "java.time..",
                        "java.util.concurrent..",
                        "java.util.logging..",
                        "java.util.random..",
                        "org.slf4j..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.lang\\.(Thread|ThreadLocal|Process|ProcessBuilder|Runtime)|java\\.util\\.(Random|SplittableRandom|Timer|Date|UUID)")
                .orShould()
                .callMethodWhere(
                        isAnyOf("nanoTime", "currentTimeMillis", "random", "getenv", "getProperty"))
                .check(classes);
    }

    @Test
    void threadsStartOnlyInRuntime() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.headrace.runtime..")
                .should()
                .callConstructor(Thread.class, Runnable.class)
                .orShould()
                .callMethodWhere(isAnyOf("ofVirtual", "ofPlatform", "startVirtualThread"))
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.concurrent.Executors")
                .check(classes);
    }

    private static String engine(String stage) {
        return "io.headrace.engine." + stage + "..";
    }

    private static String[] modules(String... names) {
        String[] packages = new String[names.length];
        for (int i = 0; i < names.length; i++) {
            packages[i] = "io.headrace." + names[i] + "..";
        }
        return packages;
    }

    private static DescribedPredicate<JavaAccess<?>> isAnyOf(String... methods) {
        return DescribedPredicate.describe(
                "a call of " + String.join(", ", methods) + " of a class of java.lang",
                access -> {
                    AccessTarget target = access.getTarget();
                    return target.getOwner().getPackageName().equals("java.lang")
                            && List.of(methods).contains(target.getName());
                });
    }
}
