'use client'
/** Where a person changes the plan of a run that is under way. */
import { useMutation } from '@tanstack/react-query'
import { useReducer } from 'react'
import { ApiError, api } from '#components/data/client'
import { planStatusWords } from '#components/run/plan-words'
import { Button, IconButton } from '#components/ui/button'
import { Select, TextField } from '#components/ui/field'
import { ErrorNote } from '#components/ui/notice'
import { type HeldPlan, maxPlanTextChars, maxPlanTitleChars, mostPlanSteps, planStatus } from '#lib/spec/plan'
import { type DraftStep, draftOf, editDraft, type PlanEdit, planOf } from './plan-draft'
import styles from './plan-view.module.css'

interface PlanEditorProps {
  readonly runId: string
  /** The plan when the person began, and as the run has it now. */
  readonly from: HeldPlan
  readonly now: HeldPlan
  readonly isOver: boolean
  onClose(): void
}

export function PlanEditor({ runId, from, now, isOver, onClose }: PlanEditorProps) {
  const [draft, edit] = useReducer(editDraft, from, draftOf)
  const plan = planOf(draft)
  const save = useMutation({
    mutationFn: async (revision: number) => {
      if (typeof plan !== 'string') await api.runs.editPlan(runId, { revision, plan })
    },
    onSuccess: onClose,
  })
  const isStale = now.revision !== draft.revision && !save.isPending && !save.isSuccess
  const isRefused =
    save.error !== null && !(save.error instanceof ApiError && save.error.code === 'stale_revision')
  return (
    <form
      className={styles.plan}
      aria-label="Change the plan"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isStale) save.mutate(draft.revision)
      }}
    >
      <div className={styles.head}>
        <TextField
          aria-label="Title of the plan"
          value={draft.plan.title}
          maxLength={maxPlanTitleChars}
          autoFocus
          onChange={(title) => edit({ do: 'title', title })}
        />
        <Button size="s" onClick={onClose}>
          Discard
        </Button>
        <Button
          size="s"
          variant="primary"
          type="submit"
          disabled={typeof plan === 'string' || isStale || isOver || save.isPending}
        >
          Save
        </Button>
      </div>
      <p className={styles.hint} role="status">
        {isOver
          ? 'The run is over, so its plan stays as it is.'
          : typeof plan === 'string'
            ? plan
            : 'The agent reads the change at its next step.'}
      </p>
      {isStale && !isOver && (
        <div className={styles.stale} role="alert">
          <span>The plan has changed since you began.</span>
          <Button size="s" disabled={typeof plan === 'string'} onClick={() => save.mutate(now.revision)}>
            Save mine over it
          </Button>
          <Button size="s" onClick={onClose}>
            Show the new one
          </Button>
        </div>
      )}
      {isRefused && <ErrorNote error={save.error} />}
      <ol>
        {draft.steps.map((step, at) => (
          <StepFields key={step.key} step={step} at={at} count={draft.steps.length} onEdit={edit} />
        ))}
      </ol>
      <Button
        size="s"
        variant="quiet"
        icon="plus"
        disabled={draft.steps.length >= mostPlanSteps}
        onClick={() => edit({ do: 'add' })}
      >
        Add a step
      </Button>
    </form>
  )
}

const statuses = planStatus.options.map((value) => ({ value, label: planStatusWords[value].word }))

interface StepFieldsProps {
  readonly step: DraftStep
  readonly at: number
  readonly count: number
  onEdit(edit: PlanEdit): void
}

function StepFields({ step, at, count, onEdit }: StepFieldsProps) {
  const number = at + 1
  return (
    <li className={styles.fields}>
      <Select
        aria-label={`State of step ${number}`}
        value={step.status}
        options={statuses}
        onChange={(value) => {
          const { data: status } = planStatus.safeParse(value)
          if (status !== undefined) onEdit({ do: 'step', at, change: { status } })
        }}
      />
      <TextField
        aria-label={`Step ${number}`}
        placeholder="What is to be done"
        value={step.text}
        maxLength={maxPlanTitleChars}
        onChange={(text) => onEdit({ do: 'step', at, change: { text } })}
      />
      <TextField
        aria-label={`Note of step ${number}`}
        placeholder="Note"
        value={step.note ?? ''}
        maxLength={maxPlanTextChars}
        onChange={(note) => onEdit({ do: 'step', at, change: { note } })}
      />
      <span className={styles.moves}>
        <IconButton
          size="s"
          icon="arrow-up"
          label={`Move step ${number} up`}
          disabled={at === 0}
          onClick={() => onEdit({ do: 'move', at, by: -1 })}
        />
        <IconButton
          size="s"
          icon="arrow-down"
          label={`Move step ${number} down`}
          disabled={at === count - 1}
          onClick={() => onEdit({ do: 'move', at, by: 1 })}
        />
        <IconButton
          size="s"
          icon="trash-2"
          label={`Remove step ${number}`}
          onClick={() => onEdit({ do: 'remove', at })}
        />
      </span>
    </li>
  )
}
