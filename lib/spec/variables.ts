/** The environment variables by which an operator sets up a provider or an added endpoint, all named after it. */

/** `OPENAI_API_KEY` for `openai`; a key that is kept as a secret has the same name. */
export function keyVariable(provider: string): string {
  return `${prefixOf(provider)}_API_KEY`
}

/** `OPENAI_BASE_URL` for `openai`, which is one of the product's own services. */
export function addressVariable(provider: string): string {
  return `${prefixOf(provider)}_BASE_URL`
}

const endpointPrefix = 'LOOPWRIGHT_ENDPOINT_'

/** `LOOPWRIGHT_ENDPOINT_LM_STUDIO` for the endpoint `lm-studio`, which somebody has added. */
export function endpointVariable(endpoint: string): string {
  return `${endpointPrefix}${endpoint.toUpperCase().replaceAll('-', '_')}`
}

/** The endpoint whose address a variable holds, as in `lm-studio`; undefined for any other variable. */
export function endpointOfVariable(variable: string): string | undefined {
  if (!variable.startsWith(endpointPrefix)) return undefined
  return plainEndpoint(variable.slice(endpointPrefix.length).toLowerCase())
}

/** A variable cannot tell a hyphen from an underscore, so endpoints that differ only there share one. */
export function plainEndpoint(name: string): string {
  return name.replaceAll('_', '-')
}

/** Secrets begin with a letter. */
function prefixOf(provider: string): string {
  const name = provider.toUpperCase().replaceAll('-', '_')
  return /^[A-Z]/.test(name) ? name : `P_${name}`
}
