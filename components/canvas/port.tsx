'use client'
/** A port: its shape tells the type, its hue the family, and filled or hollow whether it is wired. */
import { Handle, type Position } from '@xyflow/react'
import type { PortType } from '#lib/spec/kind'
import { portKey } from './flow'
import { useGraph } from './graph-context'
import styles from './port.module.css'

const shapes: Record<PortType, string> = {
  model: 'square',
  protocol: 'square',
  tool: 'circle',
  policy: 'diamond',
}
const hues: Record<PortType, string> = { model: 'model', protocol: 'model', tool: 'tool', policy: 'policy' }

export interface PortProps {
  node: string
  port: string
  type: PortType
  end: 'source' | 'target'
  side: Position
  /** The out port of a toolkit has its own family's hue. */
  family?: string
  /** Seen only when wired, fitting, or when its card has the pointer: a port few will use. */
  isShy?: boolean
}

export function Port({ node, port, type, end, side, family, isShy }: PortProps) {
  const key = portKey(node, port)
  const isWired = useGraph((state) => state.wired.has(key))
  const isFitting = useGraph((state) => state.wiring?.ports.has(key) ?? false)
  const isOff = useGraph((state) => state.off.has(node))
  return (
    <Handle
      id={port}
      type={end}
      position={side}
      className={styles.port}
      data-family={family ?? hues[type]}
      data-shape={shapes[type]}
      data-filled={(isWired && !isOff) || undefined}
      data-fitting={isFitting || undefined}
      data-shy={isShy || undefined}
      aria-label={`${end === 'source' ? 'Out' : 'In'} port ${port}`}
    />
  )
}
