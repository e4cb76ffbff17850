/** What a person sees of a running job, read from its socket. */
@NullMarked
package io.headrace.app.dashboard;

import org.jspecify.annotations.NullMarked;
