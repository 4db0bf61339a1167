/** Two runs side by side. */
import type { Metadata } from 'next'
import { ComparePage } from '#components/runs/compare-page'

export const metadata: Metadata = { title: 'Compare runs' }

export default function Page() {
  return <ComparePage />
}
