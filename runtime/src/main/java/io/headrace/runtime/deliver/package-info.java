/** Shared-memory slots, leases and the HTTP interface of the ranks. */
@NullMarked
package io.headrace.runtime.deliver;

import org.jspecify.annotations.NullMarked;
