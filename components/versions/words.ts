/** The name of a draft in relation to its versions. Pure. */
import { plural } from '#components/run/figures'
import type { DraftVersion } from './use-versions'

/** `v4`, `Draft, 3 changes since v4`, `Draft`; null while it is not known. */
export function draftWords({ newest, changes }: Pick<DraftVersion, 'newest' | 'changes'>): string | null {
  if (newest === undefined) return null
  if (newest === null) return 'Draft'
  if (changes === null) return `Draft since v${newest.version}`
  if (changes.length === 0) return `v${newest.version}`
  return `Draft, ${plural(changes.length, 'change')} since v${newest.version}`
}

export interface PublishWords {
  readonly label: string
  /** Why a version cannot be published now; null when it can. */
  readonly reason: string | null
}

export function publishWords({ config, newest, changes }: DraftVersion): PublishWords {
  const next = (newest?.version ?? 0) + 1
  if (newest === undefined) return { label: 'Publish', reason: 'Loading the versions' }
  if (config === null)
    return { label: `Publish v${next}`, reason: 'Nothing to publish while the drawing has errors' }
  if (newest !== null && changes?.length === 0)
    return { label: `v${newest.version} published`, reason: 'Nothing has changed since this version' }
  return { label: `Publish v${next}`, reason: null }
}
