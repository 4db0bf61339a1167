/** An address that leads nowhere. */
import Link from 'next/link'
import { Empty } from '#components/ui/notice'

export default function NotFound() {
  return (
    <main>
      <Empty icon="search" title="There is no page at this address.">
        <Link href="/" style={{ color: 'var(--accent)' }}>
          Go to the agents
        </Link>
      </Empty>
    </main>
  )
}
