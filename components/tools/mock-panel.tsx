'use client'
/** The mock of a tool: what answers its calls in runs of the draft, in place of the tool. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, api } from '#components/data/client'
import { trialKeys } from '#components/data/trials'
import { useNow } from '#components/run/use-now'
import { moment } from '#components/run/when'
import { Button } from '#components/ui/button'
import { CodeEditor } from '#components/ui/code-editor'
import { Property, Select, Switch, TextField } from '#components/ui/field'
import { ErrorNote } from '#components/ui/notice'
import { NumberProperty } from '#components/ui/number-property'
import { RemovalDialog } from '#components/ui/removal-dialog'
import { Segmented } from '#components/ui/segmented'
import shared from '#components/ui/shared.module.css'
import { shortenText } from '#lib/spec/line'
import { type MockAnswer, maxMockDelayMs } from '#lib/spec/mock'
import type { KeptMock } from '#lib/spec/trial'
import type { TrialTool } from '#lib/wire/trials'
import { draftOf, type MockDraft, mockIn, type Refusals } from './mock-draft'
import styles from './mock-panel.module.css'
import { mockSentence } from './mock-words'
import { useRecentRuns } from './use-recent-runs'

export function MockPanel({ agentId, tool }: { agentId: string; tool: TrialTool }) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => draftOf(tool.mock?.mock))
  const [isAsked, setAsked] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const settle = () => queries.invalidateQueries({ queryKey: trialKeys.tools(agentId) })
  const saving = useMutation({
    mutationFn: (kept: KeptMock) => api.trials.saveMock(agentId, tool.name, kept),
    onSettled: settle,
  })
  const removal = useMutation({
    mutationFn: () => api.trials.removeMock(agentId, tool.name),
    onSuccess: () => {
      setRemoving(false)
      setDraft(draftOf(undefined))
    },
    onSettled: settle,
  })
  const { mock: kept } = tool
  const read = mockIn(draft)
  const isChanged = read.ok && JSON.stringify(read.mock) !== JSON.stringify(kept?.mock)
  // What is missing is reported only after the person asked to save.
  const errors = read.ok ? refusalsOf(saving.error) : isAsked ? read.refusals : {}
  const change = (more: Partial<MockDraft>) => {
    saving.reset()
    setDraft({ ...draft, ...more })
  }
  return (
    <div className={styles.panel}>
      <p className={shared.plain}>
        In runs of the draft, a mock answers the calls of this tool, and the tool itself does not run.
        Policies and approvals still apply. Published versions, agent keys and MCP never use a mock, nor does
        this agent when another one calls it. No export contains one.
      </p>
      {kept !== undefined && (
        <Property label="In use">
          <div className={styles.switchRow}>
            <Switch
              checked={kept.on}
              label="Mock in use"
              onChange={(on) => saving.mutate({ mock: kept.mock, on })}
            />
            {kept.on ? 'on: new runs of the draft use it' : 'off: it is kept, but not used'}
          </div>
        </Property>
      )}
      <Answer agentId={agentId} tool={tool} draft={draft} errors={errors} onChange={change} />
      <NumberProperty
        label="Delay"
        error={errors.delayMs}
        hint="The wait before the answer. It counts toward the time limit of the call."
        value={draft.delayMs}
        onChange={(delayMs) => change({ delayMs })}
        unit="ms"
        placeholder="0"
        min={0}
        max={maxMockDelayMs}
        step={100}
        fallback={0}
      />
      <Failure draft={draft} errors={errors} onChange={change} />
      {read.ok && <p className={styles.sentence}>{mockSentence(read.mock)}</p>}
      <div className={styles.actions}>
        <Button
          variant="primary"
          disabled={saving.isPending || (kept !== undefined && read.ok && !isChanged)}
          onClick={() => {
            setAsked(true)
            if (read.ok) saving.mutate({ mock: read.mock, on: kept?.on ?? true })
          }}
        >
          {kept === undefined ? 'Mock this tool' : 'Save the mock'}
        </Button>
        {kept !== undefined && (
          <Button icon="trash-2" onClick={() => setRemoving(true)}>
            Remove it
          </Button>
        )}
        {saving.isSuccess && !isChanged && (
          <span className={shared.caption} role="status">
            Saved. New runs use it.
          </span>
        )}
      </div>
      {saving.isError && Object.keys(errors).length === 0 && <ErrorNote error={saving.error} />}
      {isRemoving && (
        <RemovalDialog
          title={`Remove the mock of ${tool.name}?`}
          verb="Remove it"
          isPending={removal.isPending}
          error={removal.error}
          onRemove={() => removal.mutate()}
          onClose={() => setRemoving(false)}
        >
          <p>
            New runs of the draft call the tool itself. To keep the mock for later, switch it off instead.
          </p>
        </RemovalDialog>
      )}
    </div>
  )
}

interface PartProps {
  readonly draft: MockDraft
  readonly errors: Refusals
  onChange(more: Partial<MockDraft>): void
}

const kinds: readonly { readonly value: MockAnswer['kind']; readonly label: string }[] = [
  { value: 'fixed', label: 'A fixed result' },
  { value: 'echo', label: 'Echo' },
  { value: 'recorded', label: 'A recorded run' },
]

function Answer({
  agentId,
  tool,
  draft,
  errors,
  onChange,
}: PartProps & { agentId: string; tool: TrialTool }) {
  if (draft.fails === 'always') return null
  return (
    <>
      <Property label="Answer">
        <Segmented<MockAnswer['kind']>
          isField
          label="Answer"
          value={draft.kind}
          onChange={(kind) => onChange({ kind })}
          options={kinds}
        />
      </Property>
      {draft.kind === 'fixed' && (
        <Property
          label="Result"
          wide
          error={errors.text}
          hint="What the model reads as the result of each call."
          end={
            <Segmented<MockDraft['format']>
              label="Format of the result"
              size="s"
              value={draft.format}
              onChange={(format) => onChange({ format })}
              options={[
                { value: 'text', label: 'Text' },
                { value: 'json', label: 'JSON' },
              ]}
            />
          }
        >
          <CodeEditor
            label="Result"
            language={draft.format === 'json' ? 'json' : 'markdown'}
            value={draft.text}
            minLines={4}
            maxLines={16}
            onChange={(text) => onChange({ text })}
          />
        </Property>
      )}
      {draft.kind === 'echo' && (
        <p className={shared.quiet}>Each call gets its own arguments back, as JSON.</p>
      )}
      {draft.kind === 'recorded' && (
        <RunChoice agentId={agentId} tool={tool} draft={draft} errors={errors} onChange={onChange} />
      )}
    </>
  )
}

function RunChoice({
  agentId,
  tool,
  draft,
  errors,
  onChange,
}: PartProps & { agentId: string; tool: TrialTool }) {
  const runs = useRecentRuns(agentId, true)
  const now = useNow(false)
  const using = (runs.data?.items ?? []).filter(
    ({ toolCalls, finishedAt }) => finishedAt !== null && toolCalls.some(({ name }) => name === tool.name),
  )
  const options = using.map(({ id, input, finishedAt }) => ({
    value: id,
    label: `${shortenText(input, 60)} (${moment(finishedAt ?? 0, now)})`,
  }))
  const isListed = options.some(({ value }) => value === draft.runId)
  return (
    <>
      {runs.isError && <ErrorNote error={runs.error} onRetry={() => void runs.refetch()} />}
      <Property
        label="Run"
        htmlFor="mock-run"
        error={errors.runId}
        hint={
          options.length === 0 && runs.data !== undefined
            ? 'None of the last 50 runs of this agent has called the tool. Enter the id of another run.'
            : 'A call gets the result of the call with the same arguments in that run. Without one, it fails.'
        }
      >
        <Select
          id="mock-run"
          value={isListed ? draft.runId : ''}
          onChange={(runId) => onChange({ runId })}
          options={[{ value: '', label: isListed ? 'Another run' : 'Choose a run' }, ...options]}
        />
      </Property>
      {!isListed && (
        <Property label="Its id" htmlFor="mock-run-id">
          <TextField
            id="mock-run-id"
            value={draft.runId}
            onChange={(runId) => onChange({ runId: runId.trim() })}
            placeholder="run_…"
            mono
          />
        </Property>
      )}
    </>
  )
}

function Failure({ draft, errors, onChange }: PartProps) {
  return (
    <>
      <Property label="Fails">
        <Segmented<MockDraft['fails']>
          isField
          label="Fails"
          value={draft.fails}
          onChange={(fails) => onChange({ fails })}
          options={[
            { value: 'never', label: 'Never' },
            { value: 'first', label: 'The first tries' },
            { value: 'always', label: 'Always' },
          ]}
        />
      </Property>
      {draft.fails === 'first' && (
        <NumberProperty
          label="How many"
          error={errors.times}
          hint="Counted over the whole run, with repeated tries of one call. After these, it answers."
          value={draft.times}
          onChange={(times) => onChange({ times })}
          unit="tries"
          min={1}
          max={1_000}
          fallback={1}
        />
      )}
      {draft.fails !== 'never' && (
        <>
          <Property label="Code" htmlFor="mock-code" error={errors.code}>
            <TextField
              id="mock-code"
              value={draft.code}
              onChange={(code) => onChange({ code })}
              placeholder="busy"
              mono
              spellCheck={false}
            />
          </Property>
          <Property
            label="Message"
            htmlFor="mock-message"
            error={errors.message}
            hint="What the model reads."
          >
            <TextField
              id="mock-message"
              value={draft.message}
              onChange={(message) => onChange({ message })}
            />
          </Property>
          <Property label="May pass">
            <div className={styles.switchRow}>
              <Switch
                checked={draft.mayPass}
                label="The failure may pass"
                onChange={(mayPass) => onChange({ mayPass })}
              />
              {draft.mayPass
                ? 'The call is tried again where the agent retries.'
                : 'The call is not tried again.'}
            </div>
          </Property>
        </>
      )}
    </>
  )
}

/** What the server says of single fields. */
function refusalsOf(error: unknown): Refusals {
  if (!(error instanceof ApiError) || error.path === undefined) return {}
  const key = error.path.split('/').at(-1) ?? ''
  return ['text', 'runId', 'delayMs', 'code', 'message', 'times'].includes(key)
    ? { [key]: error.message }
    : {}
}
