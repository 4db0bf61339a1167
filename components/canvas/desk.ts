/** What the commands of the canvas work on. */
import type { FitViewOptions, useReactFlow } from '@xyflow/react'
import type { RefObject } from 'react'
import type { GraphStore } from '#components/drawing/graph-store'
import type { CanvasUiStore } from './canvas-ui'

/** What the commands work on. */
export interface Desk {
  readonly store: GraphStore
  readonly ui: CanvasUiStore
  readonly flow: ReturnType<typeof useReactFlow>
  readonly canvas: RefObject<HTMLElement | null>
  fitView(options?: FitViewOptions): void
  pasteFrom(text: string): void
}
