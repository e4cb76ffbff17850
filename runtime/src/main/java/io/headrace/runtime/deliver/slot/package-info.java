/** Memory that engine and ranks share: its layout, the slots of steps, and the leases on them. */
@NullMarked
package io.headrace.runtime.deliver.slot;

import org.jspecify.annotations.NullMarked;
