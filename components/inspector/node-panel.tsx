'use client'
/** One node: head with its name, what is wrong with it, its settings, what covers it, and what it compiles to. */
import { useMemo } from 'react'
import { describeNode, toolsOf } from '#components/canvas/describe'
import { useGraph, useGraphStore, useKind } from '#components/canvas/graph-context'
import { deleteSelection, duplicateSelection } from '#components/canvas/part'
import { Chip } from '#components/ui/bits'
import { IconButton } from '#components/ui/button'
import { Property, Switch } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { Menu } from '#components/ui/menu'
import { Tile } from '#components/ui/tile'
import { patchConfig, setParked } from '#lib/graph/edit'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphNode } from '#lib/spec/graph'
import type { NodeKind } from '#lib/spec/kind'
import { CompilesTo } from './compiles-to'
import { fieldsOf, findingOf } from './fields'
import { Form } from './form'
import styles from './inspector.module.css'
import { PoliciesOver } from './policies-over'

const noFindings: readonly Diagnostic[] = []

export function NodePanel({ node }: { node: GraphNode }) {
  const kind = useKind(node.kind)
  const findings = useGraph((state) => state.findings.get(node.id)) ?? noFindings
  const entry = useGraph((state) => state.paths.get(node.id))
  if (kind === undefined) return <Unknown node={node} />
  // An error about one setting stands under that setting.
  const keys = fieldsOf(kind.schema, node.config).map((each) => each.key)
  const loose = findings.filter(
    (each) => each.severity !== 'error' || !keys.some((key) => findingOf([each], key, entry) !== undefined),
  )
  return (
    <>
      <Head node={node} kind={kind} />
      <Findings findings={loose} />
      <About node={node} kind={kind} />
      <section className={styles.section} aria-label="Settings">
        <Form node={node} kind={kind} findings={findings} />
        {kind.place.at !== 'root' && <OnOff node={node} />}
      </section>
      {kind.scope !== undefined && <PoliciesOver node={node} />}
      <CompilesTo node={node.id} />
    </>
  )
}

function Head({ node, kind }: { node: GraphNode; kind: NodeKind }) {
  const store = useGraphStore()
  const catalog = useGraph((state) => state.catalog)
  const told = useMemo(() => describeNode(node, catalog), [node, catalog])
  const isAgent = kind.place.at === 'root'
  const close = () => store.getState().select({})
  const items = isAgent
    ? []
    : [
        { label: 'Duplicate', icon: 'copy', run: () => duplicateSelection(store) },
        { label: 'Delete', icon: 'trash-2', danger: true, run: () => deleteSelection(store) },
      ]
  return (
    <header className={styles.head}>
      <Tile family={told.family} icon={told.icon} />
      <div className={styles.title}>
        {kind.schema.properties?.title === undefined ? (
          <span className={styles.name} title={told.title}>
            {told.title}
          </span>
        ) : (
          <TitleField node={node} />
        )}
        <span className={styles.kind}>{told.title === kind.label ? told.caption : kind.label}</span>
      </div>
      {items.length > 0 && <Menu label="More" items={items} />}
      <IconButton icon="x" label="Close" onClick={close} />
    </header>
  )
}

/** A part that calls itself by a title is renamed where its name stands. */
function TitleField({ node }: { node: GraphNode }) {
  const edit = useGraph((state) => state.edit)
  const title = typeof node.config.title === 'string' ? node.config.title : ''
  return (
    <input
      className={styles.name}
      aria-label="Title"
      value={title}
      placeholder={typeof node.config.name === 'string' ? node.config.name : 'Untitled'}
      onChange={(event) =>
        edit(
          (graph, catalog) => patchConfig(graph, node.id, { title: event.target.value }, catalog),
          `${node.id}.title`,
        )
      }
    />
  )
}

const findingIcons = { error: 'circle-alert', warning: 'triangle-alert', info: 'info' } as const

function Findings({ findings }: { findings: readonly Diagnostic[] }) {
  return findings.map((each) => (
    <p
      key={`${each.code} ${each.path} ${each.message}`}
      className={styles.finding}
      data-severity={each.severity}
    >
      <Icon name={findingIcons[each.severity]} size={14} />
      {each.message}
    </p>
  ))
}

function About({ node, kind }: { node: GraphNode; kind: NodeKind }) {
  const catalog = useGraph((state) => state.catalog)
  const tools = useMemo(() => toolsOf(node, kind, catalog), [node, kind, catalog])
  const [only] = tools
  if (tools.length === 1 && only !== undefined) {
    return (
      <section className={styles.section}>
        {only.description}
        <div className={styles.chips}>
          <Chip>Risk: {only.risk}</Chip>
          <Chip>Effect: {only.effect}</Chip>
          <Chip>Time limit: {only.timeoutSeconds} s</Chip>
        </div>
      </section>
    )
  }
  return <section className={styles.section}>{kind.help}</section>
}

/** Switched off, a part stays in the drawing and in the file, but is no part of the agent. */
function OnOff({ node }: { node: GraphNode }) {
  const isOff = useGraph((state) => state.off.has(node.id))
  const edit = useGraph((state) => state.edit)
  return (
    <div style={{ marginTop: 8 }}>
      <Property label="In use">
        <div className={styles.switchRow}>
          <Switch
            checked={!isOff}
            label="In use"
            onChange={(isOn) => edit((graph, catalog) => setParked(graph, [node.id], !isOn, catalog))}
          />
          {isOff ? 'off: kept, but no part of the agent' : 'on'}
        </div>
      </Property>
    </div>
  )
}

function Unknown({ node }: { node: GraphNode }) {
  const store = useGraphStore()
  return (
    <>
      <header className={styles.head}>
        <Tile family="note" icon="box" />
        <div className={styles.title}>
          <span className={styles.name}>{node.kind}</span>
          <span className={styles.kind}>Not known here</span>
        </div>
        <Menu
          label="More"
          items={[{ label: 'Delete', icon: 'trash-2', danger: true, run: () => deleteSelection(store) }]}
        />
        <IconButton icon="x" label="Close" onClick={() => store.getState().select({})} />
      </header>
      <section className={styles.section}>
        This server has no such part. Its settings are kept as they are, and go along when the agent is
        exported.
      </section>
      <CompilesTo node={node.id} />
    </>
  )
}
