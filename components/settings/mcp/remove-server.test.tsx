import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { mcpKeys } from '#components/data/mcp'
import type { McpServerDetail, McpServerView } from '#lib/wire/mcp-servers'
import { RemoveServer } from './remove-server'

const server = { name: 'files' } as McpServerView // cast: the dialog reads its name only

/** The dialog, with what is known of the server. */
function dialog(know: (client: QueryClient) => void): string {
  const client = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } })
  know(client)
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <RemoveServer server={server} onClose={() => {}} />
    </QueryClientProvider>,
  )
}
const known = (usedBy: McpServerDetail['usedBy']) => (client: QueryClient) => {
  client.setQueryData(mcpKeys.server('files'), { usedBy })
}

describe('before a server is removed, the dialog says', () => {
  it('which agents use it', () => {
    expect(dialog(known([{ id: 'agent_1', name: 'clerk', title: '' }]))).toContain(
      '“clerk” will go on without its tools.',
    )
    expect(dialog(known([]))).toContain('No agent uses it.')
  })

  it('that this is not known while it is read', () => {
    expect(dialog(() => {})).toContain('Which agents use it is not known yet.')
  })

  it('that this could not be read', () => {
    const failed = (client: QueryClient) => {
      const query = client.getQueryCache().build(client, { queryKey: mcpKeys.server('files') })
      query.setState({ status: 'error', error: new Error('No answer.'), errorUpdateCount: 1 })
    }
    expect(dialog(failed)).toContain('Which agents use it could not be read.')
  })
})
