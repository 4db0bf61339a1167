'use client'
/** A try of one tool: its arguments as a form or as JSON, what comes of it, and the tries before. */
import { useSearchParams } from 'next/navigation'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useCommands } from '#components/commands/commands-context'
import { useCallArgs } from '#components/data/trials'
import { withKey } from '#components/form/fields'
import { SchemaForm } from '#components/form/schema-form'
import { readJson } from '#components/form/typed-json'
import { Button } from '#components/ui/button'
import { CodeEditor } from '#components/ui/code-editor'
import { Property } from '#components/ui/field'
import { Keys } from '#components/ui/keys'
import { Segmented } from '#components/ui/segmented'
import shared from '#components/ui/shared.module.css'
import { useLatest } from '#components/ui/use-latest'
import { problemsOf } from '#lib/graph/validate'
import { isObject, type JsonObject } from '#lib/spec/json'
import type { TrialTool } from '#lib/wire/trials'
import { Tries } from './tries'
import { TryFiles } from './try-files'
import { TryOutcome } from './try-outcome'
import styles from './try-panel.module.css'
import { useTrial } from './use-trial'

interface TryPanelProps {
  readonly agentId: string
  readonly tool: TrialTool
  readonly threadId: string | null
}

type Way = 'form' | 'json'

export function TryPanel({ agentId, tool, threadId }: TryPanelProps) {
  const [text, setText] = useState('{}')
  // The editor shows a change a moment before this panel is rendered with it, and what is seen must run.
  const written = useRef(text)
  const [way, setWay] = useState<Way>('form')
  const [isAsked, setAsked] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const trial = useTrial(agentId, tool.name)
  const { run, stop, show } = trial
  const read = useMemo(() => readArgs(text), [text])
  const problems = useMemo(
    () => (read.ok ? problemsOf(read.args, tool.parameters) : []),
    [read, tool.parameters],
  )
  // A missing argument is reported only after the person asked to run the tool; an invalid one at once.
  const told = problems.filter(
    (each) => isAsked || (read.ok && read.args[each.path.split('/')[0] ?? ''] !== undefined),
  )
  const write = (next: string) => {
    written.current = next
    setConfirming(false)
    setText(next)
  }
  const set = (args: JsonObject) => write(JSON.stringify(args, null, 2))
  const call = useAskedCall((args) => {
    set(args)
    show(null)
  })
  const isRunning = trial.state.phase === 'running'
  const mustConfirm = tool.risk !== 'read'
  const press = () => {
    setAsked(true)
    const now = readArgs(written.current)
    if (!now.ok || problemsOf(now.args, tool.parameters).length > 0 || isRunning) return
    // A person confirms the arguments that the question was about.
    const isConfirmed = isConfirming && written.current === text
    setConfirming(mustConfirm && !isConfirmed)
    if (!mustConfirm || isConfirmed) run(now.args, mustConfirm)
  }
  useTryCommands({ name: tool.name, press, stop, isRunning })
  const isEmpty = Object.keys(tool.parameters.properties ?? {}).length === 0
  const loose = told.filter(({ path }) => path === '')
  return (
    <div className={styles.columns}>
      <section className={styles.column} aria-label="Arguments">
        <div className={styles.heading}>
          <h3 className={shared.heading}>Arguments</h3>
          <Segmented<Way>
            label="Write the arguments as"
            size="s"
            value={way}
            onChange={setWay}
            options={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
          />
        </div>
        {call !== null && <p className={shared.quiet}>{call}</p>}
        {way === 'form' && !read.ok && (
          <p className={shared.plain} role="alert">
            The arguments are not a JSON object. Correct them under JSON.
          </p>
        )}
        {way === 'form' && read.ok && isEmpty && (
          <p className={shared.quiet}>This tool takes no arguments.</p>
        )}
        {way === 'form' && read.ok && !isEmpty && (
          <SchemaForm
            schema={tool.parameters}
            value={read.args}
            findings={told}
            adapt={(field) => ({ ...field, label: field.key })}
            onChange={(key, next) => set(withKey(read.args, key, next))}
          />
        )}
        {way === 'json' && (
          <Property
            label="As the model would write them"
            wide
            error={read.ok ? told.map(inWords).join(' ') || undefined : read.reason}
          >
            <CodeEditor
              label="Arguments as JSON"
              language="json"
              value={text}
              minLines={6}
              maxLines={24}
              onChange={write}
            />
          </Property>
        )}
        {way === 'form' && loose.length > 0 && (
          <p className={styles.loose} role="alert">
            {loose.map(({ message }) => message).join(' ')}
          </p>
        )}
        <div className={styles.actions}>
          {isRunning ? (
            <Button icon="square" onClick={stop}>
              Stop <Keys keys="Escape" />
            </Button>
          ) : (
            <Button variant="primary" icon="play" onClick={press}>
              {isConfirming ? 'Yes, run it' : 'Run it once'} <Keys keys="Mod+Enter" />
            </Button>
          )}
          {isConfirming && <Button onClick={() => setConfirming(false)}>Cancel</Button>}
          {!isRunning && (
            <span className={shared.caption} role={isConfirming ? 'alert' : undefined}>
              {isConfirming ? sureWords(tool) : aboutWords(tool)}
            </span>
          )}
        </div>
        <TryFiles agentId={agentId} threadId={threadId} />
      </section>
      <section className={styles.column} aria-label="Result">
        <TryOutcome agentId={agentId} tool={tool.name} state={trial.state} />
        <Tries
          agentId={agentId}
          tool={tool}
          shown={trial.state.past?.id ?? trial.state.done?.tried.id ?? null}
          onPick={(kept) => {
            if (isRunning) return
            if (kept.args !== null) set(kept.args)
            show(kept)
          }}
        />
      </section>
    </div>
  )
}

type ReadArgs =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly reason: string }

function readArgs(text: string): ReadArgs {
  const read = readJson(text)
  if (!read.ok) return read
  const { value = {} } = read
  return isObject(value)
    ? { ok: true, args: value }
    : { ok: false, reason: 'Arguments are an object: {"name": value}.' }
}

function inWords({ path, message }: { readonly path: string; readonly message: string }): string {
  return path === '' ? message : `${path}: ${message}`
}

function sureWords({ risk, source }: TrialTool): string {
  const where = source === 'builtin' || source === 'code' ? '' : ' outside this server'
  return `Its risk is ${risk}: it may change something${where}, and that cannot be taken back. Run it now?`
}

function aboutWords({ risk }: TrialTool): string {
  if (risk === 'read') return 'Runs on this server now, without a model and without policies.'
  return 'You are asked again before it runs. Its files are in a workspace for tries, not in a thread.'
}

/** Fills in the arguments of the call that the address names; returns what to say about it. */
function useAskedCall(fill: (args: JsonObject) => void): string | null {
  const params = useSearchParams()
  const [runId, path] = [params.get('run'), params.get('call')]
  const { data, isError, isPending } = useCallArgs(runId, path)
  const latest = useLatest(fill)
  useEffect(() => {
    if (data !== undefined && data !== null) latest.current(data)
  }, [data])
  if (runId === null || path === null) return null
  if (isError || data === null) return 'The call whose arguments were to be filled in is no longer on record.'
  return isPending
    ? null
    : `With the arguments of a call of the run ${runId}. Known secrets in them were replaced.`
}

interface TryKeys {
  readonly name: string
  readonly isRunning: boolean
  press(): void
  stop(): void
}

function useTryCommands({ name, press, stop, isRunning }: TryKeys) {
  const latest = useLatest({ press, stop, isRunning })
  const commands = useMemo(
    () => [
      {
        id: 'tool.try',
        label: `Run ${name} once`,
        group: 'Run',
        icon: 'play',
        keys: ['Mod+Enter'],
        whileTyping: true,
        run: () => latest.current.press(),
      },
      {
        id: 'tool.stop',
        label: `Stop ${name}`,
        group: 'Run',
        icon: 'square',
        keys: ['Escape'],
        rank: 'stop' as const,
        canRun: () => latest.current.isRunning,
        run: () => latest.current.stop(),
      },
    ],
    [name],
  )
  useCommands(commands)
}
