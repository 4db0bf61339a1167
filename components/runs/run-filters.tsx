'use client'
/** The filters of a list of runs that are always in sight: words, agent and status. */
import { useEffect, useRef, useState } from 'react'
import { useAgents } from '#components/data/agents'
import { Select, TextField } from '#components/ui/field'
import { useLatest } from '#components/ui/use-latest'
import { runStatus } from '#lib/spec/event'
import { type ListFilter, onlyGiven, statusOptions } from './list-filter'

export interface RunFiltersProps {
  readonly filter: ListFilter
  /** Takes a function of the current filter, because the rendered one may be slightly out of date. */
  onChange(change: (now: ListFilter) => ListFilter): void
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
        onChange={(agent) => onChange((now) => onlyGiven({ ...now, agent: agent || undefined }))}
        options={[
          { value: '', label: 'All agents' },
          ...known,
          ...(isUnknown ? [{ value: filter.agent ?? '', label: 'A deleted agent' }] : []),
        ]}
      />
      <Select
        aria-label="Status"
        value={filter.status ?? ''}
        onChange={(status) =>
          onChange((now) => onlyGiven({ ...now, status: runStatus.options.find((each) => each === status) }))
        }
        options={[{ value: '', label: 'Any status' }, ...statusOptions]}
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
  const reported = useRef([shown])
  const latest = useLatest(onChange)
  useEffect(() => {
    const at = reported.current.lastIndexOf(shown)
    if (at >= 0) {
      reported.current = reported.current.slice(at)
      return
    }
    // Cleared or changed elsewhere, for example by "Clear the filters".
    reported.current = [shown]
    setText(shown)
  }, [shown])
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === reported.current.at(-1)) return
    const timer = setTimeout(() => {
      reported.current.push(wanted)
      latest.current((now) => onlyGiven({ ...now, search: wanted || undefined }))
    }, typingRest)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextField
      type="search"
      icon="search"
      aria-label="Search in runs"
      placeholder="Question, answer, error or tool"
      maxLength={200}
      value={text}
      onChange={setText}
    />
  )
}
