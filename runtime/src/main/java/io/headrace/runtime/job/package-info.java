/** The actors of a job and how one is started, watched and ended. */
@NullMarked
package io.headrace.runtime.job;

import org.jspecify.annotations.NullMarked;
