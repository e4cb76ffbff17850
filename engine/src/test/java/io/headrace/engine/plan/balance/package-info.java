/** Tests of the package. */
@NullMarked
package io.headrace.engine.plan.balance;

import org.jspecify.annotations.NullMarked;
