'use client'
/** A list of objects that share a schema: each can be edited, moved and removed, and more can be added. */
import { Button, IconButton } from '#components/ui/button'
import { isObject, type JsonValue } from '#lib/spec/json'
import type { ControlProps } from './change'
import { type Field, type FieldFinding, findingsUnder, freshOf, withKey } from './fields'
import { Nested } from './nested'
import styles from './nested.module.css'
import { SchemaForm } from './schema-form'

interface ItemsFieldProps extends ControlProps {
  readonly field: Extract<Field, { control: 'items' }>
  readonly path: string
  readonly findings: readonly FieldFinding[]
}

export function ItemsField({ field, label, hint, path, value, error, findings, onChange }: ItemsFieldProps) {
  const items = Array.isArray(value) ? value : []
  const set = (next: readonly JsonValue[]) =>
    onChange(next.length === 0 && !field.isRequired ? undefined : [...next])
  const put = (at: number, item: JsonValue) => set(items.map((each, index) => (index === at ? item : each)))
  const move = (at: number, by: number) => {
    const rest = items.filter((_, index) => index !== at)
    set([...rest.slice(0, at + by), items[at] ?? null, ...rest.slice(at + by)])
  }
  return (
    <Nested label={label} hint={hint} error={findings.length === 0 ? error : undefined}>
      {items.map((item, at) => {
        const name = `${label} ${at + 1}`
        const held = isObject(item) ? item : {}
        return (
          <Nested
            // biome-ignore lint/suspicious/noArrayIndexKey: an item is identified only by its position
            key={at}
            label={name}
            end={
              <>
                <IconButton
                  icon="arrow-up"
                  size="s"
                  label={`Move ${name} up`}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                />
                <IconButton
                  icon="arrow-down"
                  size="s"
                  label={`Move ${name} down`}
                  disabled={at === items.length - 1}
                  onClick={() => move(at, 1)}
                />
                <IconButton
                  icon="x"
                  size="s"
                  label={`Remove ${name}`}
                  onClick={() => set(items.filter((_, index) => index !== at))}
                />
              </>
            }
          >
            <SchemaForm
              schema={field.schema}
              value={held}
              findings={findingsUnder(findings, String(at))}
              path={`${path}/${at}`}
              onChange={(key, next) => put(at, withKey(held, key, next))}
            />
          </Nested>
        )
      })}
      <Button
        size="s"
        icon="plus"
        className={styles.add}
        disabled={field.most !== undefined && items.length >= field.most}
        onClick={() => set([...items, freshOf(field.schema)])}
      >
        Add
      </Button>
    </Nested>
  )
}
