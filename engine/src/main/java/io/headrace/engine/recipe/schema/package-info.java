/** YAML read by a table of keys: places, types, defaults, unknown keys, and messages that name all of them. */
@NullMarked
package io.headrace.engine.recipe.schema;

import org.jspecify.annotations.NullMarked;
