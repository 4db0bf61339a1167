/** What the canvas commands work with. */
import type { useReactFlow } from '@xyflow/react'
import type { RefObject } from 'react'
import type { GraphStore } from '#components/drawing/graph-store'
import type { CanvasUiStore } from './canvas-ui'
import type { FitOptions } from './use-keep-fit'

export interface Desk {
  readonly store: GraphStore
  readonly ui: CanvasUiStore
  readonly flow: ReturnType<typeof useReactFlow>
  readonly canvas: RefObject<HTMLElement | null>
  fitView(options?: FitOptions): void
  pasteFrom(text: string): void
}
