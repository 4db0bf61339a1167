/** Whether the database can be used, and why not. */

/** Why the database cannot be used normally. */
export interface StoreTrouble {
  /**
   * `full` and `io`: writing fails for now, reading still works. `broken`: the file has changed or is gone.
   */
  readonly fault: 'full' | 'io' | 'broken'
  /** What happened and what to do, for a person. */
  readonly message: string
}

/** What is known about the state of the database file. */
export interface StoreHealth {
  readonly trouble: StoreTrouble | undefined
  /** Checks the file now, and during trouble tests whether it is over. */
  check(): StoreTrouble | undefined
  /** The listener is called whenever trouble begins, changes or ends. */
  onChange(listener: (trouble: StoreTrouble | undefined) => void): void
}
