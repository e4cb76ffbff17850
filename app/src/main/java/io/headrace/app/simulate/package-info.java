/** What a recipe's job would need: its index and plans in the simulator. */
@NullMarked
package io.headrace.app.simulate;

import org.jspecify.annotations.NullMarked;
