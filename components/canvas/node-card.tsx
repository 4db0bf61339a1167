'use client'
/** The one card for every kind of node: tile, name, what it is, its state, its ports. */
import { type NodeProps, Position, useUpdateNodeInternals } from '@xyflow/react'
import { memo, useEffect, useRef } from 'react'
import { useNodeStatus } from '#components/trace/node-status'
import { Tile } from '#components/ui/tile'
import type { NodeKind } from '#lib/spec/kind'
import { AgentFace } from './agent-face'
import { type CardState, cardState } from './card-state'
import { CardStrap, StateSlot } from './card-status'
import { worst } from './compiled'
import { describeNode } from './describe'
import type { CardNode } from './flow'
import { useGraph, useKind } from './graph-context'
import styles from './node-card.module.css'
import { Port } from './port'

export const NodeCard = memo(function NodeCard({ id, data, selected }: NodeProps<CardNode>) {
  const { node } = data
  const catalog = useGraph((state) => state.catalog)
  const kind = useKind(node.kind)
  const isAgent = kind?.place.at === 'root'
  const state = useCardState(id, isAgent)
  const isDim = useGraph((each) => each.wiring !== null && !each.wiring.nodes.has(id))
  const told = describeNode(node, catalog)
  return (
    <div
      className={styles.card}
      data-family={told.family}
      data-agent={isAgent || undefined}
      data-state={state.name}
      data-strap={state.strap === undefined ? undefined : ''}
      data-selected={selected || undefined}
      data-dim={isDim || undefined}
    >
      <div className={styles.face}>
        <Tile family={told.family} icon={told.icon} />
        <div className={styles.text}>
          <div className={styles.name} title={told.title}>
            {told.title}
          </div>
          <div className={styles.line}>
            <span className={styles.caption} title={told.caption}>
              {told.caption}
            </span>
            <StateSlot state={state} />
          </div>
        </div>
      </div>
      {isAgent && kind !== undefined && <AgentFace node={node} kind={kind} />}
      <CardStrap state={state} />
      {kind !== undefined && <CardPorts id={id} kind={kind} isAgent={isAgent} />}
    </div>
  )
})

function useCardState(id: string, isAgent: boolean): CardState {
  const path = useGraph((state) => state.paths.get(id))
  const isOff = useGraph((state) => state.off.has(id))
  const isLoose = useGraph((state) => !isAgent && !state.isReadOnly && !state.wiredNodes.has(id))
  const finding = useGraph((state) => worst(state.findings.get(id)))
  const status = useNodeStatus(path)
  return cardState({ status, finding, isOff, isLoose })
}

/** A policy hangs above the agent it covers, and stands left of a tool entry it covers. */
function CardPorts({ id, kind, isAgent }: { id: string; kind: NodeKind; isAgent: boolean }) {
  const isAbove = useGraph((state) => kind.out === 'policy' && state.coversAgent.has(id))
  const update = useUpdateNodeInternals()
  const told = useRef(isAbove)
  // The library measures ports when a card comes or changes its size; of one that moves to another side it must be told.
  useEffect(() => {
    if (told.current === isAbove) return
    told.current = isAbove
    update(id)
  }, [id, isAbove, update])
  const sides = isAgent ? kind.in.filter((each) => each.accepts === 'policy') : kind.in
  return (
    <>
      {sides.map((each) => (
        <Port
          key={each.name}
          node={id}
          port={each.name}
          type={each.accepts}
          end="target"
          side={isAgent ? Position.Top : Position.Left}
          isShy={!isAgent}
        />
      ))}
      {kind.out !== undefined && (
        <Port
          node={id}
          port={kind.out}
          type={kind.out}
          end="source"
          side={isAbove ? Position.Bottom : Position.Right}
          family={kind.family}
        />
      )}
    </>
  )
}
