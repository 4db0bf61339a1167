'use client'
/** What the check found about the drawing, one a row; a row leads to its node. */
import { Icon } from '#components/ui/icon'
import type { Diagnostic } from '#lib/spec/errors'
import styles from './trace-dock.module.css'

const icons: Record<Diagnostic['severity'], string> = {
  error: 'circle-alert',
  warning: 'triangle-alert',
  info: 'info',
}

export function Problems({
  diagnostics,
  onSelectNode,
}: {
  diagnostics: readonly Diagnostic[]
  onSelectNode(node: string): void
}) {
  if (diagnostics.length === 0) return <p className={styles.empty}>No problems: this agent can run.</p>
  return (
    <ul className={styles.problems}>
      {diagnostics.map(({ severity, code, message, node, path }) => (
        <li key={`${code} ${node ?? ''} ${path ?? ''} ${message}`}>
          <button
            type="button"
            disabled={node === undefined}
            onClick={() => node !== undefined && onSelectNode(node)}
          >
            <span data-severity={severity}>
              <Icon name={icons[severity]} />
            </span>
            <span className={styles.message}>{message}</span>
            <code>{path}</code>
          </button>
        </li>
      ))}
      <li className={styles.empty}>
        Problems never block editing. An error keeps the agent from running until it is mended.
      </li>
    </ul>
  )
}
