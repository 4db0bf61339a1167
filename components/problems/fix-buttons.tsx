'use client'
/** The fixes for a finding, as buttons; none where only a person can know what is meant. */
import { usePathname } from 'next/navigation'
import { useMemo } from 'react'
import { settingsHref } from '#components/data/settings-href'
import { useGraph } from '#components/drawing/graph-context'
import { Button, ButtonLink } from '#components/ui/button'
import { fixesFor } from '#lib/graph/fixes'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphDocument } from '#lib/spec/graph'
import styles from './fix-buttons.module.css'

export interface FixButtonsProps {
  readonly diagnostic: Diagnostic
  /** The setting that is wrong; shown where one list has the fixes of several settings. */
  readonly of?: string | undefined
  /** Called after a fix: the finding and its buttons disappear, so the focus must move elsewhere. */
  onFixed?(): void
}

/** Something missing on the server is added in its Settings. */
const places: Readonly<Record<string, string>> = {
  key_missing: 'models',
  endpoint_missing: 'models',
  database_missing: 'databases',
  price_unknown: 'prices',
}

/** The model of the drawing, whose price may be wanted. */
function priceOf({ nodes }: GraphDocument): { model: string; provider: string } | undefined {
  const { provider, endpoint, name } = nodes.find(({ kind }) => kind === 'model')?.config ?? {}
  const at = typeof endpoint === 'string' ? endpoint : provider
  return typeof at === 'string' && typeof name === 'string' ? { model: name, provider: at } : undefined
}

export function FixButtons({ diagnostic, of, onFixed }: FixButtonsProps) {
  const path = usePathname()
  const isReadOnly = useGraph((state) => state.isReadOnly)
  const graph = useGraph((state) => state.history.present)
  const catalog = useGraph((state) => state.catalog)
  const edit = useGraph((state) => state.edit)
  const fixes = useMemo(() => fixesFor(diagnostic, graph, catalog), [diagnostic, graph, catalog])
  const place = places[diagnostic.code]
  if (isReadOnly || (fixes.length === 0 && place === undefined)) return null
  return (
    <span className={styles.fixes}>
      {of !== undefined && <span className={styles.of}>{of}:</span>}
      {fixes.map(({ label, apply }) => (
        <Button
          key={label}
          size="s"
          onClick={() => {
            edit(apply)
            onFixed?.()
          }}
        >
          {label}
        </Button>
      ))}
      {place !== undefined && (
        <ButtonLink
          size="s"
          variant="plain"
          href={settingsHref({ back: path, section: place, price: priceOf(graph) })}
          label={`Open Settings, ${place}`}
        >
          Open Settings
        </ButtonLink>
      )}
    </span>
  )
}
