'use client'
/** A larger editor that fills the page. Escape returns to the inspector. */
import { CodeEditor } from '#components/ui/code-editor'
import type { Language } from '#components/ui/code-languages'
import { WideDialog } from './wide-dialog'
import styles from './wide-dialog.module.css'

export interface LongTextDialogProps {
  readonly label: string
  readonly hint: string
  readonly error: string | undefined
  readonly language: Language
  readonly value: string
  onChange(value: string): void
  onClose(): void
}

export function LongTextDialog({
  label,
  hint,
  error,
  language,
  value,
  onChange,
  onClose,
}: LongTextDialogProps) {
  return (
    <WideDialog
      title={label}
      onClose={onClose}
      foot={
        <>
          <p className={error === undefined ? styles.hint : styles.error} role={error && 'alert'}>
            {error ?? hint}
          </p>
          <span className={styles.figures}>{figures(value)}</span>
        </>
      }
    >
      <CodeEditor
        label={label}
        language={language}
        value={value}
        onChange={onChange}
        invalid={error !== undefined}
        autoFocus
        fills
      />
    </WideDialog>
  )
}

function figures(text: string): string {
  const lines = text === '' ? 0 : text.split('\n').length
  return `${text.length.toLocaleString('en-US')} characters, ${lines.toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'}`
}
