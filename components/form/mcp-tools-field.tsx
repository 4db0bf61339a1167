'use client'
/** The tools of an MCP server that an entry offers, each with a tick; what is off says why. */
import { useId, useState } from 'react'
import { useMcpServer } from '#components/data/mcp'
import { strings } from '#components/drawing/describe'
import { Chip, Skeleton } from '#components/ui/bits'
import { Property, TextField } from '#components/ui/field'
import type { JsonValue } from '#lib/spec/json'
import { shortenText } from '#lib/spec/line'
import type { McpToolView } from '#lib/wire/mcp-servers'
import type { ControlProps } from './change'
import { ListField } from './globs-field'
import { isTicked, toggleTick } from './mcp-ticks'
import styles from './mcp-tools-field.module.css'

interface McpToolsProps extends ControlProps {
  readonly server: JsonValue | undefined
}

/** More tools than this get a field to search in. */
const many = 12

/** Until the server has listed its tools, patterns are typed. */
export function McpToolsField({ server, ...control }: McpToolsProps) {
  const { id, label, hint, error, value, onChange } = control
  const name = typeof server === 'string' ? server : ''
  const detail = useMcpServer(name, name !== '')
  const tools = (detail.data?.list ?? []).filter(({ status }) => status !== 'gone')
  const isKnown = tools.length > 0
  return (
    <Property
      label={label}
      htmlFor={isKnown ? undefined : id}
      error={error}
      hint={isKnown ? 'While each has a tick, all tools are offered, also those that come later.' : hint}
    >
      {detail.isLoading ? (
        <Skeleton height={28} />
      ) : isKnown ? (
        <Ticks id={id} label={label} tools={tools} patterns={strings(value)} onChange={onChange} />
      ) : (
        <ListField id={id} label={label} value={value} onChange={onChange} />
      )}
    </Property>
  )
}

interface TicksProps extends Pick<ControlProps, 'id' | 'label' | 'onChange'> {
  readonly tools: readonly McpToolView[]
  readonly patterns: readonly string[]
}

function Ticks({ id, label, tools, patterns, onChange }: TicksProps) {
  const [query, setQuery] = useState('')
  const names = tools.map((each) => each.name)
  const ticked = names.filter((name) => isTicked(patterns, name))
  const shown = tools.filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase()))
  return (
    <div className={styles.ticks}>
      {tools.length > many && (
        <TextField
          icon="search"
          value={query}
          onChange={setQuery}
          aria-label={`Find a tool among ${tools.length}`}
          placeholder={`Find a tool among ${tools.length}`}
        />
      )}
      <ul id={id} className={styles.list} aria-label={label}>
        {shown.map((tool) => (
          <Tick
            key={tool.name}
            tool={tool}
            isOn={ticked.includes(tool.name)}
            // No pattern at all means all tools.
            isFixed={ticked.length === 1 && ticked[0] === tool.name}
            onChange={() => onChange(toggleTick(patterns, names, tool.name))}
          />
        ))}
      </ul>
    </div>
  )
}

interface TickProps {
  readonly tool: McpToolView
  readonly isOn: boolean
  /** It is the last one that is ticked. */
  readonly isFixed: boolean
  onChange(): void
}

function Tick({ tool, isOn, isFixed, onChange }: TickProps) {
  const { name, description, status, reason } = tool
  const id = useId()
  return (
    <li>
      <label htmlFor={id} className={styles.tick} title={shortenText(description, 300)}>
        <input id={id} type="checkbox" checked={isOn} disabled={isFixed} onChange={onChange} />
        <code>{name}</code>
        {status !== 'on' && <Chip tone="line">off</Chip>}
      </label>
      {status !== 'on' && reason !== undefined && <p className={styles.reason}>{reason}</p>}
    </li>
  )
}
