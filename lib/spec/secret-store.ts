/** Secrets as they are stored. */

/** A stored secret, sealed with the server's key, which is not in the database. */
export interface SecretRow {
  readonly name: string
  readonly sealed: Uint8Array
  /** The part that may be shown. */
  readonly hint: string
  /** Where the value may go: `https://api.example.com`. */
  readonly origins: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
}

export interface SecretStore {
  /** Sorted by name. */
  list(): SecretRow[]
  get(name: string): SecretRow | undefined
  /** Adds the secret, or replaces the one with this name. */
  put(row: SecretRow): void
  remove(name: string): boolean
}
