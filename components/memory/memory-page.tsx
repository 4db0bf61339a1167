'use client'
/** What one agent remembers: its memories by user, key and thread, with search, changes and forgetting. */
import { useDeferredValue, useState } from 'react'
import { AgentPage } from '#components/data/agent-page'
import { useChangeMemory, useMemories, useMemoryOwners } from '#components/data/recall'
import { count } from '#components/run/figures'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { Empty, ErrorNote } from '#components/ui/notice'
import { RemovalDialog } from '#components/ui/removal-dialog'
import { shortenText } from '#lib/spec/line'
import { visible } from '#lib/spec/visible'
import type { MemoryOwners } from '#lib/wire/memory'
import styles from './memory.module.css'
import { MemoryItem } from './memory-item'
import { OwnMemory } from './own-memory'

export function MemoryPage({ agentId }: { agentId: string }) {
  return (
    <AgentPage
      agentId={agentId}
      page="Memory"
      titleOf={(agent) => `Memory of ${agent}`}
      lead="What the agent keeps from one conversation to the next. A program that runs it names the user; without a user each thread has a memory of its own."
    >
      {({ id }) => <Memories agentId={id} />}
    </AgentPage>
  )
}

type Owner = MemoryOwners['items'][number]

const icons = { user: 'user', key: 'key-round', thread: 'message-square' } as const
const kinds = { user: 'user', key: 'agent key', thread: 'thread' } as const

function Memories({ agentId }: { agentId: string }) {
  const owners = useMemoryOwners(agentId)
  const items = owners.data?.items ?? []
  const [chosen, setChosen] = useState<string>()
  const owner = items.find((each) => each.owner === chosen) ?? items[0]
  return (
    <>
      <OwnMemory agentId={agentId} />
      {owners.isPending && <Skeleton height={240} />}
      {owners.isError && <ErrorNote error={owners.error} onRetry={() => void owners.refetch()} />}
      {owners.isSuccess && owner === undefined && (
        <Empty icon="brain" title="Nothing is remembered yet">
          Wire a Memory part to the agent and run it. What it records appears here.
        </Empty>
      )}
      {owner !== undefined && (
        <div className={styles.columns}>
          <Owners items={items} chosen={owner.owner} onChoose={setChosen} />
          <Entries key={owner.owner} agentId={agentId} owner={owner} />
        </div>
      )}
    </>
  )
}

interface OwnersProps {
  readonly items: readonly Owner[]
  readonly chosen: string
  onChoose(owner: string): void
}

function Owners({ items, chosen, onChoose }: OwnersProps) {
  return (
    <nav className={styles.owners} aria-label="Memories">
      {items.map(({ owner, kind, label, entries }) => (
        <button
          key={owner}
          type="button"
          className={styles.owner}
          aria-current={owner === chosen || undefined}
          title={`${kinds[kind]} ${visible(label)}`}
          onClick={() => onChoose(owner)}
        >
          <Icon name={icons[kind]} size={14} />
          <span className={styles.ownerName}>{visible(label)}</span>
          <small>{count(entries)}</small>
        </button>
      ))}
    </nav>
  )
}

function Entries({ agentId, owner: { owner, kind, label, entries } }: { agentId: string; owner: Owner }) {
  const [search, setSearch] = useState('')
  const [limit, setLimit] = useState(50)
  const [isForgetting, setForgetting] = useState(false)
  const asked = useDeferredValue(search.trim())
  const found = useMemories(agentId, { owner, limit, ...(asked !== '' && { search: asked }) })
  const { forgetAll } = useChangeMemory(agentId)
  const items = found.data?.items ?? []
  return (
    <section className={styles.entries} aria-label={`Memory of ${visible(label)}`}>
      <div className={styles.tools}>
        <TextField
          icon="search"
          type="search"
          value={search}
          onChange={setSearch}
          placeholder="Search this memory"
          aria-label="Search this memory"
        />
        <Button icon="trash-2" onClick={() => setForgetting(true)}>
          Forget all
        </Button>
      </div>
      {found.isPending && <Skeleton height={120} />}
      {found.isError && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && items.length === 0 && <p className={styles.none}>No entry has these words.</p>}
      {items.length > 0 && (
        <ul className={styles.list} aria-label="Entries">
          {items.map((entry) => (
            <MemoryItem key={entry.id} agentId={agentId} entry={entry} />
          ))}
        </ul>
      )}
      {found.data?.next !== undefined && limit < 200 && (
        <div>
          <Button onClick={() => setLimit(200)}>Show more</Button>
        </div>
      )}
      {found.data?.next !== undefined && limit >= 200 && (
        <p className={styles.none}>Search to find older entries.</p>
      )}
      {isForgetting && (
        <RemovalDialog
          title={`Forget all memories of the ${kinds[kind]} “${shortenText(visible(label), 60)}”?`}
          verb="Forget all"
          isPending={forgetAll.isPending}
          error={forgetAll.error}
          onRemove={() => forgetAll.mutate(owner, { onSuccess: () => setForgetting(false) })}
          onClose={() => setForgetting(false)}
        >
          <p>
            {entries === 1 ? '1 entry' : `${count(entries)} entries`} cannot be brought back. The traces of
            earlier runs still show them.
          </p>
        </RemovalDialog>
      )}
    </section>
  )
}
