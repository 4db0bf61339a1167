/** The page for an unknown address. */
import { ButtonLink } from '#components/ui/button'
import { PageNotice } from '#components/ui/page-notice'

export default function NotFound() {
  return (
    <PageNotice
      icon="search"
      title="There is no page at this address"
      text="It may have been an agent or a run that is deleted, or the link was cut."
    >
      <ButtonLink variant="plain" href="/">
        All agents
      </ButtonLink>
    </PageNotice>
  )
}
