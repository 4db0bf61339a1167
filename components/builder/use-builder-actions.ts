'use client'
/** Actions on the whole agent from its builder, and the errors they cause. */
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useGoTo } from '#components/commands/use-go-to'
import { keys } from '#components/data/agents'
import { api } from '#components/data/client'
import { toolHref } from '#components/data/trials'
import type { Autosave } from '#components/drawing/autosave'
import { useGraphStore } from '#components/drawing/graph-context'
import type { GraphStore } from '#components/drawing/graph-store'
import { download } from '#components/ui/download'
import { runCommand } from './run-command'

export interface BuilderActions {
  duplicate(): void
  remove(): void
  chat(): void
  bareChat(): void
  insights(): void
  /** The page of keys, and of how other programs use the agent. */
  connect(): void
  tools(): void
  /** The page of what the agent remembers. */
  memory(): void
  exportFile(): void
  copyJson(): void
  copyLine(): void
}

export interface BuilderDoing {
  readonly actions: BuilderActions
  /** A message next to the name, shown for a moment: “JSON copied”. */
  readonly told: string | null
  readonly fault: unknown
  forget(): void
}

export function useBuilderActions(agentId: string, autosave: Autosave): BuilderDoing {
  const store = useGraphStore()
  const client = useQueryClient()
  const goTo = useGoTo()
  const [told, setTold] = useState<string | null>(null)
  const [fault, setFault] = useState<unknown>(null)
  const actions = useMemo<BuilderActions>(() => {
    const attempt = async (work: () => Promise<void>) => {
      setFault(null)
      await work().catch(setFault)
    }
    const copy = (text: string, words: string) =>
      void attempt(async () => {
        if (navigator.clipboard === undefined)
          throw new Error('The browser allows copying only on a secure page (https or localhost).')
        await navigator.clipboard.writeText(text)
        setTold(words)
      })
    return {
      tools: () => goTo(toolHref(agentId)),
      connect: () => goTo(`/agents/${encodeURIComponent(agentId)}/connect`),
      memory: () => goTo(`/agents/${encodeURIComponent(agentId)}/memory`),
      insights: () => goTo(`/agents/${encodeURIComponent(agentId)}/insights`),
      duplicate: () =>
        void attempt(async () => {
          // The server copies its saved version, so the drawing is saved first.
          if (!(await autosave.flush())) throw new Error('The drawing could not be saved first.')
          const { id } = await api.agents.duplicate(agentId)
          await client.invalidateQueries({ queryKey: keys.agents, exact: true })
          goTo(`/agents/${encodeURIComponent(id)}`)
        }),
      remove: () =>
        void attempt(async () => {
          await api.agents.remove(agentId)
          await client.invalidateQueries({ queryKey: keys.agents, exact: true })
          goTo('/')
        }),
      chat: () => {
        void autosave.flush()
        goTo(`/agents/${encodeURIComponent(agentId)}/chat`)
      },
      bareChat: () => {
        void autosave.flush()
        goTo(`/agents/${encodeURIComponent(agentId)}/talk`)
      },
      exportFile: () => {
        const { name, text } = exportDrawing(store)
        if (text !== null) download({ name: `${name}.json`, text })
      },
      copyJson: () => copy(exportDrawing(store).text ?? '', 'JSON copied'),
      copyLine: () =>
        void attempt(async () => {
          const [{ server }, providers, databases] = await Promise.all([
            api.settings(),
            api.providers.list(),
            api.databases.list(),
          ])
          const command = runCommand({
            config: store.getState().compiled.config ?? {},
            program: programFolder(),
            dataFolder: server.dataFolder,
            providers: providers.items,
            databases: databases.items.flatMap(({ name, sample }) => (sample ? [] : [name])),
          })
          copy(command, 'Command copied: run it in the folder of the exported file')
        }),
    }
  }, [agentId, autosave, client, goTo, store])
  return { actions, told, fault, forget: () => setFault(null) }
}

/** The server's page says where the program is; null if it does not. */
function programFolder(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name="loopwright-folder"]')?.content ?? null
}

/** The current drawing, byte for byte as the server would export it once saved. */
function exportDrawing(store: GraphStore): { name: string; text: string | null } {
  const { text, config } = store.getState().compiled
  return { text, name: typeof config?.name === 'string' ? config.name : 'agent' }
}
