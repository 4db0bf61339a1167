'use client'
/** The page for an unexpected error: explains it, keeps the top bar, and offers a retry. */
import { Button } from '#components/ui/button'
import { PageNotice } from '#components/ui/page-notice'

export default function PageError({ reset }: { error: Error; reset(): void }) {
  return (
    <PageNotice
      icon="circle-x"
      title="This page could not be shown"
      text="What you saved is safe, and runs under way go on."
    >
      <Button icon="rotate-ccw" onClick={reset}>
        Try again
      </Button>
    </PageNotice>
  )
}
