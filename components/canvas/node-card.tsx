'use client'
/** The one card for all kinds of nodes: tile, name, description, state, ports. */
import { type NodeProps, Position, useUpdateNodeInternals } from '@xyflow/react'
import { memo, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { type CardFacts, noFacts } from '#components/drawing/card-facts'
import { type CardState, cardState, isHollow } from '#components/drawing/card-state'
import { type Description, describeNode } from '#components/drawing/describe'
import { fittingPorts, listsPort } from '#components/drawing/fitting-ports'
import type { CardNode } from '#components/drawing/flow'
import { useDrawn, useGraphStore } from '#components/drawing/graph-context'
import { useGroupState, useNodeStatus, usePersona } from '#components/run/node-status'
import { CutName } from '#components/ui/cut-name'
import shared from '#components/ui/shared.module.css'
import { Tile } from '#components/ui/tile'
import type { NodeKind } from '#lib/spec/kind'
import { lineOf } from '#lib/spec/line'
import { AgentCaption, AgentFace } from './agent-face'
import { CardStrap, StateSlot } from './card-status'
import styles from './node-card.module.css'
import { Port } from './port'
import type { PortWiring } from './port-wiring'
import { WalledCaption } from './walled-caption'

export const NodeCard = memo(Card, isSameCard)

function Card({ id, data, selected }: NodeProps<CardNode>) {
  const { node, face } = data
  const { catalog } = useGraphStore().getState()
  const facts = useDrawn((state) => state.facts.get(id) ?? noFacts)
  const fitting = useDrawn((state) => fittingPorts(state.wiring, id))
  const state = useCardState(facts)
  const { kind } = facts
  const isAgent = kind?.place.at === 'root'
  const told = describeNode(node, catalog)
  const { family, icon, names } = told
  const wiring = { filled: facts.filled, fitting }
  const root = useRef<HTMLDivElement>(null)
  useLifted(root, state.strap !== undefined && !selected)
  return (
    <div
      ref={root}
      className={styles.card}
      data-family={family}
      data-agent={isAgent || undefined}
      data-state={state.name}
      data-strap={state.strap === undefined ? undefined : ''}
      data-selected={selected || undefined}
      data-dim={fitting === null || undefined}
      data-face={face}
    >
      {face === 'bare' ? (
        <div
          className={styles.face}
          role="img"
          aria-label={state.word === undefined ? names : `${names}, ${state.word}`}
        >
          <div className={styles.tile}>
            <Tile family={family} icon={undefined} />
          </div>
        </div>
      ) : (
        <div className={styles.face}>
          <div className={styles.tile}>
            <Tile family={family} icon={icon} />
          </div>
          <CardText told={told} state={state} isAgent={isAgent} hasLine={face === undefined} />
        </div>
      )}
      {isAgent && kind !== undefined && <AgentFace node={node} kind={kind} wiring={wiring} />}
      <CardStrap node={id} state={state} />
      {face === undefined && <Persona path={facts.path} />}
      {kind !== undefined && face === undefined && (
        <CardPorts
          id={id}
          kind={kind}
          isAbove={facts.coversAgent}
          isHollow={isHollow(state)}
          wiring={wiring}
        />
      )}
    </div>
  )
}

/** Who makes the call that the card is about, on its upper border. */
function Persona({ path }: { path: string | undefined }) {
  const persona = usePersona(path)
  if (persona === undefined) return null
  const shown = lineOf(persona)
  return (
    <div className={styles.persona} title={`The persona of this call: ${shown}`}>
      {shown}
    </div>
  )
}

interface CardTextProps {
  told: Description
  state: CardState
  isAgent: boolean
  /** Whether it has a second line. */
  hasLine: boolean
}

function CardText({ told: { title, names, caption, walled }, state, isAgent, hasLine }: CardTextProps) {
  return (
    <div className={styles.text}>
      <div className={styles.name} title={title === names ? title : `${title}: ${names}`}>
        <CutName name={title} className={styles.letters} />
        {title !== names && <span className={shared.unseen}>, {names}</span>}
      </div>
      {hasLine && (
        <div className={styles.line}>
          {isAgent ? (
            <AgentCaption word={caption} className={styles.caption} />
          ) : walled !== undefined ? (
            <WalledCaption word={caption} kind={walled} className={styles.caption} />
          ) : (
            <span className={styles.caption} title={caption}>
              {caption}
            </span>
          )}
          <StateSlot state={state} />
        </div>
      )}
    </div>
  )
}

/** The library moves a card by itself: only what is shown on it makes it render again. */
function isSameCard(before: NodeProps<CardNode>, now: NodeProps<CardNode>): boolean {
  const [a, b] = [before.data.node, now.data.node]
  const isSameNode = a.kind === b.kind && a.config === b.config && a.title === b.title
  const isSameFace = before.selected === now.selected && before.data.face === now.data.face
  return before.id === now.id && isSameFace && isSameNode
}

/** A strap must overlap what is below its card. The library raises selected cards higher by itself. */
function useLifted(root: RefObject<HTMLDivElement | null>, isLifted: boolean): void {
  useLayoutEffect(() => {
    const place = root.current?.parentElement
    if (!isLifted || !place) return
    place.style.zIndex = '1'
    return () => {
      if (place.style.zIndex === '1') place.style.zIndex = '0'
    }
  }, [root, isLifted])
}

function useCardState({
  path,
  finding,
  group,
  isGroupOff,
  isOff,
  isLoose,
  kind,
  permit,
}: CardFacts): CardState {
  const status = useNodeStatus(path)
  const isGroupOn = useGroupState(group)
  const isInactive = group !== undefined && (isGroupOn === undefined ? isGroupOff : !isGroupOn)
  // The agent shows how many tools are offered in the row of its port.
  const own = kind?.place.at === 'root' ? undefined : permit
  return cardState({ status, finding, isOff, isInactive, isLoose, permit: own })
}

/** A policy is above the agent it covers, and left of a tool entry it covers. */
function CardPorts({
  id,
  kind,
  isAbove,
  isHollow,
  wiring: { filled, fitting },
}: {
  id: string
  kind: NodeKind
  isAbove: boolean
  isHollow: boolean
  wiring: PortWiring
}) {
  const update = useUpdateNodeInternals()
  const told = useRef(isAbove)
  // The library measures ports when a card is added or resized, so it must be notified when a port changes
  // sides.
  useEffect(() => {
    if (told.current === isAbove) return
    told.current = isAbove
    update(id)
  }, [id, isAbove, update])
  const isAgent = kind.place.at === 'root'
  const sides = isAgent ? kind.in.filter((each) => each.accepts === 'policy') : kind.in
  return (
    <>
      {sides.map((each) => (
        <Port
          key={each.name}
          port={each.name}
          type={each.accepts}
          end="target"
          side={isAgent ? Position.Top : Position.Left}
          isShy={!isAgent}
          isHollow={isHollow}
          isWired={listsPort(filled, each.name)}
          isFitting={listsPort(fitting, each.name)}
        />
      ))}
      {kind.out !== undefined && !isAgent && (
        <Port
          port={kind.out}
          type={kind.out}
          end="source"
          side={isAbove ? Position.Bottom : Position.Right}
          family={kind.family}
          isHollow={isHollow}
          isWired={listsPort(filled, kind.out)}
          isFitting={listsPort(fitting, kind.out)}
        />
      )}
    </>
  )
}
