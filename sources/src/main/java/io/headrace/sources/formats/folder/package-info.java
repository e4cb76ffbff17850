/** Plain folders: media and the text beside them. */
@NullMarked
package io.headrace.sources.formats.folder;

import org.jspecify.annotations.NullMarked;
