/** The tools of one agent's draft, tried by hand and mocked. */
import type { Metadata } from 'next'
import { ToolsPage } from '#components/tools/tools-page'

export const metadata: Metadata = { title: 'Tools' }

export default async function Page({ params }: { params: Promise<{ id: string; tool?: string[] }> }) {
  const { id, tool = [] } = await params
  return <ToolsPage key={id} agentId={id} tool={tool.map(decoded).join('/') || null} />
}

/** A part of the address as text; one that is not encoded well stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
