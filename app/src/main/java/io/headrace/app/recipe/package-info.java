/** What commands say of a recipe: its problems, its summary, whether its data is there. */
@NullMarked
package io.headrace.app.recipe;

import org.jspecify.annotations.NullMarked;
