'use client'
/**
 * The exact JSON that a node compiles to, with its path; a click on the path opens the whole config there.
 */
import { useMemo } from 'react'
import { partAt } from '#components/drawing/compiled'
import { useGraph } from '#components/drawing/graph-context'
import { CodeEditor } from '#components/ui/code-editor'
import { CopyButton } from '#components/ui/copy-button'
import { JsonText } from '#components/ui/json-text'
import shared from '#components/ui/shared.module.css'
import styles from './compiles-to.module.css'
import inspector from './inspector.module.css'

/** Characters. A longer part is shown in the editor, which renders only what is in view. */
const long = 12_000

/** The part of the config that a node compiles to; undefined when there is none. */
export function usePart(node: string): string | undefined {
  const text = useGraph((state) => state.compiled.text)
  const path = useGraph((state) => state.paths.get(node))
  const keys = useAgentKeys()
  return useMemo(() => {
    if (text === null || path === undefined) return undefined
    const part = partAt(text, path, keys)
    return part === undefined ? undefined : JSON.stringify(part, null, 2)
  }, [text, path, keys])
}

export function useAgentKeys(): readonly string[] {
  const kinds = useGraph((state) => state.catalog.kinds)
  return useMemo(() => {
    const agent = kinds.find((each) => each.place.at === 'root')
    return Object.keys(agent?.schema.properties ?? {})
  }, [kinds])
}

export function CompilesTo({ node, onWhole }: { node: string; onWhole(): void }) {
  const hasConfig = useGraph((state) => state.compiled.text !== null)
  const path = useGraph((state) => state.paths.get(node))
  const part = usePart(node)
  return (
    <section className={inspector.section} aria-label="Compiles to">
      <h3 className={inspector.heading}>
        Compiles to
        {path !== undefined && hasConfig && (
          <button type="button" className={styles.where} title="Open the whole config here" onClick={onWhole}>
            {path}
          </button>
        )}
        {part !== undefined && <CopyButton label="Copy this part" text={() => part} />}
      </h3>
      {!hasConfig && (
        <p className={shared.quiet}>Nothing yet, because the drawing has errors, listed under Problems.</p>
      )}
      {hasConfig && part === undefined && (
        <p className={shared.quiet}>Nothing: it has no place in the config.</p>
      )}
      {part !== undefined && part.length <= long && <JsonText text={part} />}
      {part !== undefined && part.length > long && (
        <CodeEditor label="What it compiles to" language="json" value={part} readOnly maxLines={18} />
      )}
    </section>
  )
}
