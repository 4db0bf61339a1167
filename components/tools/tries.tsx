'use client'
/** The tries of a tool that are kept: each fills in its arguments again, and may become the model's example. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keys, useCatalog } from '#components/data/agents'
import { api } from '#components/data/client'
import { trialKeys, useTries } from '#components/data/trials'
import { argumentsText, duration } from '#components/run/figures'
import { useNow } from '#components/run/use-now'
import { moment, wholeMoment } from '#components/run/when'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { RemovalDialog } from '#components/ui/removal-dialog'
import shared from '#components/ui/shared.module.css'
import { patchConfig } from '#lib/graph/edit'
import type { Catalog } from '#lib/spec/catalog'
import { isObject, type JsonObject, jsonKey, tryParseJson } from '#lib/spec/json'
import { shortenText } from '#lib/spec/line'
import type { KeptTry } from '#lib/spec/trial'
import type { TrialTool } from '#lib/wire/trials'
import { outcomes } from './try-outcome'
import styles from './try-panel.module.css'

interface TriesProps {
  readonly agentId: string
  readonly tool: TrialTool
  /** The try whose result is shown. */
  readonly shown: string | null
  onPick(kept: KeptTry): void
}

export function Tries({ agentId, tool, shown, onPick }: TriesProps) {
  const tries = useTries(agentId, tool.name)
  const [isForgetting, setForgetting] = useState(false)
  const now = useNow(false)
  const queries = useQueryClient()
  const example = useExample(agentId, tool)
  const forget = useMutation({
    mutationFn: () => api.trials.forget(agentId, tool.name),
    onSuccess: () => setForgetting(false),
    onSettled: () => queries.invalidateQueries({ queryKey: trialKeys.tools(agentId) }),
  })
  const items = tries.data?.items ?? []
  const stored = tool.example === null ? undefined : keyOfExample(tool.example)
  // A tick shows at once; it stays when the drawing is saved.
  const current = example.isPending ? example.variables && jsonKey(example.variables) : stored
  const isKept = items.some(({ args }) => args !== null && jsonKey(args) === current)
  // Only an entry of the drawing can hold an example.
  const canShow = tool.entry.startsWith('tools/')
  return (
    <section aria-label="Earlier tries" className={styles.tries}>
      <div className={styles.heading}>
        <h3 className={shared.heading}>Earlier tries</h3>
        {items.length > 0 && (
          <Button size="s" variant="quiet" onClick={() => setForgetting(true)}>
            Forget them
          </Button>
        )}
      </div>
      {tries.isError && <ErrorNote error={tries.error} onRetry={() => void tries.refetch()} />}
      {tries.data !== undefined && items.length === 0 && (
        <p className={shared.quiet}>The last twenty tries are kept here, without secrets.</p>
      )}
      {items.length > 0 && (
        <ul className={styles.history}>
          {items.map((each) => (
            <li key={each.id} data-shown={each.id === shown || undefined}>
              <button type="button" className={styles.pick} onClick={() => onPick(each)}>
                <Icon
                  name={outcomes[each.status].icon}
                  size={14}
                  className={styles[outcomes[each.status].tone]}
                />
                <span className={styles.args}>{argsWords(each)}</span>
                <span className={shared.caption} title={wholeMoment(each.at)}>
                  {duration(each.durationMs)} · {moment(each.at, now)}
                </span>
              </button>
              {each.args !== null && canShow && (
                <label
                  className={styles.tick}
                  title="Show these arguments to the model as an example of a call"
                >
                  <input
                    type="checkbox"
                    checked={jsonKey(each.args) === current}
                    disabled={example.isPending || each.redacted === true}
                    onChange={({ target }) => example.mutate(target.checked ? each.args : null)}
                  />
                  Example
                </label>
              )}
            </li>
          ))}
        </ul>
      )}
      {items.length > 0 && canShow && (
        <p className={shared.caption}>
          Tick a try to show its arguments to the model as an example. Only call formats that describe the
          tools in the instructions use it. The example becomes part of the drawing; other tries are never
          sent to a model.
        </p>
      )}
      {tool.example !== null && !isKept && !example.isPending && (
        <p className={shared.caption}>
          The model is shown another example: <code>{shortenText(tool.example, 200)}</code>{' '}
          <Button size="s" variant="quiet" disabled={example.isPending} onClick={() => example.mutate(null)}>
            Remove it
          </Button>
        </p>
      )}
      {example.isError && <ErrorNote error={example.error} />}
      {isForgetting && (
        <RemovalDialog
          title={`Forget the tries of ${tool.name}?`}
          verb="Forget them"
          isPending={forget.isPending}
          error={forget.error}
          onRemove={() => forget.mutate()}
          onClose={() => setForgetting(false)}
        >
          <p>Their arguments and results are deleted. Files that they made stay.</p>
        </RemovalDialog>
      )}
    </section>
  )
}

function argsWords({ args }: KeptTry): string {
  if (args === null) return 'arguments too long to keep'
  return Object.keys(args).length === 0 ? 'no arguments' : shortenText(argumentsText(args), 300)
}

function keyOfExample(text: string): string | undefined {
  const read = tryParseJson(text)
  return isObject(read) ? jsonKey(read) : undefined
}

/** Sets the example of the tool in the saved drawing, or takes it out. */
function useExample(agentId: string, tool: TrialTool) {
  const queries = useQueryClient()
  const { data: catalog } = useCatalog()
  return useMutation({
    mutationFn: (args: JsonObject | null) => {
      if (catalog === undefined) throw new Error('The page is still loading. Try again in a moment.')
      return saveExample({ agentId, tool, args, catalog })
    },
    // Pending until the page has read what is stored.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: keys.agent(agentId) }),
        queries.invalidateQueries({ queryKey: keys.agents, exact: true }),
      ]),
  })
}

interface Example {
  readonly agentId: string
  readonly tool: TrialTool
  readonly args: JsonObject | null
  readonly catalog: Catalog
}

async function saveExample({ agentId, tool, args, catalog }: Example): Promise<void> {
  const { graph, origins, revision } = await api.agents.get(agentId)
  const id = origins[tool.entry]
  const node = graph.nodes.find((each) => each.id === id)
  if (node === undefined)
    throw new Error('The part of this tool is no longer in the drawing. Load the page again.')
  const { [tool.scopeName]: _, ...others } = isObject(node.config.example) ? node.config.example : {}
  const next = args === null ? others : { ...others, [tool.scopeName]: JSON.stringify(args) }
  const example = Object.keys(next).length === 0 ? undefined : next
  const edited = patchConfig(graph, node.id, { example }, catalog)
  await api.agents.save(agentId, { graph: edited.graph, revision })
}
