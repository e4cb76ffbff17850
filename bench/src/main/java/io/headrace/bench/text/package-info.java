/** Speed of the text path. */
@NullMarked
package io.headrace.bench.text;

import org.jspecify.annotations.NullMarked;
