'use client'
/** The settings of a new key: its name, what it is for, and its limits. */
import { type FormEvent, type RefObject, useId, useState } from 'react'
import { Button } from '#components/ui/button'
import { Property, Select, TextField } from '#components/ui/field'
import { ErrorNote } from '#components/ui/notice'
import { NumberProperty } from '#components/ui/number-property'
import { Segmented } from '#components/ui/segmented'
import { useFormFocus } from '#components/ui/use-form-focus'
import type { KeyUse } from '#lib/spec/agent-key'
import type { CreateAgentKey } from '#lib/wire/agent-keys'
import styles from './connect.module.css'
import { expiryOf, lifetimes, useLabels } from './key-words'

interface KeyFormProps {
  readonly isBusy: boolean
  readonly error: unknown
  /** Gets the focus back when the form closes. */
  readonly opener: RefObject<HTMLElement | null>
  onMake(body: CreateAgentKey): void
  onClose(): void
}

const hints: Readonly<Record<KeyUse, string>> = {
  mcp: 'For editors and chats that speak MCP: the agent is one tool there.',
  chat: 'For people: a link opens a page on which they talk to the agent.',
  api: 'For programs: they begin runs over HTTP, and read and cancel them.',
}

export function KeyForm({ isBusy, error, opener, onMake, onClose }: KeyFormProps) {
  const id = useId()
  const focus = useFormFocus(opener, onClose)
  const [name, setName] = useState('')
  const [use, setUse] = useState<KeyUse>('mcp')
  const [lifetime, setLifetime] = useState<string>('90')
  const [requestsPerMinute, setRequests] = useState<number | undefined>()
  const [runsPerDay, setRuns] = useState<number | undefined>(100)
  const [usdPerDay, setUsd] = useState<number | undefined>()
  const fault = faultOf({ requestsPerMinute, runsPerDay, usdPerDay })
  const isReady = name.trim() !== '' && fault === undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || isBusy) return
    const expiresAt = expiryOf(lifetime, Date.now())
    onMake({
      name: name.trim(),
      use,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(runsPerDay !== undefined && { runsPerDay }),
      ...(usdPerDay !== undefined && { usdPerDay }),
    })
  }
  return (
    <form {...focus} className={styles.form} aria-label="Make a key" onSubmit={submit}>
      <Property label="Name" htmlFor={`${id}-name`} hint="Who or what uses it.">
        <TextField
          id={`${id}-name`}
          value={name}
          onChange={setName}
          maxLength={80}
          placeholder="Ada’s editor"
          autoComplete="off"
        />
      </Property>
      <Property label="For" hint={hints[use]}>
        <Segmented<KeyUse>
          isField
          label="What the key is for"
          value={use}
          onChange={setUse}
          options={(['mcp', 'chat', 'api'] as const).map((value) => ({ value, label: useLabels[value] }))}
        />
      </Property>
      <Property label="Expires" htmlFor={`${id}-expires`}>
        <Select id={`${id}-expires`} value={lifetime} onChange={setLifetime} options={lifetimes} />
      </Property>
      <NumberProperty
        label="Runs"
        error={fault?.runsPerDay}
        hint="Empty for no limit."
        value={runsPerDay}
        onChange={setRuns}
        min={1}
        unit="a day"
      />
      <NumberProperty
        label="Dollars"
        error={fault?.usdPerDay}
        hint="Empty for no limit. A run that has begun is not cut off."
        value={usdPerDay}
        onChange={setUsd}
        min={0}
        step={0.5}
        placeholder="no limit"
        unit="a day"
      />
      <NumberProperty
        label="Requests"
        error={fault?.requestsPerMinute}
        value={requestsPerMinute}
        onChange={setRequests}
        min={1}
        fallback={120}
        placeholder="120"
        unit="a minute"
      />
      {error !== null && error !== undefined && <ErrorNote error={error} />}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" disabled={!isReady || isBusy}>
          Make key
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

type Limits = Pick<CreateAgentKey, 'requestsPerMinute' | 'runsPerDay' | 'usdPerDay'>

function faultOf({ requestsPerMinute, runsPerDay, usdPerDay }: Limits) {
  const isCount = (value: number | undefined, most: number) =>
    value === undefined || (Number.isInteger(value) && value >= 1 && value <= most)
  if (!isCount(runsPerDay, 1_000_000)) return { runsPerDay: 'This must be a whole number from 1.' }
  if (usdPerDay !== undefined && !(usdPerDay > 0 && usdPerDay <= 1_000_000))
    return { usdPerDay: 'This must be more than 0.' }
  if (!isCount(requestsPerMinute, 6_000))
    return { requestsPerMinute: 'This must be a whole number from 1 to 6,000.' }
  return undefined
}
