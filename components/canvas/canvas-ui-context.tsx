'use client'
/**
 * Provides the open panels of the canvas to its parts. A read-only drawing has none and needs no provider.
 */
import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import { type CanvasUi, type CanvasUiStore, createCanvasUi } from './canvas-ui'

const CanvasUiContext = createContext<CanvasUiStore>(createCanvasUi())

export const CanvasUiProvider = CanvasUiContext.Provider

export function useCanvasUiStore(): CanvasUiStore {
  return useContext(CanvasUiContext)
}

export function useCanvasUi<T>(select: (state: CanvasUi) => T): T {
  return useStore(useCanvasUiStore(), select)
}
