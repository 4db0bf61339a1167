'use client'
/**
 * The versions of an agent: what each changed, the difference between any two or the draft, and a button to
 * restore one.
 */
import { useMemo, useState } from 'react'
import type { Autosave } from '#components/drawing/autosave'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { plural } from '#components/run/figures'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { ErrorNote } from '#components/ui/notice'
import { decompile } from '#lib/graph/decompile'
import type { VersionView } from '#lib/wire/agents'
import { Compare, type Side } from './compare'
import { type DraftVersion, useDraft, usePublish, useVersions } from './use-versions'
import { VersionList } from './version-list'
import styles from './versions-dialog.module.css'
import { publishWords } from './words'

export interface VersionsDialogProps {
  readonly agentId: string
  readonly autosave: Autosave
  onClose(): void
}

export function VersionsDialog({ agentId, autosave, onClose }: VersionsDialogProps) {
  const versions = useVersions(agentId)
  const draft = useDraft(agentId)
  return (
    <Dialog title="Versions" onClose={onClose} wide>
      {versions.isError && <ErrorNote error={versions.error} />}
      {versions.isPending && <Skeleton height={240} />}
      {versions.data?.length === 0 && <First agentId={agentId} autosave={autosave} draft={draft} />}
      {versions.data !== undefined && versions.data.length > 0 && (
        <Versions versions={versions.data} draft={draft} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface FirstProps {
  readonly agentId: string
  readonly autosave: Autosave
  readonly draft: DraftVersion
}

function First({ agentId, autosave, draft }: FirstProps) {
  const publish = usePublish(agentId, autosave)
  const { label, reason } = publishWords(draft)
  return (
    <div className={styles.empty}>
      <p className={styles.none}>
        Nothing is published yet. Publish saves the drawing as a version that never changes.
      </p>
      <Button
        variant="primary"
        disabled={reason !== null || publish.isPending}
        title={reason ?? undefined}
        onClick={() => publish.mutate(undefined)}
      >
        {label}
      </Button>
      {publish.isError && <ErrorNote error={publish.error} />}
    </div>
  )
}

interface VersionsProps {
  readonly versions: readonly VersionView[]
  readonly draft: DraftVersion
  onClose(): void
}

function Versions({ versions, draft, onClose }: VersionsProps) {
  const newest = versions[0]?.version ?? 1
  const [pair, setPair] = useState<{ from: Side; to: Side }>({ from: newest, to: 'draft' })
  const catalog = useGraph((state) => state.catalog)
  const choose = (chosen: Side) => {
    const at = versions.findIndex((each) => each.version === chosen)
    const before = chosen === 'draft' ? newest : (versions[at + 1]?.version ?? 'nothing')
    setPair({ from: before, to: chosen })
  }
  const configs = useMemo(() => {
    const known = new Map(versions.map((each) => [each.version, each.config]))
    return (side: Side) => {
      if (side === 'nothing') return null
      return side === 'draft' ? draft.config : (known.get(side) ?? null)
    }
  }, [versions, draft.config])
  const restorable = versions.find((each) => each.version === pair.to)
  return (
    <div className={styles.columns}>
      <VersionList versions={versions} draft={draft} chosen={pair.to} onChoose={choose} />
      <div className={styles.main}>
        <Compare versions={versions} pair={pair} onPair={setPair} configOf={configs} catalog={catalog} />
        {restorable !== undefined && <Restore version={restorable} draft={draft} onDone={onClose} />}
      </div>
    </div>
  )
}

interface RestoreProps {
  readonly version: VersionView
  readonly draft: DraftVersion
  onDone(): void
}

/** Restoring a version is one edit of the drawing, which undo reverts. */
function Restore({ version: { version, config }, draft, onDone }: RestoreProps) {
  const store = useGraphStore()
  const [isAsking, setAsking] = useState(false)
  const isSame = draft.newest?.version === version && draft.changes?.length === 0
  const unpublished = draft.changes === null ? null : draft.changes.length
  const restore = () => {
    const { catalog, edit, select } = store.getState()
    const { graph } = decompile(config, catalog)
    select({})
    edit(() => ({ graph, notes: [], added: [] }))
    onDone()
  }
  if (isSame) return <p className={styles.none}>The draft is this version.</p>
  if (!isAsking)
    return (
      <div className={styles.restore}>
        <Button icon="rotate-ccw" onClick={() => (unpublished === 0 ? restore() : setAsking(true))}>
          Restore v{version}
        </Button>
      </div>
    )
  return (
    <div className={styles.question} role="alert">
      <p>
        The draft has {unpublished === null ? 'changes' : plural(unpublished, 'change')} that no version
        holds. Restoring puts v{version} in its place; one undo brings the draft back.
      </p>
      <div className={styles.restore}>
        <Button onClick={() => setAsking(false)}>Keep the draft</Button>
        <Button variant="primary" icon="rotate-ccw" onClick={restore}>
          Restore v{version}
        </Button>
      </div>
    </div>
  )
}
