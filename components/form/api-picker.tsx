'use client'
/** Choosing among the operations of a document, which may be hundreds: a list to search in, with a tick each. */
import { type KeyboardEvent, type UIEvent, useId, useMemo, useState } from 'react'
import { Chip } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { ErrorNote } from '#components/ui/notice'
import { mostOperations } from '#lib/spec/openapi'
import { visible } from '#lib/spec/visible'
import type { OpenapiDocumentDetail, OperationFace } from '#lib/wire/openapi-documents'
import { searchOperations } from './api-operations'
import styles from './api-operations-field.module.css'
import { Method } from './method'
import { WideDialog } from './wide-dialog'

interface PickerProps {
  readonly document: OpenapiDocumentDetail
  readonly chosen: readonly string[]
  readonly isBusy: boolean
  readonly error: unknown
  onChoose(names: readonly string[]): void
  onClose(): void
}

/** Rows rendered at first, and added when a person scrolls to the end. */
const portion = 60

export function ApiPicker({ document, chosen, isBusy, error, onChoose, onClose }: PickerProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(chosen))
  const [query, setQuery] = useState('')
  const [most, setMost] = useState(portion)
  const found = useMemo(() => searchOperations(document.list, query), [document.list, query])
  const isFull = ticked.size >= mostOperations
  const toggle = (name: string) => {
    const next = new Set(ticked)
    if (!next.delete(name)) next.add(name)
    setTicked(next)
  }
  const scroll = ({ currentTarget: list }: UIEvent) => {
    const isNearEnd = list.scrollTop + list.clientHeight > list.scrollHeight - 400
    if (isNearEnd && most < found.length) setMost(most + portion)
  }
  // In the order of the document; what it no longer has stays at the end.
  const names = [
    ...document.list.flatMap(({ name }) => (ticked.has(name) ? [name] : [])),
    ...[...ticked].filter((name) => !document.list.some((each) => each.name === name)),
  ]
  return (
    <WideDialog
      title={`Operations of ${visible(document.title)}`}
      onClose={onClose}
      foot={
        <>
          <span className={styles.count} role="status">
            {ticked.size} chosen{isFull ? ', which is the most that one part may have' : ''}
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={isBusy} onClick={() => onChoose(names)}>
            Use these
          </Button>
        </>
      }
    >
      <div role="group" aria-label="Choose operations" className={styles.picker} onKeyDown={moveFocus}>
        <TextField
          icon="search"
          value={query}
          onChange={(next) => {
            setQuery(next)
            setMost(portion)
          }}
          aria-label={`Find an operation among ${document.list.length}`}
          placeholder={`Find an operation among ${document.list.length}: a name, a path, a tag`}
        />
        <p className={styles.about}>
          The names and descriptions come from the document. A model will read those of the operations that
          you choose.
        </p>
        {error !== null && error !== undefined && <ErrorNote error={error} />}
        {found.length === 0 ? (
          <p className={styles.none}>No operation has these words.</p>
        ) : (
          <ul className={styles.choices} aria-label="Operations" onScroll={scroll}>
            {found.slice(0, most).map((each) => (
              <Choice
                key={each.name}
                operation={each}
                isOn={ticked.has(each.name)}
                isFull={isFull}
                onToggle={() => toggle(each.name)}
              />
            ))}
            {found.length > most && (
              <li className={styles.rest}>
                <Button size="s" onClick={() => setMost(most + portion)}>
                  Show {Math.min(portion, found.length - most)} of {found.length - most} more
                </Button>
              </li>
            )}
          </ul>
        )}
      </div>
    </WideDialog>
  )
}

/** Arrow keys go from one tick to the next, and from the search to the first. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || event.nativeEvent.isComposing) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input:not(:disabled), li button')]
  const at = stops.indexOf(document.activeElement as HTMLElement) // cast: it is one of them or not found
  const next = stops[at + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

interface ChoiceProps {
  readonly operation: OperationFace
  readonly isOn: boolean
  readonly isFull: boolean
  onToggle(): void
}

function Choice({ operation, isOn, isFull, onToggle }: ChoiceProps) {
  const { name, method, path, summary, isDeprecated, problem } = operation
  const id = useId()
  const canTick = isOn || (problem === undefined && !isFull)
  return (
    <li className={styles.choice} data-off={problem !== undefined || undefined}>
      <label htmlFor={id}>
        <input id={id} type="checkbox" checked={isOn} disabled={!canTick} onChange={onToggle} />
        <Method method={method} />
        <span className={styles.texts}>
          <span className={styles.names}>
            <code>{name}</code>
            {isDeprecated && <Chip tone="line">deprecated</Chip>}
            <span className={styles.path}>{visible(path)}</span>
          </span>
          {(problem ?? summary) !== '' && (
            <span className={styles.summary}>{problem ?? visible(summary)}</span>
          )}
        </span>
      </label>
    </li>
  )
}
