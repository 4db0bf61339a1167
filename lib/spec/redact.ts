/** How known secrets are taken out of texts. */

/** Replaces a known secret in a text. It is never turned back into one. */
export const secretMask = '[secret]'

/** Replaces every known secret in a text. */
export interface Redact {
  (text: string): string
  /**
   * For JSON text that arrives in pieces: returns a function that takes the next piece and returns what may be
   * shown by now. It holds back what may be the beginning of a secret.
   */
  inPieces?(): (piece: string) => string
}
