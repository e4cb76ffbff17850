/** What a running job knows of costs and deadlines, and tells its decode queue. */
@NullMarked
package io.headrace.runtime.construct.schedule;

import org.jspecify.annotations.NullMarked;
