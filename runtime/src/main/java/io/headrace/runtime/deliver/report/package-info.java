/** What a delivery server tells of its job. */
@NullMarked
package io.headrace.runtime.deliver.report;

import org.jspecify.annotations.NullMarked;
