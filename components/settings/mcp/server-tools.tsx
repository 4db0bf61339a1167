'use client'
/** The tools of an MCP server: what is offered, what changed since it was accepted, and the decision about it. */
import { useId, useState } from 'react'
import { useMcpDecision } from '#components/data/mcp'
import { Chip } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { JsonText } from '#components/ui/json-text'
import { LongText } from '#components/ui/long-text'
import { ErrorNote } from '#components/ui/notice'
import { shortenText } from '#lib/spec/line'
import type { McpServerDetail, McpToolView } from '#lib/wire/mcp-servers'
import styles from '../settings.module.css'
import own from './mcp.module.css'
import { toolStatusWords } from './mcp-words'
import { ToolDiff } from './tool-diff'

/** More tools than this get a field to search in. */
const many = 12
/** Rows drawn before a person asks for more. */
const firstRows = 60

const waits = (tool: McpToolView) => tool.status === 'changed' || tool.status === 'added'

export function ServerTools({ server }: { server: McpServerDetail }) {
  const { list, unusable, lastSeenAt } = server
  const [query, setQuery] = useState('')
  const [isWhole, setWhole] = useState(false)
  const decision = useMcpDecision(server.name)
  const waiting = list.filter(waits)
  const wanted = query.trim().toLowerCase()
  // What waits for a decision comes first.
  const found = [...waiting, ...list.filter((each) => !waits(each))].filter((each) =>
    each.name.toLowerCase().includes(wanted),
  )
  const shown = isWhole ? found : found.slice(0, firstRows)
  const decide = (tools: readonly McpToolView[], isAccepted: boolean) => {
    const decided = tools.map(({ hash }) => hash)
    decision.mutate(isAccepted ? { accept: decided, refuse: [] } : { accept: [], refuse: decided })
  }
  if (list.length + unusable.length === 0)
    return (
      <p className={styles.quiet}>
        {lastSeenAt === null ? 'Its tools are known after the first test.' : 'It lists no tools.'}
      </p>
    )
  return (
    <section className={own.tools} aria-label="Tools">
      <header className={own.toolsHead}>
        <h3>Tools</h3>
        {list.length > many && (
          <TextField
            icon="search"
            value={query}
            onChange={setQuery}
            aria-label="Find a tool"
            placeholder="Find a tool"
          />
        )}
        {waiting.length > 1 && (
          <Button size="s" disabled={decision.isPending} onClick={() => decide(waiting, true)}>
            Accept all {waiting.length}
          </Button>
        )}
      </header>
      {decision.isError && <ErrorNote error={decision.error} />}
      <ul className={own.toolList}>
        {shown.map((each) => (
          <Tool
            key={each.name}
            tool={each}
            isBusy={decision.isPending}
            onDecide={(isAccepted) => decide([each], isAccepted)}
          />
        ))}
      </ul>
      {found.length === 0 && <p className={styles.quiet}>No tool has “{query}” in its name.</p>}
      {found.length > shown.length && (
        <Button size="s" onClick={() => setWhole(true)}>
          Show {found.length - shown.length} more
        </Button>
      )}
      {unusable.length > 0 && <UnusableTools tools={unusable} />}
    </section>
  )
}

/** Tools that no agent can use. Nothing can be decided about them here: their server has to change. */
function UnusableTools({ tools }: { tools: McpServerDetail['unusable'] }) {
  const id = useId()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? tools : tools.slice(0, firstRows)
  return (
    <>
      <h3 id={id} className={own.unusableHead}>
        Cannot be used
      </h3>
      <ul className={own.toolList} aria-labelledby={id}>
        {shown.map(({ name, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a server may give several tools one name
          <li key={index} className={own.tool} data-status="unusable">
            <div className={own.unusable}>
              {name !== '*' && <code>{name}</code>}
              <span>{reason}</span>
            </div>
          </li>
        ))}
      </ul>
      {tools.length > shown.length && (
        <Button size="s" onClick={() => setWhole(true)}>
          Show {tools.length - shown.length} more that cannot be used
        </Button>
      )}
    </>
  )
}

interface ToolProps {
  readonly tool: McpToolView
  readonly isBusy: boolean
  onDecide(isAccepted: boolean): void
}

function Tool({ tool, isBusy, onDecide }: ToolProps) {
  const { name, status, description } = tool
  const id = useId()
  const [isOpen, setOpen] = useState(waits(tool))
  const words = toolStatusWords[status]
  return (
    <li className={own.tool} data-status={status}>
      <button
        type="button"
        className={own.toolHead}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
        <code>{name}</code>
        <span className={own.brief}>{isOpen ? '' : shortenText(description, 160)}</span>
        {status !== 'on' && <Chip tone={words.tone}>{words.word}</Chip>}
      </button>
      {isOpen && (
        <div id={id} className={own.toolBody}>
          <ToolTexts tool={tool} />
          <Decision tool={tool} isBusy={isBusy} onDecide={onDecide} />
        </div>
      )}
    </li>
  )
}

/** Said here, where the decision is made, in place of the reason that runs give. */
const reasonWords: Partial<Record<McpToolView['status'], string>> = {
  changed: 'It has changed since you accepted it, and is off until you accept it again.',
  added: 'The server has added it since you confirmed its tools. It is off until you accept it.',
  refused: 'You have turned it off.',
}

/** The texts are the server's own: data, and nothing that anybody has to follow. */
function ToolTexts({ tool }: { tool: McpToolView }) {
  const { title, description, parameters, outputSchema, annotations, before, reason, status } = tool
  return (
    <>
      {reason !== undefined && <p className={own.reason}>{reasonWords[status] ?? reason}</p>}
      {before !== undefined ? (
        <ToolDiff before={before} after={tool} />
      ) : (
        <>
          {title !== undefined && title !== tool.name && <p>{title}</p>}
          {description !== '' && (
            <LongText text={description} className={own.prose} showsMarks first={2_000} />
          )}
          <JsonText text={JSON.stringify(parameters, null, 2)} />
          <More label="Result" value={outputSchema} />
          <More label="What the server says of its effects; it lowers no risk" value={annotations} />
        </>
      )}
    </>
  )
}

function More({ label, value }: { label: string; value: Readonly<Record<string, unknown>> | undefined }) {
  if (value === undefined || Object.keys(value).length === 0) return null
  return (
    <details className={styles.more}>
      <summary>{label}</summary>
      <JsonText text={JSON.stringify(value, null, 2)} />
    </details>
  )
}

function Decision({ tool: { name, status }, isBusy, onDecide }: ToolProps) {
  if (status === 'gone') return null
  const isOn = status === 'on'
  return (
    <div className={styles.buttons}>
      {!isOn && (
        <Button
          size="s"
          disabled={isBusy}
          aria-label={status === 'refused' ? `Turn on ${name}` : `Accept ${name}`}
          onClick={() => onDecide(true)}
        >
          {status === 'refused' ? 'Turn on' : 'Accept'}
        </Button>
      )}
      {status !== 'refused' && (
        <Button
          size="s"
          variant={isOn ? 'quiet' : 'plain'}
          disabled={isBusy}
          aria-label={isOn ? `Turn off ${name}` : `Keep ${name} off`}
          onClick={() => onDecide(false)}
        >
          {isOn ? 'Turn off' : 'Keep off'}
        </Button>
      )}
    </div>
  )
}
