/** The builder of one agent. */
import type { Metadata } from 'next'
import { preload } from 'react-dom'
import { BuilderPage } from '#components/builder/builder-page'

export const metadata: Metadata = { title: 'Builder' }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  // What the page asks for first is on its way before the page's code has come.
  for (const path of ['/api/catalog', `/api/agents/${encodeURIComponent(id)}`])
    preload(path, { as: 'fetch', crossOrigin: 'anonymous' })
  return <BuilderPage key={id} agentId={id} />
}
