'use client'
/** The further filters of the list of runs, in a panel behind a button: model, tool, rating, cost and days. */
import { useEffect, useRef, useState } from 'react'
import { useRunChoices } from '#components/data/runs'
import { Button } from '#components/ui/button'
import { NumberField, Property, Select, Switch, TextField } from '#components/ui/field'
import { Popover } from '#components/ui/popover'
import { chipsOf, feedbackWords, type ListFilter, onlyGiven } from './list-filter'
import styles from './more-filters.module.css'
import type { RunFiltersProps } from './run-filters'

export function MoreFilters({ filter, onChange }: RunFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) panel.current?.querySelector<HTMLElement>('select, input')?.focus()
  }, [isOpen])
  const active = chipsOf(filter).length
  return (
    <>
      <Button
        ref={button}
        icon="funnel"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {active === 0 ? 'More filters' : `More filters, ${active} on`}
      </Button>
      {isOpen && (
        <Popover anchor={button} width={328} onClose={() => setOpen(false)}>
          <div
            ref={panel}
            role="dialog"
            aria-label="More filters"
            className={styles.panel}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.stopPropagation()
              event.preventDefault()
              setOpen(false)
              button.current?.focus()
            }}
          >
            <Fields filter={filter} onChange={onChange} />
          </div>
        </Popover>
      )}
    </>
  )
}

function Fields({ filter, onChange }: RunFiltersProps) {
  const choices = useRunChoices()
  const set = (change: { readonly [K in keyof ListFilter]?: ListFilter[K] | undefined }) =>
    onChange((now) => onlyGiven({ ...now, ...change }))
  const feedback = filter.feedback ?? ''
  return (
    <>
      <Property label="Model" htmlFor="filter-model">
        <Select
          id="filter-model"
          value={filter.model ?? ''}
          onChange={(model) => set({ model: model || undefined })}
          options={optionsOf('Any model', choices.data?.models, filter.model)}
        />
      </Property>
      <Property label="Tool" htmlFor="filter-tool">
        <Select
          id="filter-tool"
          value={filter.tool ?? ''}
          onChange={(tool) => set({ tool: tool || undefined })}
          options={optionsOf('Any tool', choices.data?.tools, filter.tool)}
        />
      </Property>
      <Property label="Rating" htmlFor="filter-rating">
        <Select
          id="filter-rating"
          value={feedback}
          onChange={(value) =>
            set({ feedback: value === 'up' || value === 'down' || value === 'any' ? value : undefined })
          }
          options={[
            { value: '', label: 'Rated or not' },
            ...Object.entries(feedbackWords).map(([value, label]) => ({ value, label })),
          ]}
        />
      </Property>
      <Property label="Cost" wide htmlFor="filter-cost">
        <span className={styles.pair}>
          <NumberField
            id="filter-cost"
            placeholder="0"
            unit="$"
            min={0}
            step={0.01}
            aria-label="Cost from"
            value={filter.costFrom}
            onChange={(costFrom) => set({ costFrom: notNegative(costFrom) })}
          />
          <NumberField
            placeholder="any"
            unit="$"
            min={0}
            step={0.01}
            aria-label="Cost to"
            value={filter.costTo}
            onChange={(costTo) => set({ costTo: notNegative(costTo) })}
          />
        </span>
      </Property>
      <Property label="Asked" wide htmlFor="filter-since">
        <span className={styles.pair}>
          <TextField
            id="filter-since"
            type="date"
            aria-label="Asked from"
            value={filter.since ?? ''}
            onChange={(since) => set({ since: since || undefined })}
          />
          <TextField
            type="date"
            aria-label="Asked to"
            value={filter.until ?? ''}
            onChange={(until) => set({ until: until || undefined })}
          />
        </span>
      </Property>
      <div className={styles.switch}>
        <span>Only runs with failed calls</span>
        <Switch
          label="Only runs with failed calls"
          checked={filter.failed === '1'}
          onChange={(isOn) => set({ failed: isOn ? '1' : undefined })}
        />
      </div>
    </>
  )
}

/** A chosen value that no longer occurs can still be seen and changed. */
function optionsOf(none: string, known: readonly string[] = [], chosen: string | undefined) {
  const all = chosen === undefined || known.includes(chosen) ? known : [...known, chosen]
  return [{ value: '', label: none }, ...all.map((each) => ({ value: each, label: each }))]
}

function notNegative(value: number | undefined): number | undefined {
  return value === undefined || value < 0 ? undefined : value
}
