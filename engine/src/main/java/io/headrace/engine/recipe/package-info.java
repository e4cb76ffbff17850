/** The recipe: YAML resolved once into sealed types, with errors that name line, column and the nearest right key. */
@NullMarked
package io.headrace.engine.recipe;

import org.jspecify.annotations.NullMarked;
