'use client'
/**
 * The outcome of each imported file: accepted, with what this server lacks for it, or refused, with the place
 * and what to do.
 */
import Link from 'next/link'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Spinner } from '#components/ui/bits'
import { Button, ButtonLink, IconButton } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import type { ImportedAgent } from '#lib/wire/agents'
import styles from './import-report.module.css'
import { findingsOf, refusalOf } from './import-words'
import type { ImportItem, Importing } from './use-import'

export function ImportReport({ importing }: { importing: Importing }) {
  const { items, isBusy, batch } = importing
  const place = useRef<HTMLElement>(null)
  const isShown = items.length > 0
  // A file may be dropped while the top of the page is out of view, and while an earlier report is shown.
  useEffect(() => {
    if (batch === 0) return
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [batch])
  if (!isShown) return null
  return (
    <section ref={place} className={styles.report} aria-label="Import" tabIndex={-1}>
      <header>
        <h2 role="status">{summaryOf(items)}</h2>
        {isBusy ? <Spinner /> : <IconButton icon="x" label="Close the report" onClick={importing.clear} />}
      </header>
      <ul>
        {items.map((each) => (
          <Item key={each.key} item={each} importing={importing} />
        ))}
      </ul>
    </section>
  )
}

/** `2 files imported, 1 refused`. */
function summaryOf(items: readonly ImportItem[]): string {
  const count = (state: ImportItem['outcome']['state']) =>
    items.filter((each) => each.outcome.state === state).length
  if (count('busy') > 0) return items.length === 1 ? 'Importing a file' : `Importing ${items.length} files`
  const [done, failed] = [count('done'), count('failed')]
  if (failed === 0) return done === 1 ? '1 agent imported' : `${done} agents imported`
  if (done === 0) return failed === 1 ? 'This file was not imported' : `${failed} files were not imported`
  return `${done} imported, ${failed} not`
}

function Item({ item, importing }: { item: ImportItem; importing: Importing }) {
  const { from, outcome } = item
  switch (outcome.state) {
    case 'busy':
      return (
        <li className={styles.item} data-state="busy">
          <Spinner />
          <p>{from}</p>
        </li>
      )
    case 'done':
      return <Taken from={from} agent={outcome.agent} />
    case 'failed':
      return <Refused item={item} error={outcome.error} importing={importing} />
    default:
      return outcome satisfies never
  }
}

function Taken({ from, agent }: { from: string; agent: ImportedAgent }) {
  const findings = findingsOf(agent)
  return (
    <li className={styles.item} data-state="done">
      <Icon name={findings.length === 0 ? 'circle-check' : 'triangle-alert'} size={14} />
      <div>
        <p>
          <b>{agent.name}</b> <span className={styles.from}>from {from}</span>
        </p>
        {findings.length > 0 && (
          <ul className={styles.findings} aria-label={`What ${agent.name} needs`}>
            {findings.map(({ message, path, settings }) => (
              <li key={`${path} ${message}`}>
                <span>{message}</span> {path !== undefined && <code>{path}</code>}{' '}
                {settings !== undefined && (
                  <Link className={shared.link} href={settings.href}>
                    Add it under {settings.label}
                  </Link>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      <ButtonLink size="s" variant="plain" href={`/agents/${encodeURIComponent(agent.id)}`}>
        Open agent
      </ButtonLink>
    </li>
  )
}

function Refused({ item, error, importing }: { item: ImportItem; error: unknown; importing: Importing }) {
  const { what, places, advice, free } = refusalOf(error, item.text)
  return (
    <li className={styles.item} data-state="failed" role="alert">
      <Icon name="circle-x" size={14} />
      <div>
        <p>
          <b>{item.from}</b>
        </p>
        <p>{what}</p>
        {places.length > 0 && (
          <ul className={styles.findings}>
            {places.map(({ message, path, line }) => (
              <li key={`${path} ${message}`}>
                {message !== undefined && <span>{message} </span>}
                {path !== '' && <code>{path}</code>}
                {path !== '' && line !== undefined && `, line ${line}`}
              </li>
            ))}
          </ul>
        )}
        {advice !== undefined && <p className={styles.from}>{advice}</p>}
        {free !== undefined && <Rename free={free} onName={(name) => importing.again(item, name)} />}
      </div>
      <IconButton
        icon="x"
        size="s"
        label={`Dismiss ${item.from}`}
        onClick={() => importing.forget(item.key)}
      />
    </li>
  )
}

function Rename({ free, onName }: { free: string; onName(name: string): void }) {
  const [name, setName] = useState(free)
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') onName(name.trim())
  }
  return (
    <form className={styles.rename} onSubmit={submit}>
      <label htmlFor={id}>Name</label>
      <TextField id={id} mono value={name} onChange={setName} autoComplete="off" spellCheck={false} />
      <Button type="submit" disabled={name.trim() === ''}>
        Import under another name
      </Button>
    </form>
  )
}
