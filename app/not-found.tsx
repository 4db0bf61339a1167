/** An address that leads nowhere. */
import { ButtonLink } from '#components/ui/button'
import { Empty } from '#components/ui/notice'

export default function NotFound() {
  return (
    <main style={{ paddingTop: 72 }}>
      <Empty icon="search" title="There is no page at this address.">
        <ButtonLink variant="plain" href="/">
          All agents
        </ButtonLink>
      </Empty>
    </main>
  )
}
