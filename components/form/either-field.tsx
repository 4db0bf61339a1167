'use client'
/** A word, or an object that holds one text: a choice, with a field below it for the text. */
import { useCatalog } from '#components/data/agents'
import { ComboField } from '#components/ui/combo-field'
import { Property, Select } from '#components/ui/field'
import { isObject } from '#lib/spec/json'
import type { ControlProps } from './change'
import { type Field, optionLabel, titleOfKey } from './fields'

interface EitherFieldProps extends ControlProps {
  readonly field: Extract<Field, { control: 'either' }>
}

/** No option has this name: options are words of a schema. */
const object = '{}'

export function EitherField({ id, label, hint, field, value, error, onChange }: EitherFieldProps) {
  const { options, holds } = field
  const tools = useCatalog().data?.tools ?? []
  const held = isObject(value) ? value[holds] : undefined
  const text = typeof held === 'string' ? held : ''
  return (
    <>
      <Property label={label} htmlFor={id} error={held === undefined ? error : undefined} hint={hint}>
        <Select
          id={id}
          value={held === undefined ? String(value ?? '') : object}
          onChange={(next) => onChange(next === object ? { [holds]: '' } : next)}
          options={[
            ...options.map((each) => ({ value: each, label: optionLabel(each) })),
            { value: object, label: `this ${holds}` },
          ]}
        />
      </Property>
      {held !== undefined && (
        <Property
          label={titleOfKey(holds)}
          htmlFor={`${id}-${holds}`}
          error={text === '' ? `Name the ${optionLabel(holds)}.` : error}
        >
          <ComboField
            id={`${id}-${holds}`}
            value={text}
            onChange={(next) => onChange({ [holds]: next })}
            suggestions={holds === 'tool' ? tools.map((each) => each.name) : []}
            placeholder="its name"
          />
        </Property>
      )}
    </>
  )
}
