/** The environment variables by which an operator sets up a provider; both are named after it. */

/** `OPENAI_API_KEY` for `openai`; a key that is kept as a secret has the same name. */
export function keyVariable(provider: string): string {
  return `${prefixOf(provider)}_API_KEY`
}

/** `OPENAI_BASE_URL` for `openai`. */
export function addressVariable(provider: string): string {
  return `${prefixOf(provider)}_BASE_URL`
}

/** Secrets begin with a letter. */
function prefixOf(provider: string): string {
  const name = provider.toUpperCase().replaceAll('-', '_')
  return /^[A-Z]/.test(name) ? name : `P_${name}`
}
