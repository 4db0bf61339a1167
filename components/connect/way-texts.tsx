'use client'
/** The text to enter in another program, which the person chooses from a list. */
import { useId, useState } from 'react'
import { MarkdownCode } from '#components/ui/markdown-code'
import shared from '#components/ui/shared.module.css'
import { Tabs } from '#components/ui/tabs'
import styles from './connect.module.css'
import type { Way } from './ways'

export function WayTexts({ ways, label }: { ways: readonly Way[]; label: string }) {
  const id = useId()
  const [chosen, setChosen] = useState('')
  const way = ways.find((each) => each.id === chosen) ?? ways[0]
  if (way === undefined) return null
  return (
    <div className={styles.ways}>
      {ways.length > 1 && <Tabs label={label} tabs={ways} value={way.id} onChange={setChosen} />}
      <div
        className={styles.way}
        {...(ways.length > 1 && { role: 'tabpanel', 'aria-label': way.label })}
        id={id}
      >
        <p>{way.where}</p>
        <MarkdownCode text={way.text} language={way.language} />
        {way.note !== undefined && <p className={shared.quiet}>{way.note}</p>}
      </div>
    </div>
  )
}
