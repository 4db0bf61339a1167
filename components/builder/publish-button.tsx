'use client'
/** The button that opens the dialog of the next version. */
import { Button } from '#components/ui/button'
import { useDraft } from '#components/versions/use-versions'
import { publishWords } from '#components/versions/words'

export function PublishButton({ agentId, onPublish }: { agentId: string; onPublish(): void }) {
  const { label, reason } = publishWords(useDraft(agentId))
  return (
    <Button
      onClick={onPublish}
      disabled={reason !== null}
      title={reason ?? 'Save the current drawing as a version that never changes'}
    >
      {label}
    </Button>
  )
}
