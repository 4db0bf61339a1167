'use client'
/**
 * Imports agents from files, from the clipboard, or by a drop anywhere on the page; each file has its own
 * outcome.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isTyping } from '#components/commands/typing'
import { keys } from '#components/data/agents'
import { ApiError, api } from '#components/data/client'
import { useLatest } from '#components/ui/use-latest'
import type { ImportedAgent } from '#lib/wire/agents'
import { foreignProduct, foreignWords } from './foreign-file'
import { asOfNow, findingsOf } from './import-words'
import { useFileDrop } from './use-file-drop'

export interface ImportItem {
  readonly key: number
  /** The file's name, or another source. */
  readonly from: string
  /** The text that was read; null while it is being read, or if it could not be. */
  readonly text: string | null
  readonly outcome:
    | { readonly state: 'busy' }
    | { readonly state: 'done'; readonly agent: ImportedAgent }
    | { readonly state: 'failed'; readonly error: unknown }
}

interface Source {
  readonly from: string
  read(): Promise<string>
}

/** Larger files are refused before they are read; the server has its own limit. */
const mostBytes = 60_000_000

export function useImport() {
  const router = useRouter()
  const client = useQueryClient()
  const [items, setItems] = useState<readonly ImportItem[]>([])
  const nextKey = useRef(0)
  const [batch, setBatch] = useState(0)
  const put = (key: number, more: Partial<ImportItem>) =>
    setItems((known) => known.map((each) => (each.key === key ? { ...each, ...more } : each)))
  const send = async (key: number, read: () => Promise<string>): Promise<ImportedAgent | null> => {
    put(key, { outcome: { state: 'busy' } })
    try {
      const text = await read()
      put(key, { text })
      const product = foreignProduct(text)
      if (product !== undefined) throw refusal('bad_request', 400, foreignWords(product))
      const agent = await api.agents.importFile(text)
      put(key, { outcome: { state: 'done', agent } })
      void client.invalidateQueries({ queryKey: keys.agents, exact: true })
      return agent
    } catch (error) {
      put(key, { outcome: { state: 'failed', error } })
      return null
    }
  }
  const open = (id: string) => router.push(`/agents/${encodeURIComponent(id)}`)
  const take = async (sources: readonly Source[]) => {
    const begun = sources.map((source) => ({ source, key: nextKey.current++ }))
    if (begun.length === 0) return
    setBatch((known) => known + 1)
    setItems(
      begun.map(({ source: { from }, key }) => ({ key, from, text: null, outcome: { state: 'busy' } })),
    )
    const agents: (ImportedAgent | null)[] = []
    // One after another, because names are assigned in the order of the files.
    for (const { source, key } of begun) agents.push(await send(key, () => source.read()))
    await lookAgain(begun.map(({ key }, index) => ({ key, agent: agents[index] ?? null })))
    const [only] = agents
    if (agents.length === 1 && only != null && findingsOf(only).length === 0) open(only.id)
  }
  /** An agent of the same import may be one that an earlier one calls. */
  const lookAgain = async (taken: readonly { key: number; agent: ImportedAgent | null }[]) => {
    if (taken.length < 2) return
    for (const { key, agent } of taken) {
      if (agent === null || !agent.lacks.some(({ code }) => code.startsWith('agent_'))) continue
      const now = await api.agents.get(agent.id).catch(() => null)
      if (now !== null) put(key, { outcome: { state: 'done', agent: asOfNow(agent, now) } })
    }
  }
  const takeFiles = (files: readonly File[]) => void take(files.map(fromFile))
  const paste = (text: string) => void take([{ from: 'the clipboard', read: async () => text }])
  const isOver = useFileDrop(takeFiles)
  usePastedJson(paste)
  const latest = useLatest(takeFiles)
  /** Must be a stable function, because it is a command of the page. */
  const choose = useCallback(() => chooseFiles((files) => latest.current(files)), [])
  return {
    items,
    /** Counts the imports, each of one or more files. */
    batch,
    isOver,
    isBusy: items.some((each) => each.outcome.state === 'busy'),
    choose,
    paste,
    /** Imports the same file under another name. */
    again: ({ key, text }: ImportItem, name: string) =>
      void send(key, async () => withName(text ?? '', name)),
    forget: (key: number) => setItems((known) => known.filter((each) => each.key !== key)),
    clear: () => setItems([]),
  }
}

export type Importing = ReturnType<typeof useImport>

function fromFile(file: File): Source {
  return {
    from: file.name,
    read: async () => {
      if (file.size > mostBytes) throw refusal('too_large', 413, 'The file is too large for an agent.')
      try {
        return await file.text()
      } catch {
        throw refusal('bad_request', 400, 'It could not be read. It may have been moved or deleted.')
      }
    },
  }
}

function refusal(code: string, status: number, message: string): ApiError {
  return new ApiError({ code, status, message })
}

/** Only the name changes; all other values stay as they are. */
function withName(text: string, name: string): string {
  const config: unknown = JSON.parse(text)
  return JSON.stringify({ ...(typeof config === 'object' ? config : null), name }, null, 2)
}

function chooseFiles(take: (files: readonly File[]) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.accept = '.json,application/json'
  input.onchange = () => take([...(input.files ?? [])])
  input.click()
}

/** A paste anywhere on the page: text that looks like JSON is imported as an agent. */
function usePastedJson(take: (text: string) => void): void {
  const latest = useLatest(take)
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text').trim() ?? ''
      if (isTyping(event.target) || !text.startsWith('{')) return
      event.preventDefault()
      latest.current(text)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}
