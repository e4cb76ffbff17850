/** Tests of the package. */
@NullMarked
package io.headrace.engine.plan.order;

import org.jspecify.annotations.NullMarked;
