/** WebDataset tars: a walk over the headers, and what makes samples of them. */
@NullMarked
package io.headrace.sources.formats.tar;

import org.jspecify.annotations.NullMarked;
