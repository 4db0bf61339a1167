'use client'
/** Runs one tool by hand: a form for its arguments, and its result. Nothing is stored. */
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useCommands } from '#components/commands/commands-context'
import { withKey } from '#components/form/fields'
import { SchemaForm } from '#components/form/schema-form'
import { WideDialog } from '#components/form/wide-dialog'
import { JsonTree } from '#components/observation/json-tree'
import { Blocks } from '#components/observation/rendered'
import { duration } from '#components/run/figures'
import { Chip, Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Select } from '#components/ui/field'
import { Keys } from '#components/ui/keys'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { problemsOf } from '#lib/graph/validate'
import type { CatalogTool } from '#lib/spec/catalog'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { TriedTool } from '#lib/wire/tools'
import styles from './try-tool.module.css'

export interface TryToolProps {
  readonly tools: readonly TriedToolFace[]
  /** The entry's preset arguments, with which the form starts. */
  readonly preset: JsonValue | undefined
  run(tool: string, args: JsonObject): Promise<TriedTool>
  onClose(): void
}

/** What a trial shows of a tool. */
export type TriedToolFace = Pick<CatalogTool, 'name' | 'description' | 'parameters' | 'effect'> & {
  /** It acts outside this server, so that a person confirms a trial that changes something. */
  readonly isOutside?: boolean
}

export function TryTool({ tools, preset, run, onClose }: TryToolProps) {
  const [name, setName] = useState(tools[0]?.name ?? '')
  const tool = tools.find((each) => each.name === name)
  return (
    <WideDialog title={`Try ${name}`} onClose={onClose} isLow>
      <div className={styles.trial}>
        {tools.length > 1 && (
          <Select
            aria-label="Tool"
            value={name}
            onChange={setName}
            options={tools.map((each) => ({ value: each.name, label: each.name }))}
          />
        )}
        {tool !== undefined && (
          <Trial key={tool.name} tool={tool} preset={presetOf(preset, tool.name)} runOnce={run} />
        )}
      </div>
    </WideDialog>
  )
}

function presetOf(preset: JsonValue | undefined, name: string): JsonObject {
  const own = isObject(preset) ? preset[name] : undefined
  return isObject(own) ? own : {}
}

interface TrialProps {
  readonly tool: TriedToolFace
  readonly preset: JsonObject
  readonly runOnce: TryToolProps['run']
}

function Trial({ tool, preset, runOnce }: TrialProps) {
  const [args, setArgs] = useState(preset)
  const [isAsked, setAsked] = useState(false)
  const trial = useMutation({ mutationFn: (given: JsonObject) => runOnce(tool.name, given) })
  const mustConfirm = tool.isOutside === true && tool.effect !== 'read'
  const [isConfirming, setConfirming] = useState(false)
  const problems = useMemo(() => problemsOf(args, tool.parameters), [args, tool.parameters])
  // A missing argument is reported only after the person asked to run the tool; an invalid one at once.
  const told = problems.filter((each) => isAsked || args[each.path.split('/')[0] ?? ''] !== undefined)
  const { mutate, isPending } = trial
  const commands = useMemo(() => {
    const run = () => {
      setAsked(true)
      if (problems.length > 0 || isPending) return
      setConfirming(mustConfirm && !isConfirming)
      if (!mustConfirm || isConfirming) mutate(args)
    }
    return [
      {
        id: 'tool.try',
        label: `Run ${tool.name} once`,
        group: 'Run',
        icon: 'play',
        keys: ['Mod+Enter'],
        whileTyping: true,
        run,
      },
    ]
  }, [problems, isPending, mutate, args, tool.name, mustConfirm, isConfirming])
  useCommands(commands)
  return (
    <>
      <p className={styles.about}>{tool.description}</p>
      <SchemaForm
        schema={tool.parameters}
        value={args}
        findings={told}
        onChange={(key, next) => {
          setConfirming(false)
          setArgs(withKey(args, key, next))
        }}
      />
      <div className={styles.actions}>
        <Button variant="primary" icon="play" disabled={isPending} onClick={() => commands[0]?.run()}>
          {isConfirming ? 'Yes, send it' : 'Run it once'} <Keys keys="Mod+Enter" />
        </Button>
        {isConfirming && <Button onClick={() => setConfirming(false)}>Cancel</Button>}
        <span className={shared.caption} role={isConfirming ? 'alert' : undefined}>
          {isConfirming ? 'This request may change something at its address. Send it now?' : aboutTrial(tool)}
        </span>
      </div>
      {isPending && (
        <p className={shared.caption} role="status">
          <Spinner /> It runs.
        </p>
      )}
      {trial.isError && <ErrorNote error={trial.error} />}
      {trial.data !== undefined && !isPending && <Outcome tried={trial.data} />}
    </>
  )
}

function aboutTrial({ effect, isOutside = false }: TriedToolFace): string {
  if (isOutside && effect !== 'read')
    return 'This request may change something at its address, so you are asked again before it is sent.'
  if (isOutside) return 'Sent from this server now. The result is not stored.'
  if (effect === 'read') return 'Runs on this server now. It changes nothing, and its result is not stored.'
  return 'Runs on this server now. Files go to a separate folder for trials, not to any thread.'
}

const outcomes = {
  ok: { tone: 'ok', icon: 'check', word: 'Done' },
  error: { tone: 'error', icon: 'circle-x', word: 'Refused' },
  timeout: { tone: 'error', icon: 'clock', word: 'Timed out' },
} as const

function Outcome({ tried }: { tried: TriedTool }) {
  const [isRaw, setRaw] = useState(false)
  const { tone, icon, word } = outcomes[tried.status]
  return (
    <section aria-label="Result" className={styles.outcome}>
      <header className={shared.row}>
        <Chip tone={tone} icon={icon}>
          {word}
        </Chip>
        <span className={shared.caption}>{duration(tried.durationMs)}</span>
        {tried.code !== null && <code className={shared.caption}>{tried.code}</code>}
        <Button
          size="s"
          variant="quiet"
          pressed={isRaw}
          className={styles.raw}
          onClick={() => setRaw(!isRaw)}
        >
          Raw
        </Button>
      </header>
      {isRaw ? <JsonTree value={tried.result.blocks} /> : <Blocks blocks={tried.result.blocks} />}
      {tried.metadata !== undefined && (
        <>
          <p className={shared.caption}>Metadata, not sent to the model</p>
          <JsonTree value={tried.metadata} />
        </>
      )}
    </section>
  )
}
