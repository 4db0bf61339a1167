'use client'
/** The parameters of a tool of one's own: a table with a row for each, or their JSON Schema. */
import { useState } from 'react'
import { IconButton } from '#components/ui/button'
import { Select, TextField } from '#components/ui/field'
import { Segmented } from '#components/ui/segmented'
import type { JsonValue } from '#lib/spec/json'
import type { Change, ControlProps } from './change'
import { useDraft } from './form-context'
import { JsonField } from './json-field'
import { Nested } from './nested'
import { NewName } from './new-name'
import { addRow, changeRow, type ParameterRow, parameterTypes, removeRow, rowsOf } from './parameter-rows'
import styles from './parameters-field.module.css'

interface ParametersProps extends ControlProps {
  readonly path: string
  readonly fallback: JsonValue | undefined
}

const ways = [
  { value: 'table', label: 'Table' },
  { value: 'json', label: 'Schema' },
]

export function ParametersField({ fallback, ...control }: ParametersProps) {
  const { label, error, value, onChange } = control
  const [draft] = useDraft(control.path)
  // Text that is not JSON yet is shown again where it was typed.
  const [way, setWay] = useState(draft === null ? 'table' : 'json')
  const rows = rowsOf(value ?? fallback)
  const isTable = way === 'table' && rows !== undefined
  const switcher = rows !== undefined && (
    <Segmented label={`How ${label} are edited`} size="s" value={way} options={ways} onChange={setWay} />
  )
  return (
    <Nested label={label} error={isTable ? error : undefined} end={switcher}>
      {isTable ? (
        <Rows rows={rows} value={value ?? fallback} onChange={onChange} />
      ) : (
        <JsonField {...control} label="Schema" fallback={fallback} />
      )}
    </Nested>
  )
}

interface RowsProps {
  readonly rows: readonly ParameterRow[]
  readonly value: JsonValue | undefined
  readonly onChange: Change
}

function Rows({ rows, value, onChange }: RowsProps) {
  const names = rows.map(({ name }) => name)
  return (
    <>
      {rows.map((row) => (
        <Row
          key={row.name}
          row={row}
          taken={names.filter((name) => name !== row.name)}
          onChange={(change) => onChange(changeRow(value, row.name, change))}
          onRemove={() => onChange(removeRow(value, row.name))}
        />
      ))}
      <NewName
        placeholder="add a parameter"
        label="Name of a parameter to add"
        action="Add the parameter"
        isTaken={(name) => names.includes(name)}
        onAdd={(name) => onChange(addRow(value, name))}
      />
    </>
  )
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'yes or no',
  array: 'list',
}

interface RowProps {
  readonly row: ParameterRow
  /** The names of the other parameters. */
  readonly taken: readonly string[]
  onChange(change: Partial<ParameterRow>): void
  onRemove(): void
}

function Row({ row: { name, type, description, isRequired }, taken, onChange, onRemove }: RowProps) {
  const [typed, setTyped] = useState<string>()
  const isWrong = typed !== undefined && (typed.trim() === '' || taken.includes(typed.trim()))
  const rename = () => {
    if (typed !== undefined && !isWrong && typed.trim() !== name) onChange({ name: typed.trim() })
    setTyped(undefined)
  }
  const known: readonly string[] = parameterTypes
  return (
    <div className={styles.row} role="group" aria-label={`Parameter ${name}`}>
      <div className={styles.first}>
        <TextField
          value={typed ?? name}
          onChange={setTyped}
          onBlur={rename}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) rename()
          }}
          mono
          invalid={isWrong}
          aria-label="Name"
        />
        <Select
          value={type}
          onChange={(next) => onChange({ type: next })}
          aria-label={`Type of ${name}`}
          options={[
            { value: '', label: 'any' },
            ...(type === '' || known.includes(type) ? [] : [{ value: type, label: type }]),
            ...known.map((each) => ({ value: each, label: typeWords[each] ?? each })),
          ]}
        />
        <IconButton icon="x" size="s" label={`Remove ${name}`} onClick={onRemove} />
      </div>
      <TextField
        value={description}
        onChange={(next) => onChange({ description: next })}
        placeholder="what it is, for the model"
        aria-label={`Description of ${name}`}
      />
      <label className={styles.tick}>
        <input type="checkbox" checked={isRequired} onChange={() => onChange({ isRequired: !isRequired })} />
        required
      </label>
    </div>
  )
}
