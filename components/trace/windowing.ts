/** How high the rows of the trace are. */

/** As `--row`. */
export const rowHeight = 24
/** What an opened row is taken to hang under itself until it has been measured. */
export const guessedHeight = 160
