'use client'
/** Tools by name, each with its risk; the first few, until a person asks for all. */
import { useState } from 'react'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import type { CatalogTool } from '#lib/spec/catalog'
import styles from './tool-rows.module.css'

const few = 6

export function ToolRows({ tools, label }: { tools: readonly CatalogTool[]; label: string }) {
  const [isAll, setAll] = useState(false)
  // One more row takes no more space than the button that would replace it.
  const shown = isAll || tools.length <= few + 1 ? tools : tools.slice(0, few)
  return (
    <div>
      <ul className={shared.list} aria-label={label}>
        {shown.map((each) => (
          <li key={each.name} className={styles.row} title={each.description}>
            <Icon name={each.icon} size={12} className={styles.icon} />
            <span className={styles.name}>{each.name}</span>
            <span className={styles.risk}>{each.risk}</span>
          </li>
        ))}
      </ul>
      {shown.length < tools.length && (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          {tools.length - shown.length} more
        </button>
      )}
    </div>
  )
}
