/** Tests of the package. */
@NullMarked
package io.headrace.engine.plan;

import org.jspecify.annotations.NullMarked;
