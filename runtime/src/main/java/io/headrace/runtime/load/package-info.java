/** Source Loaders: the file state of each source, held once; encoded bytes by plan. */
@NullMarked
package io.headrace.runtime.load;

import org.jspecify.annotations.NullMarked;
