/** The builder of one agent. */
import type { Metadata } from 'next'
import { BuilderPage } from '#components/agents/builder-page'

export const metadata: Metadata = { title: 'Builder' }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <BuilderPage key={id} agentId={id} />
}
