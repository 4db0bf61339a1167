'use client'
/** A value of a request: a fixed text, a parameter that the model gives, or a secret kept on the server. */
import { Property, Select, TextField } from '#components/ui/field'
import { Segmented } from '#components/ui/segmented'
import { isObject, type JsonValue } from '#lib/spec/json'
import type { Change, ControlProps } from './change'
import styles from './form.module.css'
import { useFormNode } from './form-context'
import { rowsOf } from './parameter-rows'
import { SecretNames } from './secret-field'

type Way = 'text' | 'param' | 'secret'

const ways: readonly { value: Way; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'param', label: 'Parameter' },
  { value: 'secret', label: 'Secret' },
]

const fresh: Readonly<Record<Way, JsonValue>> = { text: '', param: { param: '' }, secret: { secret: '' } }

interface HttpValueProps extends ControlProps {
  readonly canBeParameter: boolean
}

export function HttpValueField({ id, label, hint, error, value, canBeParameter, onChange }: HttpValueProps) {
  const way = wayOf(value)
  return (
    <Property
      label={label}
      htmlFor={id}
      error={error}
      hint={hint}
      wide
      end={
        <Segmented
          label={`What ${label} is`}
          size="s"
          value={way}
          options={canBeParameter ? ways : ways.filter((each) => each.value !== 'param')}
          onChange={(next) => onChange(fresh[next])}
        />
      }
    >
      <div className={styles.stack}>
        <Value way={way} id={id} label={label} value={value} onChange={onChange} />
      </div>
    </Property>
  )
}

function wayOf(value: JsonValue | undefined): Way {
  if (!isObject(value)) return 'text'
  return 'param' in value ? 'param' : 'secret'
}

interface ValueProps extends Pick<ControlProps, 'id' | 'label' | 'value'> {
  readonly way: Way
  readonly onChange: Change
}

function Value({ way, id, label, value, onChange }: ValueProps) {
  const held = isObject(value) ? value : {}
  switch (way) {
    case 'text':
      return <TextField id={id} mono value={typeof value === 'string' ? value : ''} onChange={onChange} />
    case 'param':
      return <Parameters id={id} chosen={String(held.param ?? '')} onChange={onChange} />
    case 'secret': {
      const prefix = typeof held.prefix === 'string' ? held.prefix : ''
      const secret = typeof held.secret === 'string' ? held.secret : ''
      const change = (next: string, before: string) =>
        onChange({ secret: next, ...(before !== '' && { prefix: before }) })
      return (
        <>
          <TextField
            mono
            value={prefix}
            onChange={(next) => change(secret, next)}
            placeholder="text before it, as in “Bearer ”"
            aria-label={`Text before the secret of ${label}`}
          />
          <SecretNames
            id={id}
            chosen={secret}
            onChange={(next) => change(isObject(next) ? String(next.secret) : '', prefix)}
          />
        </>
      )
    }
  }
  return way satisfies never
}

/** The parameters of the entry that the value belongs to. */
function Parameters({ id, chosen, onChange }: { id: string; chosen: string; onChange: Change }) {
  const names = rowsOf(useFormNode()?.node.config.parameters)?.map(({ name }) => name) ?? []
  const isStrange = chosen !== '' && !names.includes(chosen)
  return (
    <Select
      id={id}
      value={chosen}
      onChange={(name) => onChange({ param: name })}
      options={[
        ...(chosen === ''
          ? [{ value: '', label: names.length > 0 ? 'choose one' : 'there are no parameters' }]
          : []),
        ...(isStrange ? [{ value: chosen, label: `${chosen} (not a parameter)` }] : []),
        ...names.map((name) => ({ value: name, label: name })),
      ]}
    />
  )
}
