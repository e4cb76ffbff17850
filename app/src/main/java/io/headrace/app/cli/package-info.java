/** The commands of the launcher. */
@NullMarked
package io.headrace.app.cli;

import org.jspecify.annotations.NullMarked;
