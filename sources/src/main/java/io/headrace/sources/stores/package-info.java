/** Where bytes lie: path patterns, files and ranged reads. */
@NullMarked
package io.headrace.sources.stores;

import org.jspecify.annotations.NullMarked;
