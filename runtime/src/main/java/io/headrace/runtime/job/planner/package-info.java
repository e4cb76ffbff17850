/** The Planner: an event-sourced actor that knows metadata only and gives each step its plan. */
@NullMarked
package io.headrace.runtime.job.planner;

import org.jspecify.annotations.NullMarked;
