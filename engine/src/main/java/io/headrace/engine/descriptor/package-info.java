/** What is known of a sample without its payload: parts, sizes, tokens and byte locations. */
@NullMarked
package io.headrace.engine.descriptor;

import org.jspecify.annotations.NullMarked;
