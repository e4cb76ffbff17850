/** In which order the work of planned steps is decoded. Pure: time is an argument. */
@NullMarked
package io.headrace.engine.schedule;

import org.jspecify.annotations.NullMarked;
