/** How high the rows of the trace are. */

/** As `--row`. */
export const rowHeight = 24
/** What an opened row hangs under itself. */
export const openHeight = 264
