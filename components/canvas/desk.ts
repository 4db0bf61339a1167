/** What the canvas commands work with. */
import type { FitViewOptions, useReactFlow } from '@xyflow/react'
import type { RefObject } from 'react'
import type { GraphStore } from '#components/drawing/graph-store'
import type { CanvasUiStore } from './canvas-ui'

export interface Desk {
  readonly store: GraphStore
  readonly ui: CanvasUiStore
  readonly flow: ReturnType<typeof useReactFlow>
  readonly canvas: RefObject<HTMLElement | null>
  fitView(options?: FitViewOptions): void
  pasteFrom(text: string): void
}
