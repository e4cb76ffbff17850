/** Benchmarks, one class a subject; each runs alone with {@code java -cp ... org.openjdk.jmh.Main <class name>}. */
@NullMarked
package io.headrace.bench;

import org.jspecify.annotations.NullMarked;
