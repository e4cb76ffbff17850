/** Element types and the few quantities that every other package shares. */
@NullMarked
package io.headrace.engine.unit;

import org.jspecify.annotations.NullMarked;
