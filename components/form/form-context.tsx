'use client'
/**
 * What the fields of a form know besides their own value: the node they belong to, and typed text that is not
 * a value yet.
 */
import { createContext, useCallback, useContext, useState } from 'react'
import type { GraphNode } from '#lib/spec/graph'
import type { NodeKind } from '#lib/spec/kind'

export interface FormNode {
  readonly node: GraphNode
  readonly kind: NodeKind
}

const FormNodeContext = createContext<FormNode | null>(null)
export const FormNodeProvider = FormNodeContext.Provider

/** Null in a form that belongs to no node, such as the arguments of a tool tried by hand. */
export function useFormNode(): FormNode | null {
  return useContext(FormNodeContext)
}

/** Texts by node and path; kept while the drawing is open, so that selecting another node loses none. */
export type Drafts = Map<string, string>

const DraftsContext = createContext<Drafts>(new Map())
export const DraftsProvider = DraftsContext.Provider

/** The typed text that is not a value yet; null when there is none. */
export function useDraft(key: string): [string | null, (text: string | null) => void] {
  const drafts = useContext(DraftsContext)
  const node = useFormNode()?.node.id
  const [own, setOwn] = useState<string | null>(() =>
    node === undefined ? null : (drafts.get(`${node}.${key}`) ?? null),
  )
  const set = useCallback(
    (text: string | null) => {
      setOwn(text)
      if (node === undefined) return
      if (text === null) drafts.delete(`${node}.${key}`)
      else drafts.set(`${node}.${key}`, text)
    },
    [drafts, node, key],
  )
  return [own, set]
}
