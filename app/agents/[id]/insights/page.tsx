/** The figures of one agent. */
import type { Metadata } from 'next'
import { InsightsPage } from '#components/runs/insights-page'

export const metadata: Metadata = { title: 'Insights' }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <InsightsPage key={id} agentId={id} />
}
