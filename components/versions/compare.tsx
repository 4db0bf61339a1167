'use client'
/** The difference between two sides: as sentences, or line by line in their JSON. */
import { useMemo, useState } from 'react'
import { plural } from '#components/run/figures'
import { Select } from '#components/ui/field'
import { Segmented } from '#components/ui/segmented'
import { canonicalConfig, writeConfig } from '#lib/graph/canonical'
import { diffConfigs, diffLines } from '#lib/graph/diff'
import type { Catalog } from '#lib/spec/catalog'
import type { JsonObject } from '#lib/spec/json'
import type { VersionView } from '#lib/wire/agents'
import { ChangeList } from './change-list'
import { LineDiff } from './line-diff'
import styles from './versions-dialog.module.css'

/** A version number, the current drawing, or nothing (the state before the first version). */
export type Side = number | 'draft' | 'nothing'

export interface CompareProps {
  readonly versions: readonly VersionView[]
  readonly pair: { readonly from: Side; readonly to: Side }
  onPair(pair: { from: Side; to: Side }): void
  /** Null where there is no config: before the first version, or for a draft with errors. */
  configOf(side: Side): JsonObject | null
  readonly catalog: Catalog
}

type Way = 'words' | 'json'

const ways = [
  { value: 'words', label: 'Changes' },
  { value: 'json', label: 'JSON' },
] as const

export function Compare({ versions, pair: { from, to }, onPair, configOf, catalog }: CompareProps) {
  const [way, setWay] = useState<Way>('words')
  const sides = versions.map(({ version }) => ({ value: String(version), label: `v${version}` }))
  return (
    <>
      <div className={styles.sides}>
        <Select
          aria-label="From"
          value={String(from)}
          onChange={(value) => onPair({ from: readSide(value), to })}
          options={[...sides, { value: 'nothing', label: 'Nothing' }]}
        />
        <span aria-hidden="true">→</span>
        <Select
          aria-label="To"
          value={String(to)}
          onChange={(value) => onPair({ from, to: readSide(value) })}
          options={[{ value: 'draft', label: 'Draft' }, ...sides]}
        />
        <Segmented<Way> label="View" size="s" value={way} options={ways} onChange={setWay} />
      </div>
      <Difference before={configOf(from)} after={configOf(to)} from={from} way={way} catalog={catalog} />
    </>
  )
}

function readSide(value: string): Side {
  return value === 'draft' || value === 'nothing' ? value : Number(value)
}

interface DifferenceProps {
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly from: Side
  readonly way: Way
  readonly catalog: Catalog
}

function Difference({ before, after, from, way, catalog }: DifferenceProps) {
  const changes = useMemo(
    () => (after === null ? [] : diffConfigs(before ?? {}, after, catalog)),
    [before, after, catalog],
  )
  if (after === null)
    return <p className={styles.none}>The drawing has errors, so there is no config to compare.</p>
  if (changes.length === 0) return <p className={styles.none}>Both are the same agent.</p>
  if (way === 'json') return <Lines before={before} after={after} catalog={catalog} />
  return (
    <>
      <p className={styles.count}>
        {plural(changes.length, 'change')}
        {from === 'nothing' && ' to an empty agent'}
      </p>
      <ChangeList changes={changes} />
    </>
  )
}

function Lines({
  before,
  after,
  catalog,
}: Pick<DifferenceProps, 'before' | 'catalog'> & { after: JsonObject }) {
  const lines = useMemo(() => {
    const textOf = (config: JsonObject | null) => (config === null ? '' : behaviourText(config, catalog))
    return diffLines(textOf(before), textOf(after))
  }, [before, after, catalog])
  return <LineDiff lines={lines} label="Difference line by line" />
}

/** Positions on the canvas do not make a different agent. */
function behaviourText({ canvas: _, ...config }: JsonObject, catalog: Catalog): string {
  return writeConfig(canonicalConfig(config, catalog.schema)).trimEnd()
}
