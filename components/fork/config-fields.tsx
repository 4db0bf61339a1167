'use client'
/** The fields for a fork's config: the run's or the draft, another model, other instructions. */
import { useId } from 'react'
import { useModels } from '#components/data/models'
import { useRunView } from '#components/data/runs'
import { Property, Select, TextArea } from '#components/ui/field'
import { type ForkConfigDraft, modelKey, modelLabel } from './fork-config'
import styles from './fork-dialog.module.css'

export interface ConfigFieldsProps {
  readonly runId: string
  /** The agent of a run inside a call, whose model can be changed. */
  readonly agent: string | undefined
  readonly value: ForkConfigDraft
  onChange(value: ForkConfigDraft): void
}

const configs = [
  { value: 'run', label: 'Same as in this run' },
  { value: 'draft', label: 'With the current draft' },
]

export function ConfigFields({ runId, agent, value, onChange }: ConfigFieldsProps) {
  const id = useId()
  const run = useRunView(runId).data
  const models = useModels().data?.items ?? []
  const own = run?.config.instructions
  const { isDraft, model, instructions } = value
  return (
    <>
      {agent === undefined && (
        <Property label="Agent" htmlFor={`${id}-agent`} wide>
          <Select
            id={`${id}-agent`}
            value={isDraft ? 'draft' : 'run'}
            options={configs}
            onChange={(next) => onChange({ ...value, isDraft: next === 'draft' })}
          />
        </Property>
      )}
      <Property label="Model" htmlFor={`${id}-model`} wide>
        <Select
          id={`${id}-model`}
          value={model === null ? '' : modelKey(model)}
          options={[
            { value: '', label: sameModel(agent, isDraft) },
            ...models.map((each) => ({ value: modelKey(each), label: modelLabel(each) })),
          ]}
          onChange={(key) =>
            onChange({ ...value, model: models.find((each) => modelKey(each) === key) ?? null })
          }
        />
      </Property>
      {agent === undefined && (
        <label className={styles.keeps} htmlFor={`${id}-changes`}>
          <input
            id={`${id}-changes`}
            type="checkbox"
            checked={instructions !== null}
            onChange={(event) =>
              onChange({
                ...value,
                instructions: event.target.checked ? (typeof own === 'string' ? own : '') : null,
              })
            }
          />
          Change the instructions
        </label>
      )}
      {instructions !== null && (
        <Property label="Instructions" htmlFor={`${id}-instructions`} wide>
          <TextArea
            id={`${id}-instructions`}
            rows={6}
            value={instructions}
            onChange={(next) => onChange({ ...value, instructions: next })}
          />
        </Property>
      )}
    </>
  )
}

function sameModel(agent: string | undefined, isDraft: boolean): string {
  if (agent !== undefined) return `The model of ${agent}`
  return isDraft ? 'The model of the draft' : 'The model of this run'
}
