'use client'
/** The head of a node: its name, edited in place, with the node's actions next to it. */
import { type KeyboardEvent, useMemo, useRef } from 'react'
import { useGoTo } from '#components/commands/use-go-to'
import { toolHref } from '#components/data/trials'
import { describeNode } from '#components/drawing/describe'
import { useDrawnAgent } from '#components/drawing/drawn-agent'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { deleteSelection, duplicateSelection } from '#components/drawing/part'
import { nameKey } from '#components/drawing/rename'
import { useToolOf } from '#components/drawing/use-authority'
import { titleGesture, useFollowTitle } from '#components/drawing/use-follow-title'
import { useDryRun } from '#components/run/dry-run-context'
import { Button } from '#components/ui/button'
import type { MenuItem } from '#components/ui/menu'
import { patchConfig, setParked, setTitle } from '#lib/graph/edit'
import type { GraphNode } from '#lib/spec/graph'
import type { NodeKind } from '#lib/spec/kind'
import { usePart } from './compiles-to'
import styles from './inspector.module.css'
import { PanelHead } from './panel-head'

export interface NodeHeadProps {
  readonly node: GraphNode
  readonly kind: NodeKind
  onWhole(): void
  /** Present when a tool of the node can be tried by hand. */
  readonly onTry?: () => void
}

export function NodeHead({ node, kind, onWhole, onTry }: NodeHeadProps) {
  const store = useGraphStore()
  const catalog = useGraph((state) => state.catalog)
  const edit = useGraph((state) => state.edit)
  const isOff = useGraph((state) => state.off.has(node.id))
  const part = usePart(node.id)
  const told = useMemo(() => describeNode(node, catalog), [node, catalog])
  const key = kind.schema.properties?.title === undefined ? nameKey(node, catalog) : 'title'
  const isAgent = kind.place.at === 'root'
  const openDryRun = useDryRun()
  const tool = useToolOf(node.id)
  const agentId = useDrawnAgent()
  const goTo = useGoTo()
  const items: MenuItem[] = [
    { label: 'Show it in the config', icon: 'braces', run: onWhole },
    ...(part === undefined
      ? []
      : [{ label: 'Copy as JSON', icon: 'copy', run: () => void navigator.clipboard?.writeText(part) }]),
    ...(openDryRun === null || tool === undefined
      ? []
      : [{ label: 'Would a call run?', icon: 'shield', run: () => openDryRun({ tool }) }]),
    ...(agentId === null || (!isAgent && kind.out !== 'tool')
      ? []
      : [
          {
            label: isAgent ? 'Try and mock its tools' : 'Its page: try and mock it',
            icon: 'play',
            run: () => goTo(toolHref(agentId, isAgent ? undefined : tool)),
          },
        ]),
    ...(isAgent
      ? []
      : [
          { label: 'Duplicate', icon: 'copy', run: () => duplicateSelection(store) },
          {
            label: isOff ? 'Switch on' : 'Switch off',
            icon: 'power',
            run: () => void edit((graph, parts) => setParked(graph, [node.id], !isOff, parts)),
          },
          { label: 'Delete', icon: 'trash-2', danger: true, run: () => deleteSelection(store) },
        ]),
  ]
  return (
    <PanelHead
      family={told.family}
      icon={told.icon}
      name={key === undefined ? <TitleField node={node} /> : <NameField node={node} keyOf={key} />}
      kind={told.title === kind.label ? told.caption : kindWords(told.caption, kind.label)}
      items={items}
      action={
        onTry !== undefined && (
          <Button size="s" icon="play" onClick={onTry}>
            Try
          </Button>
        )
      }
    />
  )
}

/**
 * Joins the caption's first word and the kind's label, such as "Tool, built-in tools"; for an agent the label
 * is enough.
 */
function kindWords(caption: string, label: string): string {
  const [word] = caption.split(',')
  return word === label || word === undefined ? label : `${word}, ${withSmallStart(label)}`
}

/** The title of a part that has no name among its settings. It is in the drawing alone. */
function TitleField({ node }: { node: GraphNode }) {
  const edit = useGraph((state) => state.edit)
  const catalog = useGraph((state) => state.catalog)
  const { title: _, ...untitled } = node
  return (
    <input
      className={styles.name}
      aria-label="Title on the card"
      title="Title on the card; it does not change the agent"
      value={node.title ?? ''}
      placeholder={describeNode(untitled, catalog).title}
      maxLength={200}
      onKeyDown={leaveOnEnter}
      onChange={({ target }) => edit((graph) => setTitle(graph, node.id, target.value), `${node.id}.title`)}
    />
  )
}

function leaveOnEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.nativeEvent.isComposing) return
  if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur()
}

function NameField({ node, keyOf }: { node: GraphNode; keyOf: 'title' | 'name' }) {
  const edit = useGraph((state) => state.edit)
  const followTitle = useFollowTitle()
  const before = useRef<string>(undefined)
  const value = node.config[keyOf]
  const text = typeof value === 'string' ? value : ''
  return (
    <input
      className={styles.name}
      aria-label={keyOf === 'title' ? 'Title' : 'Name of the part'}
      value={text}
      placeholder={typeof node.config.name === 'string' ? node.config.name : 'Untitled'}
      spellCheck={keyOf === 'title'}
      onKeyDown={leaveOnEnter}
      onFocus={() => {
        before.current = text
      }}
      onBlur={() => {
        if (keyOf === 'title' && before.current !== undefined && before.current !== text)
          void followTitle(node.id, before.current)
      }}
      onChange={({ target }) =>
        edit(
          (graph, catalog) => patchConfig(graph, node.id, { [keyOf]: target.value }, catalog),
          keyOf === 'title' ? titleGesture(node.id) : `${node.id}.name`,
        )
      }
    />
  )
}

/** `Code tool` → `code tool`; a label that begins with an abbreviation stays as it is. */
function withSmallStart(label: string): string {
  return label.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())
}
