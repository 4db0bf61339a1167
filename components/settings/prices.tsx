'use client'
/** The editable table of model prices; answers from now on are priced by it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '#components/data/client'
import { Skeleton } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import type { PriceRow, SettingsView } from '#lib/wire/settings'
import {
  cellFault,
  draftsOf,
  emptyDraft,
  findDuplicates,
  type PriceCell,
  type PriceDraft,
  rowsOfDrafts,
} from './price-draft'
import styles from './prices.module.css'
import settingsStyles from './settings.module.css'

const queryKey = ['settings']

export function Prices() {
  const settings = useQuery({ queryKey, queryFn: ({ signal }) => api.settings(signal) })
  if (settings.isError) {
    return (
      <ErrorNote error={settings.error}>
        <Button size="s" onClick={() => void settings.refetch()}>
          Try again
        </Button>
      </ErrorNote>
    )
  }
  if (settings.data === undefined) return <Skeleton height={240} />
  return <Table prices={settings.data.prices} />
}

function Table({ prices: { rows, edited, asOf } }: { prices: SettingsView['prices'] }) {
  const client = useQueryClient()
  // Null while nothing is edited: the table then shows what is stored.
  const [drafts, setDrafts] = useState<readonly PriceDraft[] | null>(null)
  const saving = useMutation({
    mutationFn: (prices: PriceRow[] | null) => api.saveSettings({ prices }),
    // Text typed during the save is kept.
    onMutate: () => drafts,
    onSuccess: (view, _, sent) => {
      client.setQueryData(queryKey, view)
      setDrafts((now) => (now === sent ? null : now))
    },
  })
  const shown = drafts ?? draftsOf(rows)
  const read = rowsOfDrafts(shown)
  const twice = findDuplicates(shown)
  // A new row is added at the end: it is scrolled into view, and its first cell takes the focus.
  const sheet = useRef<HTMLDivElement>(null)
  const [isAdded, setAdded] = useState(false)
  useEffect(() => {
    if (!isAdded) return
    setAdded(false)
    const fields = sheet.current?.querySelectorAll<HTMLElement>('[data-cell="model"] input')
    fields?.item(fields.length - 1).focus()
  }, [isAdded])
  const add = () => {
    change([...shown, emptyDraft(shown)])
    setAdded(true)
  }
  const change = (next: readonly PriceDraft[]) => {
    if (!saving.isPending) saving.reset()
    setDrafts(next)
  }
  const set = (id: number, cell: PriceCell, value: string) =>
    change(shown.map((each) => (each.id === id ? { ...each, [cell]: value } : each)))
  return (
    <div className={styles.prices}>
      <p className={shared.plain}>
        US dollars for a million tokens.{' '}
        {edited
          ? 'Changed here.'
          : `As the product knew them on ${dayOf(asOf)}; check them against your bill.`}
      </p>
      {shown.length === 0 ? (
        <p className={shared.plain}>No prices: runs then show tokens and no cost.</p>
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
                <th aria-label="Remove" />
              </tr>
            </thead>
            <tbody>
              {shown.map((each) => (
                <Row
                  key={each.id}
                  draft={each}
                  isDoubled={twice.has(each.id)}
                  isTyped={drafts !== null}
                  onSet={set}
                  onRemove={() => change(shown.filter(({ id }) => id !== each.id))}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {saving.isError && <ErrorNote error={saving.error} />}
      <div className={settingsStyles.buttons}>
        <Button icon="plus" onClick={add}>
          Add a price
        </Button>
        {drafts !== null && (
          <>
            <Button
              variant="primary"
              disabled={read === null || saving.isPending}
              onClick={() => read !== null && saving.mutate(read)}
            >
              Save prices
            </Button>
            <Button variant="quiet" onClick={() => setDrafts(null)}>
              Undo changes
            </Button>
          </>
        )}
        {drafts === null && edited && (
          <Button variant="quiet" disabled={saving.isPending} onClick={() => saving.mutate(null)}>
            Take the product’s prices again
          </Button>
        )}
        <span className={styles.state} role="status">
          {stateWords(drafts !== null, read === null, saving)}
        </span>
      </div>
    </div>
  )
}

function stateWords(
  isTyped: boolean,
  isWrong: boolean,
  { isPending, isSuccess }: { isPending: boolean; isSuccess: boolean },
): string {
  if (isPending) return 'Saving…'
  if (isTyped) return isWrong ? 'Not saved: a cell is not right yet' : 'Not saved yet'
  return isSuccess ? 'Saved' : ''
}

interface RowProps {
  readonly draft: PriceDraft
  readonly isDoubled: boolean
  readonly isTyped: boolean
  onSet(id: number, cell: PriceCell, value: string): void
  onRemove(): void
}

const columns: readonly { readonly cell: PriceCell; readonly label: string; readonly placeholder: string }[] =
  [
    { cell: 'model', label: 'Model', placeholder: 'gpt-5-mini*' },
    { cell: 'provider', label: 'Provider', placeholder: 'any' },
    { cell: 'input', label: 'Input', placeholder: '0' },
    { cell: 'output', label: 'Output', placeholder: '0' },
    { cell: 'cached', label: 'Cached', placeholder: 'as input' },
  ]

function Row({ draft, isDoubled, isTyped, onSet, onRemove }: RowProps) {
  const told = isTyped ? firstFault(draft, isDoubled) : undefined
  return (
    <>
      <tr>
        {columns.map(({ cell, label, placeholder }) => (
          <td key={cell} data-cell={cell}>
            <TextField
              value={draft[cell]}
              onChange={(value) => onSet(draft.id, cell, value)}
              aria-label={`${label} of ${draft.model || 'a new price'}`}
              placeholder={placeholder}
              mono={cell === 'model' || cell === 'provider'}
              inputMode={cell === 'model' || cell === 'provider' ? undefined : 'decimal'}
              invalid={isTyped && draft[cell] !== '' && cellFault(draft, cell) !== undefined}
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
          <td ref={reveal} colSpan={6} className={styles.fault} role="alert">
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
  return isDoubled ? 'A row above names the same model: only one of them counts.' : undefined
}

function dayOf(date: string): string {
  const at = new Date(`${date}T00:00:00`)
  return Number.isNaN(at.getTime())
    ? date
    : at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
}
