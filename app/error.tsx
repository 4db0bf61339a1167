'use client'
/** A page that broke: says so in words, keeps the top bar, and offers the way on. */
import { Button } from '#components/ui/button'
import { Empty } from '#components/ui/notice'

export default function PageError({ reset }: { error: Error; reset(): void }) {
  return (
    <main style={{ paddingTop: 72 }}>
      <Empty icon="circle-x" title="This page could not be shown. What you saved is safe.">
        <Button onClick={reset}>Try again</Button>
      </Empty>
    </main>
  )
}
