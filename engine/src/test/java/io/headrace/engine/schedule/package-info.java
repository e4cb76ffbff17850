/** Tests of the package. */
@NullMarked
package io.headrace.engine.schedule;

import org.jspecify.annotations.NullMarked;
