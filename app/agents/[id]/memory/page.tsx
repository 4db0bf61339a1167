/** What one agent remembers. */
import type { Metadata } from 'next'
import { MemoryPage } from '#components/memory/memory-page'

export const metadata: Metadata = { title: 'Memory' }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <MemoryPage key={id} agentId={id} />
}
