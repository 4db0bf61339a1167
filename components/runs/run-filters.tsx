'use client'
/** The filters of the list of runs: text of the question, agent and status. */
import { useEffect, useRef, useState } from 'react'
import { useAgents } from '#components/data/agents'
import type { RunListFilter } from '#components/data/runs'
import { statusWords } from '#components/run/status-words'
import { Select, TextField } from '#components/ui/field'
import { type RunStatus, runStatus } from '#lib/spec/event'

export interface RunFiltersProps {
  readonly filter: RunListFilter
  /** Takes a function of the current filter, because the rendered one may be slightly out of date. */
  onChange(change: (now: RunListFilter) => RunListFilter): void
}

export function isFiltered({ agent, status, search }: RunListFilter): boolean {
  return agent !== undefined || status !== undefined || search !== undefined
}

export function RunFilters({ filter, onChange }: RunFiltersProps) {
  const agents = useAgents()
  const known = (agents.data?.items ?? []).map(({ id, name, title }) => ({ value: id, label: title || name }))
  const isUnknown =
    agents.data !== undefined &&
    filter.agent !== undefined &&
    !known.some((each) => each.value === filter.agent)
  return (
    <>
      <SearchField filter={filter} onChange={onChange} />
      <Select
        aria-label="Agent"
        value={filter.agent ?? ''}
        onChange={(agent) => onChange((now) => without({ ...now, agent: agent || undefined }))}
        options={[
          { value: '', label: 'All agents' },
          ...known,
          ...(isUnknown ? [{ value: filter.agent ?? '', label: 'A deleted agent' }] : []),
        ]}
      />
      <Select
        aria-label="Status"
        value={filter.status ?? ''}
        onChange={(status) => onChange((now) => without({ ...now, status: readStatus(status) }))}
        options={[
          { value: '', label: 'Any status' },
          ...runStatus.options.map((each) => ({ value: each, label: statusWords[each].word })),
        ]}
      />
    </>
  )
}

/** Milliseconds without a key press before the server is asked. */
const typingRest = 200

/** The typed text appears at once; the list is updated when typing pauses. */
function SearchField({ filter, onChange }: RunFiltersProps) {
  const shown = filter.search ?? ''
  const [text, setText] = useState(shown)
  // Texts reported from here, oldest first: the rendered filter catches up with them a moment later.
  const told = useRef([shown])
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    const at = told.current.lastIndexOf(shown)
    if (at >= 0) {
      told.current = told.current.slice(at)
      return
    }
    // Cleared or changed elsewhere, for example by "Show all runs".
    told.current = [shown]
    setText(shown)
  }, [shown])
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === told.current.at(-1)) return
    const timer = setTimeout(() => {
      told.current.push(wanted)
      latest.current((now) => without({ ...now, search: wanted || undefined }))
    }, typingRest)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextField
      type="search"
      icon="search"
      aria-label="Search in questions"
      placeholder="Search in questions"
      maxLength={200}
      value={text}
      onChange={setText}
    />
  )
}

export function readStatus(value: string | null): RunStatus | undefined {
  return runStatus.options.find((each) => each === value)
}

/** Empty filters are left out, because they would give the same query another cache key. */
function without({ agent, status, search }: RunListFilter): RunListFilter {
  return {
    ...(agent !== undefined && { agent }),
    ...(status !== undefined && { status }),
    ...(search !== undefined && { search }),
  }
}
