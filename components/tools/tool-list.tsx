'use client'
/** The tools of an agent, with a search; mocks of tools that no longer exist come last. */
import Link from 'next/link'
import { useEffect, useMemo, useRef, useState } from 'react'
import { toolHref } from '#components/data/trials'
import { useToolMark } from '#components/run/tool-icon'
import { Chip } from '#components/ui/bits'
import { IconButton } from '#components/ui/button'
import { CutName } from '#components/ui/cut-name'
import { TextField } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { ErrorNote } from '#components/ui/notice'
import { SettingsWords } from '#components/ui/settings-words'
import shared from '#components/ui/shared.module.css'
import { kindOfMock } from '#lib/spec/mock'
import type { TrialTool, TrialToolList } from '#lib/wire/trials'
import styles from './tool-list.module.css'
import { useLostMock } from './use-lost-mock'

interface ToolListProps {
  readonly agentId: string
  readonly list: TrialToolList
  readonly chosen: string | null
}

export function ToolList({ agentId, list, chosen }: ToolListProps) {
  const [search, setSearch] = useState('')
  const found = useMemo(() => matching(list.items, search), [list.items, search])
  const nav = useRef<HTMLElement>(null)
  // The chosen tool may be far down in the list, as when the page is opened by its address.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tool is chosen
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView?.({ block: 'nearest' })
  }, [chosen])
  return (
    <nav ref={nav} className={styles.list} aria-label="Tools of the draft">
      {list.items.length > 5 && (
        <TextField
          value={search}
          onChange={setSearch}
          icon="search"
          placeholder="Search tools"
          aria-label="Search tools"
          type="search"
        />
      )}
      {found.length > 0 && (
        <ul className={shared.list}>
          {found.map((each) => (
            <li key={each.name}>
              <ToolRow agentId={agentId} tool={each} isChosen={each.name === chosen} />
            </li>
          ))}
        </ul>
      )}
      {found.length === 0 && list.items.length > 0 && (
        <p className={shared.empty}>No tool matches “{search}”.</p>
      )}
      {list.unavailable.length > 0 && (
        <section aria-label="Not available now">
          <h2 className={styles.heading}>Not available now</h2>
          <ul className={shared.list}>
            {list.unavailable.map(({ name, entry, reason }) => (
              <li key={`${entry} ${name}`} className={styles.unavailable}>
                <b>
                  <Line text={name} />
                </b>
                <span>
                  <SettingsWords text={reason} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {list.lost.length > 0 && (
        <section aria-label="Mocks without a tool">
          <h2 className={styles.heading}>Mocks without a tool</h2>
          <ul className={shared.list}>
            {list.lost.map((each) => (
              <li key={each.tool}>
                <LostRow agentId={agentId} tool={each.tool} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </nav>
  )
}

function matching(items: readonly TrialTool[], search: string): readonly TrialTool[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return items
  return items.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

function ToolRow({ agentId, tool, isChosen }: { agentId: string; tool: TrialTool; isChosen: boolean }) {
  const mark = useToolMark()({ name: tool.scopeName, source: tool.source })
  return (
    <Link
      className={styles.row}
      href={toolHref(agentId, tool.name)}
      aria-current={isChosen ? 'page' : undefined}
      data-family={mark.family}
      scroll={false}
    >
      <Icon name={mark.icon} size={14} />
      <span className={styles.name}>
        <CutName name={tool.name} />
      </span>
      {tool.mock?.on && (
        <Chip tone="line" icon="venetian-mask">
          {kindOfMock(tool.mock.mock)}
        </Chip>
      )}
      {tool.withheld !== undefined && (
        <span className={styles.withheld} title={`Not offered to the model: ${tool.withheld}`}>
          <Icon name="ban" size={12} />
          <span className={shared.unseen}>not offered</span>
        </span>
      )}
      {tool.risk !== 'read' && <span className={styles.risk}>{tool.risk}</span>}
    </Link>
  )
}

function LostRow({ agentId, tool }: { agentId: string; tool: string }) {
  const removal = useLostMock(agentId, tool)
  return (
    <>
      <div className={styles.lost}>
        <Icon name="triangle-alert" size={14} />
        <Link href={toolHref(agentId, tool)} className={styles.name} scroll={false}>
          <CutName name={tool} />
        </Link>
        <IconButton
          icon="trash-2"
          size="s"
          label={`Remove the mock of ${tool}`}
          disabled={removal.isPending}
          onClick={() => removal.mutate()}
        />
      </div>
      {removal.isError && <ErrorNote error={removal.error} />}
    </>
  )
}
