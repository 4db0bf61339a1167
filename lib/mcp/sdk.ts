/** The MCP client package, loaded when the first server is used. */
export type Sdk = typeof import('@modelcontextprotocol/client')

export function loadSdk(): Promise<Sdk> {
  return import('@modelcontextprotocol/client')
}
