'use client'
/**
 * The whole config in a dialog, with one node's part marked and in view; it can be read, searched, copied and
 * downloaded.
 */
import { useMemo, useState } from 'react'
import { useGraph } from '#components/drawing/graph-context'
import { WideDialog } from '#components/form/wide-dialog'
import styles from '#components/form/wide-dialog.module.css'
import { Button } from '#components/ui/button'
import { CodeEditor } from '#components/ui/code-editor'
import { CopyButton } from '#components/ui/copy-button'
import { download } from '#components/ui/download'
import { isObject, tryParseJson } from '#lib/spec/json'
import { useAgentKeys } from './compiles-to'
import { spansOf } from './locate'

export function WholeConfig({ node, onClose }: { node: string | undefined; onClose(): void }) {
  const text = useGraph((state) => state.compiled.text)
  const path = useGraph((state) => (node === undefined ? undefined : state.paths.get(node)))
  const keys = useAgentKeys()
  const [searches, setSearches] = useState(0)
  const marks = useMemo(
    () => (text === null || path === undefined ? [] : spansOf(text, path, keys)),
    [text, path, keys],
  )
  const actions = text !== null && (
    <>
      <Button size="s" icon="search" onClick={() => setSearches((count) => count + 1)}>
        Find
      </Button>
      <CopyButton isWide label="Copy" text={() => text} />
      <Button size="s" icon="download" onClick={() => keep(text)}>
        Download
      </Button>
    </>
  )
  return (
    <WideDialog
      title="The whole config"
      onClose={onClose}
      actions={actions}
      foot={path !== undefined && <p className={styles.hint}>Marked: {path}</p>}
    >
      {text === null ? (
        <p>There is no config yet, because the drawing has errors, listed under Problems.</p>
      ) : (
        <CodeEditor
          label="The whole config"
          language="json"
          value={text}
          readOnly
          fills
          autoFocus
          marks={marks}
          searches={searches}
        />
      )}
    </WideDialog>
  )
}

/** Downloads the text as a file named after the agent. */
function keep(text: string): void {
  const config = tryParseJson(text)
  const name = isObject(config) && typeof config.name === 'string' ? config.name : 'agent'
  download({ name: `${name}.json`, text })
}
