/** Features of a sample and the cost of them for encoder, backbone and CPU. Pure. */
@NullMarked
package io.headrace.engine.cost;

import org.jspecify.annotations.NullMarked;
