'use client'
/**
 * A code, JSON or markdown editor. It loads CodeMirror on first use; until then it is a plain field of the
 * same size.
 */
import { type ComponentType, useEffect, useId, useRef, useState } from 'react'
import { shortenText } from '#lib/spec/line'
import { join } from './button'
import styles from './code-editor.module.css'
import type { EditorViewProps } from './code-editor-view'
import { type CodeEditorProps, indents } from './code-languages'
import { useFieldHelp } from './property'

const lineHeight = 18
const around = 14

/**
 * Characters. A plain field lays out its whole text again at each keystroke, so a longer text needs the
 * editor.
 */
export const longestPlain = 20_000

let fetched: ComponentType<EditorViewProps> | null = null

export function CodeEditor(props: CodeEditorProps) {
  const { language, minLines = 3, maxLines = 20, readOnly = false, fills = false } = props
  const told = useFieldHelp()
  const field = useRef<HTMLTextAreaElement>(null)
  const [View, setView] = useState<ComponentType<EditorViewProps> | null>(() => fetched)
  const [taken, setTaken] = useState<EditorViewProps['taken']>(null)
  const help = useId()
  useEffect(() => {
    if (fetched !== null) {
      // Another editor may have loaded it since this one was rendered.
      setView(() => fetched)
      return
    }
    let isGone = false
    const show = ({ EditorView }: typeof import('./code-editor-view')) => {
      fetched = EditorView
      if (isGone) return
      const { current } = field
      // A person who is already writing keeps their selection.
      if (current !== null && document.activeElement === current)
        setTaken({ from: current.selectionStart, to: current.selectionEnd })
      setView(() => EditorView)
    }
    // If the editor cannot be loaded, the plain field stays.
    import('./code-editor-view').then(show, () => undefined)
    return () => {
      isGone = true
    }
  }, [])
  const isInvalid = props.invalid ?? told.isInvalid
  const isHelped = indents(language) && !readOnly
  const describedBy = join(props.describedBy ?? told.describedBy, isHelped && help) || undefined
  const heights = {
    least: `${minLines * lineHeight + around}px`,
    most: fills ? '100%' : `${maxLines * lineHeight + around}px`,
  }
  return (
    <div
      className={styles.editor}
      data-invalid={isInvalid || undefined}
      data-readonly={readOnly || undefined}
      data-fills={fills || undefined}
    >
      {View === null && props.value.length > longestPlain ? (
        <pre className={styles.plain} style={{ minHeight: heights.least }}>
          {shortenText(props.value, longestPlain)}
        </pre>
      ) : View === null ? (
        <textarea
          ref={field}
          id={props.id}
          className={styles.plain}
          style={{ minHeight: heights.least, height: heightOf(props.value, minLines, maxLines) }}
          value={props.value}
          placeholder={props.placeholder}
          readOnly={readOnly}
          aria-label={props.label}
          aria-describedby={describedBy}
          aria-invalid={isInvalid || undefined}
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: only where a person has just opened it
          autoFocus={props.autoFocus}
          onChange={(event) => props.onChange?.(event.target.value)}
          onBlur={props.onBlur}
        />
      ) : (
        <View {...props} heights={heights} taken={taken} describedBy={describedBy} invalid={isInvalid} />
      )}
      {isHelped && (
        <p id={help} className={styles.help}>
          Tab indents. Esc, then Tab, goes on to the next field.
        </p>
      )}
    </div>
  )
}

function heightOf(value: string, least: number, most: number): number {
  const lines = value.split('\n', most + 1).length
  return Math.min(most, Math.max(least, lines)) * lineHeight + around
}
