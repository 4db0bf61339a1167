'use client'
/**
 * Would this call run? Checks a tool and its arguments against the policies as a run would, without running
 * anything.
 */
import { useMutation } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { useCommands } from '#components/commands/commands-context'
import { api } from '#components/data/client'
import { useGraphStore } from '#components/drawing/graph-context'
import { useAuthority } from '#components/drawing/use-authority'
import { readJson } from '#components/form/typed-json'
import { WideDialog } from '#components/form/wide-dialog'
import type { DryRunCall } from '#components/run/dry-run-context'
import { useRun } from '#components/run/run-context'
import { Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { CodeEditor } from '#components/ui/code-editor'
import { Property, Select, Switch } from '#components/ui/field'
import { Keys } from '#components/ui/keys'
import { ErrorNote } from '#components/ui/notice'
import { useLatest } from '#components/ui/use-latest'
import type { Authority } from '#lib/wire/authority'
import styles from './dry-run.module.css'
import { DryRunAnswer } from './dry-run-answer'
import { pastedCall } from './pasted'

export interface DryRunDialogProps {
  readonly agentId: string
  readonly call: DryRunCall
  onCall(call: DryRunCall): void
  onShow(node: string): void
  onClose(): void
}

export function DryRunDialog({ agentId, call, onCall, onShow, onClose }: DryRunDialogProps) {
  const id = useId()
  const { data, hasErrors } = useAuthority()
  const authority = data?.authority ?? undefined
  const runId = useRun((run) => run.runId)
  const [isInRun, setInRun] = useState(true)
  const [wasPasted, setPasted] = useState(false)
  const { inside } = call
  const tool = authority === undefined || inside !== undefined ? call.tool : nameIn(authority, call.tool)
  const asking = useDryRunOf({ agentId, runId: isInRun ? runId : null })
  const read = useMemo(() => readJson(call.text), [call.text])
  const canAsk = tool !== '' && !hasErrors && !asking.isPending
  const change = (next: DryRunCall, isPasted = false) => {
    asking.reset()
    setPasted(isPasted)
    onCall(next)
  }
  const write = (text: string) => {
    const typed = readJson(text)
    const whole = typed.ok ? pastedCall(typed.value) : null
    change({ ...(whole ?? { tool, text }), inside }, whole !== null)
  }
  const ask = () => {
    if (canAsk) asking.mutate({ tool, text: call.text, inside })
  }
  useAskCommand(ask)
  return (
    <WideDialog title="Would this call run?" onClose={onClose} isLow>
      <div className={styles.form}>
        {inside !== undefined && (
          <Property label="Made by">
            <div className={styles.inRun}>
              <span>{wayWords(inside.through)}</span>
              <Button size="s" onClick={() => change({ tool: inside.through[0] ?? '', text: '{}' })}>
                Back to this agent
              </Button>
            </div>
          </Property>
        )}
        <Property label="Tool" htmlFor={`${id}-tool`}>
          <Select
            id={`${id}-tool`}
            value={tool}
            onChange={(name) => change({ tool: name, text: call.text, inside })}
            options={inside === undefined ? optionsOf(authority, tool) : namesWith(inside.tools, tool)}
          />
        </Property>
        <Property
          label="Arguments"
          wide
          error={read.ok ? undefined : read.reason}
          hint={
            wasPasted
              ? `A whole call was pasted. Its tool is ${tool}, and these are its arguments.`
              : 'As the model would write them. A whole call, {"name", "arguments"}, can be pasted too.'
          }
        >
          <CodeEditor
            label="Arguments"
            language="json"
            value={call.text}
            minLines={4}
            maxLines={12}
            onChange={write}
          />
        </Property>
        {runId !== null && (
          <Property label="In the run">
            <div className={styles.inRun}>
              <Switch
                checked={isInRun}
                label="Continue the run shown here"
                onChange={(isOn) => {
                  asking.reset()
                  setInRun(isOn)
                }}
              />
              {!isInRun
                ? 'As the first call of a run'
                : inside === undefined
                  ? 'Continue the run shown (its calls and approvals count)'
                  : 'Continue the run shown (what it has read counts)'}
            </div>
          </Property>
        )}
        <div className={styles.actions}>
          <Button variant="primary" icon="shield" disabled={!canAsk} onClick={ask}>
            Check <Keys keys="Mod+Enter" />
          </Button>
          <span className={styles.note} role={asking.isPending ? 'status' : undefined}>
            {hasErrors
              ? 'The drawing has errors, listed under Problems.'
              : 'Checks the drawing as it is now. Nothing runs, and nothing is stored.'}
            {asking.isPending && <Spinner />}
          </span>
        </div>
        {asking.isError && <ErrorNote error={asking.error} />}
        {asking.data !== undefined && (
          <DryRunAnswer
            answer={asking.data}
            sent={call.text}
            isInside={inside !== undefined}
            onShow={onShow}
            onCheck={change}
          />
        )}
      </div>
    </WideDialog>
  )
}

function useDryRunOf({ agentId, runId }: { agentId: string; runId: string | null }) {
  const store = useGraphStore()
  return useMutation({
    mutationFn: ({ tool, text, inside }: DryRunCall) =>
      api.agents.dryRun(agentId, {
        tool,
        args: text,
        graph: store.getState().history.present,
        ...(inside && { through: [...inside.through] }),
        ...(runId !== null && { runId }),
      }),
  })
}

function useAskCommand(run: () => void) {
  const latest = useLatest(run)
  const commands = useMemo(
    () => [
      {
        id: 'call.dry-run',
        label: 'Check this call',
        group: 'Run',
        icon: 'shield',
        keys: ['Mod+Enter'],
        whileTyping: true,
        run: () => latest.current(),
      },
    ],
    [],
  )
  useCommands(commands)
}

/**
 * The tool's own name when the given name is the one used on the wire; the first tool when none is chosen.
 */
function nameIn({ offered, withheld }: Authority, tool: string): string {
  if (tool === '') return offered[0]?.name ?? withheld[0]?.name ?? ''
  return offered.find((each) => each.wireName === tool)?.name ?? tool
}

/** The agent by the tool that leads to it, and the one that calls it. */
function wayWords(through: readonly string[]): string {
  const [name = '', caller] = through.toReversed()
  return caller === undefined ? name : `${name}, called by ${caller}`
}

function namesWith(tools: readonly string[], tool: string) {
  return [...new Set([tool, ...tools])].map((name) => ({ value: name, label: name }))
}

function optionsOf(authority: Authority | undefined, tool: string) {
  const { offered = [], withheld = [] } = authority ?? {}
  const options = [
    ...offered.map(({ name }) => ({ value: name, label: name })),
    ...withheld.map(({ name }) => ({ value: name, label: `${name}, withheld` })),
  ]
  if (options.some(({ value }) => value === tool)) return options
  const label = tool === '' ? 'No tools' : authority === undefined ? tool : `${tool}, not one of its tools`
  return [{ value: tool, label }, ...options]
}
