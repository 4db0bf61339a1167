'use client'
/** A prompt or program in an editor; a button or Mod+E opens a larger one over the page. */
import { useMemo, useRef, useState } from 'react'
import { useCommands } from '#components/commands/commands-context'
import { IconButton } from '#components/ui/button'
import { CodeEditor } from '#components/ui/code-editor'
import { Property } from '#components/ui/field'
import type { Change } from './change'
import type { Field } from './fields'
import { LongTextDialog } from './long-text-dialog'

export interface LongTextFieldProps {
  readonly id: string
  readonly field: Extract<Field, { control: 'multiline' | 'code' }>
  readonly value: string
  readonly error: string | undefined
  readonly unset?: string
  readonly onChange: Change
}

/** The share of the maximum length from which the hint shows how many characters are left. */
const nearly = 0.9

export function LongTextField({ id, field, value, error, unset, onChange }: LongTextFieldProps) {
  const root = useRef<HTMLDivElement>(null)
  const [isBig, setBig] = useState(false)
  const commands = useMemo(
    () => [
      {
        id: `text.enlarge.${id}`,
        label: `Write ${field.label.toLowerCase()} in a bigger editor`,
        group: 'Edit',
        icon: 'maximize',
        keys: ['Mod+E'],
        whileTyping: true,
        isUnlisted: true,
        canRun: () => root.current?.contains(document.activeElement) === true,
        run: () => setBig(true),
      },
    ],
    [id, field.label],
  )
  useCommands(commands)
  const language = field.control === 'code' ? field.language : 'markdown'
  const close = () => {
    setBig(false)
    // The editor may only just have been rendered.
    requestAnimationFrame(() =>
      root.current?.querySelector<HTMLElement>('[contenteditable], textarea')?.focus(),
    )
  }
  return (
    <div ref={root}>
      <Property
        label={field.label}
        htmlFor={id}
        error={error}
        hint={hintOf(field, value)}
        wide
        end={
          <IconButton
            icon="maximize"
            size="s"
            label={`Bigger editor for ${field.label.toLowerCase()}`}
            title="Bigger editor (Mod+E)"
            onClick={() => setBig(true)}
          />
        }
      >
        <CodeEditor
          id={id}
          label={field.label}
          language={language}
          value={value}
          onChange={onChange}
          placeholder={unset}
          minLines={field.control === 'code' ? 6 : (field.minLines ?? 4)}
          maxLines={field.control === 'code' ? 24 : 14}
        />
      </Property>
      {isBig && (
        <LongTextDialog
          label={field.label}
          hint={hintOf(field, value)}
          error={error}
          language={language}
          value={value}
          onChange={onChange}
          onClose={close}
        />
      )}
    </div>
  )
}

function hintOf({ hint, maxLength }: LongTextFieldProps['field'], value: string): string {
  if (maxLength === undefined || value.length < maxLength * nearly) return hint
  const left = maxLength - value.length
  const figure = Math.abs(left).toLocaleString('en-US')
  return `${hint} ${figure} characters ${left < 0 ? 'too many' : 'left'}.`.trim()
}
