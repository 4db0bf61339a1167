/** The store of what a call's arguments were before secrets were taken out of them. */

/** Arguments of a call that contain secrets, sealed with the server's key. */
export interface OriginalRow {
  readonly runId: string
  /** For a call of a run inside a call: the ids of the calls, joined by `/`. */
  readonly callId: string
  /** Who wrote them: `model`, `person`, or the entry of a hook. */
  readonly source: string
  readonly sealed: Uint8Array
}

/** What is kept of a call is removed with the event that ends it, and with its run. */
export interface OriginalStore {
  /** Adds the row, or replaces the one of this call and source. */
  put(row: OriginalRow): void
  get(row: Omit<OriginalRow, 'sealed'>): Uint8Array | undefined
}
