/** JSON lines and JSON lists whose objects name their media. */
@NullMarked
package io.headrace.sources.formats.json;

import org.jspecify.annotations.NullMarked;
