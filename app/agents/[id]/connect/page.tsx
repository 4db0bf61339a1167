/** The keys of one agent, and how other programs use it. */
import type { Metadata } from 'next'
import { ConnectPage } from '#components/connect/connect-page'

export const metadata: Metadata = { title: 'Connect' }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <ConnectPage key={id} agentId={id} />
}
