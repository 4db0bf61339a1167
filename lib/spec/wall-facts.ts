/** What is said of one wall around foreign code. */

/**
 * What enforces a wall, from the weakest to the strongest: a process of its own with few rights, a runtime that
 * denies every permission, or the kernel of the operating system.
 */
export const wallStrengths = ['process', 'runtime', 'system'] as const
export type WallStrength = (typeof wallStrengths)[number]

/** What a wall is, in words for people. */
export interface WallFacts {
  /** `bubblewrap`, for programs. */
  readonly id: string
  /** `bubblewrap`, for people. */
  readonly name: string
  readonly strength: WallStrength
  /** What it keeps to, each in a few words: `no network`. */
  readonly promises: readonly string[]
  /** What it does not promise though a stronger wall does, each in a few words. */
  readonly gaps: readonly string[]
}
