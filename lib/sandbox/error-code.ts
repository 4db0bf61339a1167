/** The code of an error of the system, such as `ENOENT`. */

/** Empty for any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
