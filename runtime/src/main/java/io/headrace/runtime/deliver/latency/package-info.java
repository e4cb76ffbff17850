/** What keeps the wait for a step that is ready short: compiled code, and a core when it is needed. */
@NullMarked
package io.headrace.runtime.deliver.latency;

import org.jspecify.annotations.NullMarked;
