'use client'
/** A port: its shape shows the type, its colour the family, and its fill whether it is wired. */
import { Handle, type Position } from '@xyflow/react'
import type { PortType } from '#lib/spec/kind'
import styles from './port.module.css'

const shapes: Record<PortType, string> = {
  model: 'square',
  protocol: 'square',
  tool: 'circle',
  policy: 'diamond',
  memory: 'pill',
  knowledge: 'pill',
  plan: 'pill',
  personas: 'pill',
  output: 'triangle',
  group: 'circle',
  skill: 'pill',
}
const hues: Record<PortType, string> = {
  model: 'model',
  protocol: 'model',
  tool: 'tool',
  policy: 'policy',
  memory: 'memory',
  knowledge: 'memory',
  plan: 'memory',
  personas: 'memory',
  output: 'output',
  group: 'tool',
  skill: 'memory',
}

export interface PortProps {
  port: string
  type: PortType
  end: 'source' | 'target'
  side: Position
  /** The out port of a toolkit has the colour of its own family. */
  family?: string
  /**
   * Visible only when wired, when a wire could end here, or when the pointer is on its card: a rarely used
   * port.
   */
  isShy?: boolean
  isWired: boolean
  /** Its card is not part of what the model is offered: the port is drawn hollow, wired or not. */
  isHollow?: boolean
  /** A wire being drawn could end here. */
  isFitting: boolean
}

export function Port({ port, type, end, side, family, isShy, isWired, isHollow, isFitting }: PortProps) {
  return (
    <Handle
      id={port}
      type={end}
      position={side}
      className={styles.port}
      data-family={family ?? hues[type]}
      data-shape={shapes[type]}
      data-wired={isWired || undefined}
      data-filled={(isWired && !isHollow) || undefined}
      data-fitting={isFitting || undefined}
      data-shy={isShy || undefined}
      role="img"
      aria-label={`${end === 'source' ? 'Out' : 'In'} port ${port}`}
    />
  )
}
