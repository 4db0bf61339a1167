'use client'
/**
 * A page whose subject does not exist or could not be loaded: what happened, what to do, and links to
 * elsewhere.
 */
import { Button, ButtonLink } from './button'
import { describeError, isMissing } from './notice'
import { PageNotice } from './page-notice'

export interface PageFailedProps {
  readonly error: unknown
  /** The list in which it would appear. */
  readonly list: { readonly href: string; readonly label: string }
  onRetry(): void
}

export function PageFailed({ error, list, onRetry }: PageFailedProps) {
  const { what, advice } = describeError(error)
  const isGone = isMissing(error)
  return (
    <PageNotice
      isAlert
      icon={isGone ? 'search' : 'circle-x'}
      title={what.replace(/\.$/, '')}
      text={advice ?? 'Nothing was changed.'}
    >
      <ButtonLink variant="plain" href={list.href}>
        {list.label}
      </ButtonLink>
      {!isGone && (
        <Button variant="quiet" onClick={onRetry}>
          Try again
        </Button>
      )}
    </PageNotice>
  )
}
