'use client'
/** Hands what the canvas has open to its parts; a frozen drawing, which has nothing open, needs none. */
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
