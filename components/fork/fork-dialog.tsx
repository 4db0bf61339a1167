'use client'
/** Asks what a fork changes at a step, and shows what is kept and what runs again. */
import { type KeyboardEvent, useId, useState } from 'react'
import { ArgumentsForm, canSend } from '#components/approval/arguments-form'
import { useCatalog } from '#components/data/agents'
import { api } from '#components/data/client'
import type { ForkAim } from '#components/run/fork-context'
import { Button } from '#components/ui/button'
import { CodeEditor, longestPlain } from '#components/ui/code-editor'
import { Dialog } from '#components/ui/dialog'
import { Property, Select, TextArea } from '#components/ui/field'
import { ErrorNote } from '#components/ui/notice'
import { Segmented } from '#components/ui/segmented'
import { toolOf } from '#lib/graph/kinds'
import { isObject, type JsonValue } from '#lib/spec/json'
import { textOf } from '#lib/spec/message'
import type { CallState, StepState } from '#lib/spec/state'
import type { ForkEditBody } from '#lib/wire/runs'
import { ConfigFields } from './config-fields'
import { requestOf, sameConfig } from './fork-config'
import styles from './fork-dialog.module.css'
import { callsFor, type ForkWay, forkWords, stepsIn, summaryOf, waysOf } from './fork-words'

export interface ForkDialogProps {
  readonly runId: string
  /** The run's question. */
  readonly input: string
  readonly step: StepState
  /** The name of the agent whose step it is, where another one called it. */
  readonly agent: string | undefined
  readonly aim: ForkAim
  onClose(): void
  onForked(runId: string): void
}

/** What a person has written so far, by kind of change; absent when unchanged. */
interface Draft {
  readonly prompt?: string
  readonly reply?: string
  readonly summary?: string
  readonly keepsCalls: boolean
  readonly args: Readonly<Record<string, JsonValue>>
  readonly results: Readonly<Record<string, string>>
}

export function ForkDialog({ runId, input, step, agent, aim, onClose, onForked }: ForkDialogProps) {
  const ways = waysOf(step, agent)
  const [way, setWay] = useState<ForkWay>(ways.find(({ value }) => value === aim.edit)?.value ?? 'again')
  const [chosen, setChosen] = useState(aim.callId)
  const [draft, setDraft] = useState<Draft>({ keepsCalls: true, args: {}, results: {} })
  const [config, setConfig] = useState(sameConfig)
  const [isForking, setForking] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const { data: catalog } = useCatalog()
  const calls = callsFor(way, step)
  const call = calls.find(({ id }) => id === chosen) ?? calls[0]
  const parameters = call && catalog && toolOf(catalog, call.name)?.parameters
  const edit = editOf(way, { input, step, call, draft })
  const canFork =
    !isForking &&
    edit !== null &&
    (way !== 'args' ||
      call === undefined ||
      canSend({ args: call.args ?? {}, edited: draft.args[call.id] ?? call.args ?? {}, parameters }))
  const fork = async () => {
    if (!canFork) return
    setForking(true)
    setFailure(null)
    try {
      const made = await api.runs.fork(runId, {
        step: step.number,
        ...(aim.parent !== undefined && { parent: aim.parent }),
        ...(edit !== undefined && ('summary' in edit ? edit : { edit })),
        ...requestOf(config),
      })
      onForked(made.id)
    } catch (error) {
      setFailure(error)
      setForking(false)
    }
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    void fork()
  }
  return (
    <Dialog
      title={`Fork from ${step.summary ? 'the closing answer' : `step ${step.number}`}${agent === undefined ? '' : ` of ${agent}`}`}
      wide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" icon="git-fork" disabled={!canFork} onClick={() => void fork()}>
            {isForking ? 'Forking' : 'Fork'}
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the button below, which works on its own */}
      <div className={styles.form} onKeyDown={keys}>
        <Property label="Change" wide>
          <Segmented
            label="What to change"
            value={way}
            options={ways}
            isField
            onChange={(next: ForkWay) => setWay(next)}
          />
        </Property>
        {calls.length > 1 && call !== undefined && (
          <CallChoice step={step} calls={calls} value={call.id} onChange={setChosen} />
        )}
        {way === 'args' && call !== undefined ? (
          <ArgumentsForm
            key={call.id}
            args={call.args ?? {}}
            edited={draft.args[call.id] ?? call.args ?? {}}
            parameters={parameters}
            onChange={(next) => setDraft({ ...draft, args: { ...draft.args, [call.id]: next } })}
          />
        ) : (
          <Words key={`${way} ${call?.id}`} {...{ way, input, step, call, draft }} onChange={setDraft} />
        )}
        <ConfigFields runId={runId} agent={agent} value={config} onChange={setConfig} />
        <ul className={styles.kept}>
          {[...forkWords(way, { step, call, agent }), 'The thread’s files are copied as they are now.'].map(
            (each) => (
              <li key={each}>{each}</li>
            ),
          )}
        </ul>
        {failure !== null && <ErrorNote error={failure} />}
      </div>
    </Dialog>
  )
}

interface CallChoiceProps {
  readonly step: StepState
  readonly calls: readonly CallState[]
  readonly value: string
  onChange(callId: string): void
}

function CallChoice({ step, calls, value, onChange }: CallChoiceProps) {
  const id = useId()
  const options = calls.map((each) => ({
    value: each.id,
    label: `${step.calls.indexOf(each) + 1}. ${each.name}`,
  }))
  return (
    <Property label="Call" htmlFor={id} wide>
      <Select id={id} value={value} options={options} onChange={onChange} />
    </Property>
  )
}

interface Written {
  readonly input: string
  readonly step: StepState
  readonly call: CallState | undefined
  readonly draft: Draft
}

/** The text that replaces the question, the reply or a result. */
function Words({ way, onChange, ...written }: Written & { way: ForkWay; onChange(draft: Draft): void }) {
  const id = useId()
  const { step, call, draft } = written
  if (way === 'prompt')
    return (
      <Property label="Question" htmlFor={id} wide>
        <WordsField
          id={id}
          label="Question"
          rows={4}
          value={promptOf(written)}
          onChange={(prompt) => onChange({ ...draft, prompt })}
        />
      </Property>
    )
  if (way === 'reply')
    return (
      <>
        <Property label="Reply" htmlFor={id} wide>
          <WordsField
            id={id}
            label="Reply"
            rows={6}
            value={replyOf(written)}
            onChange={(reply) => onChange({ ...draft, reply })}
          />
        </Property>
        {step.calls.length > 0 && (
          <label className={styles.keeps} htmlFor={`${id}-calls`}>
            <input
              id={`${id}-calls`}
              type="checkbox"
              checked={draft.keepsCalls}
              onChange={(event) => onChange({ ...draft, keepsCalls: event.target.checked })}
            />
            Make its calls, which run again: {step.calls.map(({ name }) => name).join(', ')}
          </label>
        )}
      </>
    )
  if (way === 'summary') {
    const label = `Summary of ${stepsIn(step)}`
    return (
      <Property label={label} htmlFor={id} wide>
        <WordsField
          id={id}
          label={label}
          rows={8}
          value={summaryIn(written)}
          onChange={(summary) => onChange({ ...draft, summary })}
        />
      </Property>
    )
  }
  if (way !== 'result' || call === undefined) return null
  return (
    <Property label={`Result of ${call.name}`} htmlFor={id} wide>
      <WordsField
        id={id}
        label={`Result of ${call.name}`}
        mono
        rows={8}
        value={resultOf(call, draft)}
        onChange={(text) => onChange({ ...draft, results: { ...draft.results, [call.id]: text } })}
      />
    </Property>
  )
}

interface WordsFieldProps {
  readonly id: string
  readonly label: string
  readonly rows: number
  readonly mono?: boolean
  readonly value: string
  onChange(text: string): void
}

function WordsField({ label, ...field }: WordsFieldProps) {
  // Decided from the initial text: changing the type of the field would lose the cursor position.
  const [isLong] = useState(field.value.length > longestPlain)
  if (!isLong) return <TextArea {...field} />
  const { id, rows, value, onChange } = field
  return (
    <CodeEditor
      id={id}
      label={label}
      language="text"
      minLines={rows}
      maxLines={rows}
      value={value}
      onChange={onChange}
    />
  )
}

function promptOf({ input, draft }: Written): string {
  return draft.prompt ?? input
}

function replyOf({ step, draft }: Written): string {
  return draft.reply ?? textOf(step.parts ?? [])
}

function summaryIn({ step, draft }: Written): string {
  return draft.summary ?? summaryOf(step)?.summary ?? ''
}

function resultOf(call: CallState, draft: Draft): string {
  return draft.results[call.id] ?? call.result?.text ?? ''
}

/** Undefined when nothing is changed, null while the written text is not enough yet. */
function editOf(
  way: ForkWay,
  written: Written,
): ForkEditBody | { readonly summary: string } | undefined | null {
  const { step, call, draft } = written
  switch (way) {
    case 'again':
      return undefined
    case 'prompt': {
      const prompt = promptOf(written)
      return prompt.trim() === '' ? null : { prompt }
    }
    case 'reply': {
      const text = replyOf(written)
      const rest = (step.parts ?? []).filter(({ type }) => type === 'call' && draft.keepsCalls)
      const reply = [...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]), ...rest]
      return reply.length === 0 ? null : { reply }
    }
    case 'summary': {
      const summary = summaryIn(written)
      return summary.trim() === '' ? null : { summary }
    }
    case 'args': {
      const args = call && (draft.args[call.id] ?? call.args ?? {})
      return call !== undefined && isObject(args) ? { callId: call.id, args } : null
    }
    case 'result':
      return call === undefined ? null : { callId: call.id, result: resultOf(call, draft) }
  }
  return way satisfies never
}
