'use client'
/** The further filters of the list of runs, model, tool, rating, cost and days. */
import { useId } from 'react'
import { useRunChoices } from '#components/data/runs'
import { Button } from '#components/ui/button'
import { NumberField, Property, Select, Switch, TextField } from '#components/ui/field'
import { DayChoices } from './day-choices'
import { FilterMenu } from './filter-menu'
import { chipsOf, feedbackWords, type ListFilter, onlyGiven } from './list-filter'
import styles from './more-filters.module.css'
import type { RunFiltersProps } from './run-filters'

export function MoreFilters({ filter, onChange }: RunFiltersProps) {
  const active = chipsOf(filter).length
  return (
    <FilterMenu
      label="More filters"
      button={(opener) => (
        <Button icon="funnel" {...opener}>
          {active === 0 ? 'More filters' : `More filters, ${active} on`}
        </Button>
      )}
    >
      <MoreFields filter={filter} onChange={onChange} />
    </FilterMenu>
  )
}

export function MoreFields({ filter, onChange }: RunFiltersProps) {
  const choices = useRunChoices()
  const set = (change: { readonly [K in keyof ListFilter]?: ListFilter[K] | undefined }) =>
    onChange((now) => onlyGiven({ ...now, ...change }))
  return (
    <>
      <Choice
        label="Model"
        none="Any model"
        value={filter.model}
        options={withChosen(choices.data?.models, filter.model)}
        onChange={(model) => set({ model })}
      />
      <Choice
        label="Tool"
        none="Any tool"
        value={filter.tool}
        options={withChosen(choices.data?.tools, filter.tool)}
        onChange={(tool) => set({ tool })}
      />
      <Choice
        label="Rating"
        none="Rated or not"
        value={filter.feedback}
        options={ratings}
        onChange={(feedback) => set({ feedback: ratings.find((each) => each.value === feedback)?.value })}
      />
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
      <Property label="Started" wide htmlFor="filter-since">
        <DayChoices since={filter.since} until={filter.until} onChoose={set} />
        <span className={styles.pair}>
          <TextField
            id="filter-since"
            type="date"
            aria-label="Started from"
            value={filter.since ?? ''}
            onChange={(since) => set({ since: since || undefined })}
          />
          <TextField
            type="date"
            aria-label="Started to"
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

const ratings = (['any', 'up', 'down'] as const).map((value) => ({ value, label: feedbackWords[value] }))

interface ChoiceProps {
  readonly label: string
  /** The words for no choice. */
  readonly none: string
  readonly value: string | undefined
  readonly options: readonly { readonly value: string; readonly label: string }[]
  onChange(value: string | undefined): void
}

function Choice({ label, none, value, options, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <Property label={label} htmlFor={id}>
      <Select
        id={id}
        value={value ?? ''}
        onChange={(chosen) => onChange(chosen || undefined)}
        options={[{ value: '', label: none }, ...options]}
      />
    </Property>
  )
}

/** A chosen value that no longer occurs can still be seen and changed. */
function withChosen(known: readonly string[] = [], chosen: string | undefined) {
  const all = chosen === undefined || known.includes(chosen) ? known : [...known, chosen]
  return all.map((each) => ({ value: each, label: each }))
}

function notNegative(value: number | undefined): number | undefined {
  return value === undefined || value < 0 ? undefined : value
}
