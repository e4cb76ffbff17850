/** How far an engine's work is, and what it has done: for those who wait, count or look. */
@NullMarked
package io.headrace.runtime.construct.progress;

import org.jspecify.annotations.NullMarked;
