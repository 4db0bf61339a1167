/** The tools of one agent's draft, tried by hand and mocked. */
import type { Metadata } from 'next'
import { ToolsPage } from '#components/tools/tools-page'

export const metadata: Metadata = { title: 'Tools' }

export default async function Page({ params }: { params: Promise<{ id: string; tool?: string[] }> }) {
  const { id, tool = [] } = await params
  return <ToolsPage key={id} agentId={id} tool={tool.map(decodeURIComponent).join('/') || null} />
}
