/** From the text of a recipe to its resolved types: the tables of its keys and what follows from their values. */
@NullMarked
package io.headrace.engine.recipe.read;

import org.jspecify.annotations.NullMarked;
