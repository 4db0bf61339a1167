'use client'
/** Find and filter in the trace: the text with its number of matches, and which kinds of rows are shown. */
import { useEffect, useRef } from 'react'
import { useRun } from '#components/run/run-context'
import { IconButton } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { lineOf } from '#lib/spec/line'
import styles from './find-bar.module.css'
import { type Facet, facets } from './trace-search'
import type { TraceLook } from './use-trace-look'

export interface FindBarProps {
  readonly view: TraceLook
  /** How many rows match, and which of them is shown, counted from 1; 0 when none is. */
  readonly found: number
  readonly at: number
  /** Grows when find is requested again while the bar is open: the field takes the focus again. */
  readonly asked: number
  onStep(by: 1 | -1): void
}

export function FindBar({ view, found, at, asked, onStep }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each request
  useEffect(() => field.current?.select(), [asked])
  const { query, setQuery, filter, setFilter, endFinding } = view
  const toggle = (facet: Facet) => {
    const next = new Set(filter.facets)
    if (!next.delete(facet)) next.add(facet)
    setFilter({ ...filter, facets: next })
  }
  return (
    <search className={styles.bar} aria-label="Find in the trace">
      <label className={styles.field}>
        <Icon name="search" size={14} />
        <input
          ref={field}
          value={query}
          placeholder="Find in the trace"
          aria-label="Find in the trace"
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
            else if (event.key === 'Escape') endFinding()
            else return
            event.preventDefault()
            event.stopPropagation()
          }}
        />
        <span role="status" className={styles.found}>
          {query === '' ? '' : found === 0 ? 'none' : `${at === 0 ? '' : `${at} of `}${found}`}
        </span>
      </label>
      <IconButton
        icon="chevron-up"
        label="Previous match"
        size="s"
        disabled={found === 0}
        onClick={() => onStep(-1)}
      />
      <IconButton
        icon="chevron-down"
        label="Next match"
        size="s"
        disabled={found === 0}
        onClick={() => onStep(1)}
      />
      <span className={styles.rule} />
      {facets.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          className={styles.facet}
          aria-pressed={filter.facets.has(id)}
          onClick={() => toggle(id)}
        >
          {label}
        </button>
      ))}
      <ToolChoice tool={filter.tool} onTool={(tool) => setFilter({ ...filter, tool })} />
      <IconButton
        icon="x"
        label="Close find and filter"
        size="s"
        className={styles.close}
        onClick={endFinding}
      />
    </search>
  )
}

const noTools: readonly { readonly name: string }[] = []

function ToolChoice({ tool, onTool }: { tool: string | null; onTool(tool: string | null): void }) {
  const offered = useRun((run) => run.state?.tools?.offered ?? noTools)
  if (offered.length === 0) return null
  return (
    <select
      className={styles.tools}
      aria-label="Tool"
      value={tool ?? ''}
      onChange={(event) => onTool(event.target.value === '' ? null : event.target.value)}
    >
      <option value="">All tools</option>
      {offered.map(({ name }) => (
        <option key={name} value={name}>
          {lineOf(name)}
        </option>
      ))}
    </select>
  )
}
