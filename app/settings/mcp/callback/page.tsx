/** Where authorization servers send people back after a sign-in to an MCP server. Open to everybody; holds no data. */
import type { Metadata } from 'next'
import { CallbackPage } from '#components/settings/mcp/callback-page'

export const metadata: Metadata = { title: 'Sign-in' }

export default function Page() {
  return <CallbackPage />
}
