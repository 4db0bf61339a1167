'use client'
/** One tool of a draft: what it is, and three ways to look at it: a try, its mock, and what the model reads. */
import { useState } from 'react'
import { toolHref } from '#components/data/trials'
import { spanWords } from '#components/drawing/span-words'
import { useWall } from '#components/drawing/use-wall'
import { useToolMark } from '#components/run/tool-icon'
import { Chip } from '#components/ui/bits'
import { ButtonLink } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { JsonText } from '#components/ui/json-text'
import { Line } from '#components/ui/line'
import shared from '#components/ui/shared.module.css'
import { Tabs } from '#components/ui/tabs'
import type { TrialTool } from '#lib/wire/trials'
import { MockPanel } from './mock-panel'
import { mockSentence } from './mock-words'
import { Reads } from './reads'
import styles from './tool-view.module.css'
import { TryPanel } from './try-panel'

type Side = 'try' | 'mock' | 'reads'

const tabs = [
  { id: 'try', label: 'Try' },
  { id: 'mock', label: 'Mock' },
  { id: 'reads', label: 'What the model reads' },
] as const

interface ToolViewProps {
  readonly agentId: string
  readonly tool: TrialTool
  readonly threadId: string | null
}

export function ToolView({ agentId, tool, threadId }: ToolViewProps) {
  const [side, setSide] = useState<Side>('try')
  const label = tabs.find(({ id }) => id === side)?.label
  return (
    <>
      <ToolHead agentId={agentId} tool={tool} />
      {tool.mock?.on && (
        <p className={styles.mocked}>
          <Icon name="venetian-mask" size={14} />
          <span>
            Mocked in runs of the draft. {mockSentence(tool.mock.mock)} A try here runs the tool itself.
          </span>
        </p>
      )}
      <Tabs
        label="Views of the tool"
        tabs={tool.entry.startsWith('tools/') ? tabs : tabs.filter(({ id }) => id !== 'mock')}
        value={side}
        onChange={(id) => setSide(tabs.find((each) => each.id === id)?.id ?? 'try')}
      />
      <div role="tabpanel" aria-label={label} className={styles.panel}>
        {/* Kept while another tab is open: it holds the arguments, and a try may be under way. */}
        <div hidden={side !== 'try'}>
          <TryPanel agentId={agentId} tool={tool} threadId={threadId} />
        </div>
        {side === 'mock' && <MockPanel agentId={agentId} tool={tool} />}
        {side === 'reads' && <Reads agentId={agentId} tool={tool} />}
      </div>
    </>
  )
}

const effects = { read: 'reads only', idempotent: 'may be repeated', effect: 'acts once' } as const

function ToolHead({ agentId, tool }: { agentId: string; tool: TrialTool }) {
  const mark = useToolMark()({ name: tool.scopeName, source: tool.source })
  const wall = useWall(tool.walled)
  const preset = Object.keys(tool.preset)
  return (
    <header className={styles.head}>
      <span className={styles.back}>
        <ButtonLink href={toolHref(agentId)} size="s" icon="arrow-left">
          All tools
        </ButtonLink>
      </span>
      <h2 className={styles.title} data-family={mark.family}>
        <Icon name={mark.icon} size={16} />
        <Line text={tool.name} />
        {tool.name !== tool.scopeName && <span className={shared.quiet}>own name {tool.scopeName}</span>}
      </h2>
      <div className={styles.facts}>
        <Chip tone={tool.risk === 'read' ? 'plain' : 'line'}>Risk: {tool.risk}</Chip>
        <Chip>{effects[tool.effect]}</Chip>
        <Chip>{spanWords(tool.timeoutSeconds)} at most</Chip>
        {wall !== undefined && (
          <span title={wall.promise}>
            <Chip icon={wall.isNone ? 'shield-alert' : 'shield'} tone={wall.isNone ? 'error' : 'plain'}>
              {wall.name}
            </Chip>
          </span>
        )}
      </div>
      {tool.description !== '' && <p className={styles.about}>{tool.description}</p>}
      {wall?.isNone && (
        <p className={styles.withheld}>
          <Icon name="shield-alert" size={14} />
          <span>
            {wall.promise}{' '}
            <a className={shared.link} href="/settings#sandbox">
              See the walls
            </a>
          </span>
        </p>
      )}
      {tool.withheld !== undefined && (
        <p className={styles.withheld}>
          <Icon name="ban" size={14} />
          <span>The model is not offered this tool: {tool.withheld}. You can still try it.</span>
        </p>
      )}
      {preset.length > 0 && (
        <details className={styles.preset}>
          <summary>
            Set in the drawing, so not asked for here: <code>{preset.join(', ')}</code>
          </summary>
          <JsonText text={JSON.stringify(tool.preset, null, 2)} />
        </details>
      )}
    </header>
  )
}
