/** Why the server does not start, in one sentence that a person can act on; shown without a stack. */
export class StartError extends Error {
  readonly expected = true
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message)
    this.name = 'StartError'
  }
}
