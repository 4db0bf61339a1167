'use client'
/** The lower part of the agent's card: one pip per step, its instructions, and a row for each port. */
import { Position } from '@xyflow/react'
import { listsPort } from '#components/drawing/fitting-ports'
import { useDrawn, useGraph } from '#components/drawing/graph-context'
import type { Permit } from '#components/drawing/permits'
import { stepsDrawn, wiredInto } from '#components/drawing/wired-into'
import { useRun } from '#components/run/run-context'
import { shownState } from '#components/run/run-store'
import type { GraphNode } from '#lib/spec/graph'
import type { InPort, NodeKind, PortType } from '#lib/spec/kind'
import styles from './agent-face.module.css'
import { Port } from './port'
import type { PortWiring } from './port-wiring'

const mostPips = 20
/** Rows that are shown even when nothing is wired to them. */
const lastingRows = ['model', 'tools']

export function AgentFace({ node, kind, wiring }: { node: GraphNode; kind: NodeKind; wiring: PortWiring }) {
  const instructions = typeof node.config.instructions === 'string' ? node.config.instructions : ''
  const rows = kind.in.filter(
    ({ name, accepts }) => accepts !== 'policy' && (lastingRows.includes(name) || isShown(wiring, name)),
  )
  return (
    <>
      <Pips />
      <div className={styles.say} data-empty={instructions === '' || undefined}>
        {instructions === '' ? 'No instructions yet.' : instructions}
      </div>
      <div className={styles.ports}>
        {rows.map((each) => (
          <PortRow key={each.name} node={node.id} port={each} wiring={wiring} />
        ))}
        {kind.out !== undefined && isShown(wiring, kind.out) && (
          <OutRow node={node.id} type={kind.out} wiring={wiring} />
        )}
      </div>
    </>
  )
}

function isShown({ filled, fitting }: PortWiring, port: string): boolean {
  return listsPort(filled, port) || listsPort(fitting, port)
}

function PortRow({ node, port, wiring }: { node: string; port: InPort; wiring: PortWiring }) {
  const drawn = useGraph((state) => wiredInto(state.history.present, state.catalog, node).get(port.name))
  const offered = useRun((run) => (port.accepts === 'tool' ? offeredIn(shownState(run)?.tools) : undefined))
  const permitted = useDrawn((state) =>
    port.accepts === 'tool' ? permittedIn(state.facts.get(node)?.permit) : undefined,
  )
  const summary = offered ?? permitted ?? drawn
  return (
    <div className={styles.row}>
      <Port
        port={port.name}
        type={port.accepts}
        end="target"
        side={Position.Left}
        isWired={listsPort(wiring.filled, port.name)}
        isFitting={listsPort(wiring.fitting, port.name)}
      />
      <span>{port.name}</span>
      <span className={styles.value} data-none={summary === undefined || undefined}>
        {summary ?? (port.accepts === 'model' ? 'scripted demo, no AI' : 'none')}
      </span>
    </div>
  )
}

/** An output of the agent: its row has the port at the right. */
function OutRow({ node, type, wiring }: { node: string; type: PortType; wiring: PortWiring }) {
  const taker = useGraph((state) => wiredInto(state.history.present, state.catalog, node).get(`${type} out`))
  return (
    <div className={styles.row}>
      <span>{type}</span>
      <span className={styles.value} data-none={taker === undefined || undefined}>
        {taker ?? 'text'}
      </span>
      <Port
        port={type}
        type={type}
        end="source"
        side={Position.Right}
        isWired={listsPort(wiring.filled, type)}
        isFitting={listsPort(wiring.fitting, type)}
      />
    </div>
  )
}

/** Before a run; without policies in the way, the number of tools drawn says the same. */
function permittedIn(permit: Permit | undefined): string | undefined {
  if (permit === undefined || permit.withheld === 0) return undefined
  return `${permit.offered} offered, ${permit.withheld} withheld`
}

function offeredIn(
  tools: { offered: readonly unknown[]; withheld: readonly unknown[] } | undefined,
): string | undefined {
  if (tools === undefined) return undefined
  const offered = `${tools.offered.length} offered`
  return tools.withheld.length === 0 ? offered : `${offered}, ${tools.withheld.length} withheld`
}

interface Steps {
  /** The current step; 0 before a run. */
  readonly step: number
  readonly max: number
  readonly isOver: boolean
}

function useSteps(): Steps {
  const drawn = useGraph((state) => stepsDrawn(state.history.present))
  const step = useRun((run) => shownState(run)?.steps.at(-1)?.number ?? 0)
  const most = useRun((run) => shownState(run)?.steps.at(-1)?.maxSteps)
  const isOver = useRun((run) => shownState(run)?.finishedAt !== undefined)
  return { step, max: most ?? drawn, isOver }
}

function stepsInWords({ step, max, isOver }: Steps): string {
  if (step === 0) return `${max} steps at most`
  return isOver ? `took ${step} of ${max} steps` : `step ${step} of ${max}`
}

/** Line 2 of the agent's card: what it is, and which step it has reached. */
export function AgentCaption({ word, className }: { word: string; className?: string }) {
  const { step, max, isOver } = useSteps()
  const text = `${word}, ${stepsInWords({ step, max, isOver })}`
  return (
    <span className={className} title={text}>
      {text}
    </span>
  )
}

/** One pip per step: done, current or left. When there are too many to fit, a bar replaces them. */
function Pips() {
  const { step, max, isOver } = useSteps()
  const label = step === 0 ? `At most ${max} steps` : `Step ${step} of ${max}`
  if (max > mostPips) {
    return (
      <div className={styles.pips} role="img" aria-label={label} title={label}>
        <i data-done="" style={{ flex: step }} />
        <i style={{ flex: Math.max(0, max - step) }} />
      </div>
    )
  }
  return (
    <div className={styles.pips} role="img" aria-label={label} title={label}>
      {Array.from({ length: max }, (_, at) => at + 1).map((each) => (
        <i
          key={each}
          data-done={each < step || (isOver && each <= step) || undefined}
          data-now={(!isOver && each === step) || undefined}
        />
      ))}
    </div>
  )
}
