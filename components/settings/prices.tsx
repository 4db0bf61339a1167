'use client'
/** The editable table of model prices; each row is saved when it is left. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { api } from '#components/data/client'
import { Skeleton } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { useLatest } from '#components/ui/use-latest'
import type { PriceRow, SettingsView } from '#lib/wire/settings'
import {
  cellFault,
  draftsOf,
  emptyDraft,
  findDuplicates,
  isBlank,
  type PriceCell,
  type PriceDraft,
  rowOf,
  saveOf,
  type WantedPrice,
  withWanted,
} from './price-draft'
import styles from './prices.module.css'
import settingsStyles from './settings.module.css'

const queryKey = ['settings']

export function Prices({ wanted }: { wanted: WantedPrice | null }) {
  const settings = useQuery({ queryKey, queryFn: ({ signal }) => api.settings(signal) })
  if (settings.isError) {
    return <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />
  }
  if (settings.data === undefined) return <Skeleton height={240} />
  return <Table prices={settings.data.prices} wanted={wanted} />
}

interface TableProps {
  readonly prices: SettingsView['prices']
  readonly wanted: WantedPrice | null
}

function Table({ prices: { rows, edited, asOf }, wanted }: TableProps) {
  const { shown, isEdited, change, commit, remove, restore, removed, reset, saving } = usePriceTable(
    rows,
    wanted,
  )
  const twice = findDuplicates(shown)
  const sheet = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<{ id: number; cell: PriceCell } | null>(() =>
    wanted === null ? null : { id: withWanted(shown, wanted).id, cell: 'input' },
  )
  // The row that was added or asked for is scrolled into view, and takes the focus.
  useEffect(() => {
    if (focused === null) return
    const field = sheet.current?.querySelector<HTMLElement>(
      `[data-row="${focused.id}"] [data-cell="${focused.cell}"] input`,
    )
    field?.focus()
    field?.scrollIntoView({ block: 'center' })
    setFocused(null)
  }, [focused])
  const add = () => {
    const fresh = emptyDraft(shown)
    change([...shown, fresh])
    setFocused({ id: fresh.id, cell: 'model' })
  }
  return (
    <div className={styles.prices}>
      <p className={shared.plain}>
        US dollars for a million tokens.{' '}
        {edited ? 'Changed by you.' : `Built in, as of ${dayOf(asOf)}; check them against your bill.`} A row
        without a provider applies to all of them.
      </p>
      {shown.length === 0 ? (
        <p className={shared.plain}>There are no prices, so runs show tokens and no cost.</p>
      ) : (
        <div ref={sheet} className={styles.sheet} tabIndex={-1}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th>Model</th>
                <th>Provider</th>
                <th>Input</th>
                <th>Output</th>
                <th>Cached</th>
                <th>Cache write</th>
                <th>
                  <span className={shared.unseen}>Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((each) => (
                <Row
                  key={each.id}
                  draft={each}
                  isDoubled={twice.has(each.id)}
                  isEdited={isEdited}
                  onSet={(cell, value) =>
                    change(shown.map((one) => (one.id === each.id ? { ...one, [cell]: value } : one)))
                  }
                  onLeave={commit}
                  onRemove={() => remove(each)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {saving.isError && <ErrorNote error={saving.error} onRetry={commit} />}
      <div className={settingsStyles.buttons}>
        <Button icon="plus" onClick={add}>
          Add a price
        </Button>
        {removed !== null && (
          <Button variant="quiet" icon="undo-2" onClick={restore}>
            Undo removing {removed.draft.model}
          </Button>
        )}
        {edited && (
          <Button variant="quiet" disabled={saving.isPending} onClick={reset}>
            Reset to built-in prices
          </Button>
        )}
        <span className={styles.state} role="status">
          {stateWords(shown, saving)}
        </span>
      </div>
    </div>
  )
}

interface Removed {
  readonly draft: PriceDraft
  readonly index: number
}

/** The rows as they are edited. They are saved when a row is left, removed or brought back. */
function usePriceTable(rows: readonly PriceRow[], wanted: WantedPrice | null) {
  const client = useQueryClient()
  // Null while nothing is edited: the table then shows what is stored.
  const [drafts, setDrafts] = useState<readonly PriceDraft[] | null>(() =>
    wanted === null ? null : withWanted(draftsOf(rows), wanted).drafts,
  )
  const [removed, setRemoved] = useState<Removed | null>(null)
  const saving = useMutation({
    // Saves run one after another, so that the last one wins.
    scope: { id: 'prices' },
    mutationFn: ({ prices }: { prices: PriceRow[] | null; sent?: readonly PriceDraft[] }) =>
      api.saveSettings({ prices }),
    onSuccess: (view, { sent }) => {
      client.setQueryData(queryKey, view)
      // Text typed during the save is kept.
      setDrafts((now) => (now === sent && now?.every((each) => rowOf(each) !== undefined) ? null : now))
    },
  })
  const shown = drafts ?? draftsOf(rows)
  const save = (next: readonly PriceDraft[]) => {
    const found = saveOf(next, rows)
    setDrafts(found?.drafts ?? next)
    if (found !== undefined) saving.mutate({ prices: found.rows, sent: found.drafts })
  }
  const commit = () => {
    if (drafts !== null) save(drafts.filter((each) => !isBlank(each)))
  }
  // The page can be left by a key while a field has the focus.
  const latest = useLatest(commit)
  useEffect(() => () => latest.current(), [])
  return {
    shown,
    isEdited: drafts !== null,
    removed,
    saving,
    commit,
    change: (next: readonly PriceDraft[]) => {
      if (!saving.isPending) saving.reset()
      setDrafts(next)
    },
    remove: (draft: PriceDraft) => {
      setRemoved(draft.stored === undefined ? null : { draft, index: shown.indexOf(draft) })
      save(shown.filter(({ id }) => id !== draft.id))
    },
    restore: () => {
      if (removed === null) return
      setRemoved(null)
      const { id } = emptyDraft(shown)
      save(shown.toSpliced(removed.index, 0, { ...removed.draft, id }))
    },
    reset: () => {
      setDrafts(null)
      setRemoved(null)
      saving.mutate({ prices: null })
    },
  }
}

function stateWords(
  shown: readonly PriceDraft[],
  { isPending, isSuccess }: { isPending: boolean; isSuccess: boolean },
): string {
  if (isPending) return 'Saving…'
  const wrong = shown.filter((each) => !isBlank(each) && rowOf(each) === undefined).length
  if (wrong > 0) return wrong === 1 ? 'One row is not saved yet' : `${wrong} rows are not saved yet`
  return isSuccess ? 'Saved' : ''
}

interface RowProps {
  readonly draft: PriceDraft
  readonly isDoubled: boolean
  readonly isEdited: boolean
  onSet(cell: PriceCell, value: string): void
  /** The focus has left the row, or Enter was pressed in it. */
  onLeave(): void
  onRemove(): void
}

const columns: readonly { readonly cell: PriceCell; readonly label: string; readonly placeholder: string }[] =
  [
    { cell: 'model', label: 'Model', placeholder: 'gpt-5-mini*' },
    { cell: 'provider', label: 'Provider', placeholder: 'any' },
    { cell: 'input', label: 'Input', placeholder: '0' },
    { cell: 'output', label: 'Output', placeholder: '0' },
    { cell: 'cached', label: 'Cached', placeholder: 'as input' },
    { cell: 'cacheWrite', label: 'Cache write', placeholder: 'as input' },
  ]

function Row({ draft, isDoubled, isEdited, onSet, onLeave, onRemove }: RowProps) {
  const told = isEdited ? firstFault(draft, isDoubled) : undefined
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) onLeave()
  }
  const enter = ({ key }: KeyboardEvent) => key === 'Enter' && onLeave()
  return (
    <>
      <tr data-row={draft.id} onBlur={leave}>
        {columns.map(({ cell, label, placeholder }) => (
          <td key={cell} data-cell={cell}>
            <TextField
              value={draft[cell]}
              onChange={(value) => onSet(cell, value)}
              onKeyDown={enter}
              aria-label={`${label} of ${draft.model || 'a new price'}`}
              placeholder={placeholder}
              mono={cell === 'model' || cell === 'provider'}
              inputMode={cell === 'model' || cell === 'provider' ? undefined : 'decimal'}
              invalid={isEdited && draft[cell] !== '' && cellFault(draft, cell) !== undefined}
              autoComplete="off"
              spellCheck={false}
            />
          </td>
        ))}
        <td>
          <IconButton
            icon="trash-2"
            size="s"
            label={`Remove the price of ${draft.model || 'this row'}`}
            onClick={onRemove}
          />
        </td>
      </tr>
      {told !== undefined && (
        <tr>
          <td ref={reveal} colSpan={7} className={styles.fault} role="alert">
            {told}
          </td>
        </tr>
      )}
    </>
  )
}

/** After the last row it would be below the visible area. */
function reveal(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

/** Empty cells of a row that has just been added are not errors yet. */
function firstFault(draft: PriceDraft, isDoubled: boolean): string | undefined {
  const isBegun = columns.some(({ cell }) => draft[cell] !== '')
  if (!isBegun) return undefined
  // Invalid cells are reported before empty ones.
  for (const { cell, label } of columns.toSorted(
    (a, b) => Number(draft[a.cell] === '') - Number(draft[b.cell] === ''),
  )) {
    const fault = cellFault(draft, cell)
    if (fault !== undefined) return `${label}: ${fault}`
  }
  return isDoubled ? 'Another row has the same model and provider, and only one of them counts.' : undefined
}

function dayOf(date: string): string {
  const at = new Date(`${date}T00:00:00`)
  return Number.isNaN(at.getTime())
    ? date
    : at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
}
