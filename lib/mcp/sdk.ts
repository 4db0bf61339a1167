/** The MCP client package, loaded when the first server is used. */
export type ClientSdk = typeof import('@modelcontextprotocol/client')

export function loadSdk(): Promise<ClientSdk> {
  return import('@modelcontextprotocol/client')
}
