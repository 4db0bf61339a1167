'use client'
/** The CodeMirror editor in the product's colours. It is loaded only when a text is first edited or shown. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { markdown } from '@codemirror/lang-markdown'
import { sql } from '@codemirror/lang-sql'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import { openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { classHighlighter } from '@lezer/highlight'
import CodeMirror, {
  EditorView as CodeMirrorView,
  Decoration,
  EditorSelection,
  type Extension,
  highlightSpecialChars,
  type KeyBinding,
  keymap,
  lineNumbers,
  MatchDecorator,
  RangeSetBuilder,
  ViewPlugin,
  type ViewUpdate,
} from '@uiw/react-codemirror'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type CodeEditorProps, indents, type Language } from './code-languages'
import { pythonLanguage } from './python-language'

export interface EditorViewProps extends CodeEditorProps {
  /** CSS heights. */
  readonly heights: { readonly least: string; readonly most: string }
  /** The selection of the plain field that the editor replaces, if that field had the focus. */
  readonly taken: { readonly from: number; readonly to: number } | null
}

/** Characters. A parser may read a long line in one go, so a longer text gets no syntax colours. */
const longestParsed = 200_000

export function EditorView(props: EditorViewProps) {
  const { value, language, label, id, readOnly = false, describedBy, invalid, marks, taken, searches } = props
  const view = useRef<CodeMirrorView | null>(null)
  // Decided once, from the text the editor opens with: replacing the editor would lose its undo history.
  const [isLarge] = useState(() => value.length > longestParsed)
  const extensions = useMemo(
    () => [
      ...(isLarge ? plainSetup(readOnly) : setup(language, readOnly)),
      CodeMirrorView.contentAttributes.of({
        'aria-label': label,
        ...(id === undefined ? {} : { id }),
        ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
        ...(invalid ? { 'aria-invalid': 'true' } : {}),
        // A read-only editor can be reached by Tab too, so that it can be scrolled by keyboard.
        ...(readOnly ? { tabindex: '0', 'aria-readonly': 'true' } : {}),
      }),
      ...(marks === undefined ? [] : [markedLines(marks)]),
    ],
    [language, isLarge, readOnly, label, id, describedBy, invalid, marks],
  )
  useEffect(() => {
    if (searches !== undefined && searches > 0 && view.current !== null) openSearchPanel(view.current)
  }, [searches])
  return (
    <CodeMirror
      value={value}
      theme="none"
      basicSetup={false}
      indentWithTab={false}
      extensions={extensions}
      readOnly={readOnly}
      placeholder={props.placeholder}
      minHeight={props.heights.least}
      maxHeight={props.heights.most}
      height={props.fills ? '100%' : 'auto'}
      autoFocus={props.autoFocus === true || taken !== null}
      onChange={props.onChange}
      onBlur={props.onBlur}
      onCreateEditor={(made) => {
        view.current = made
        if (taken !== null) made.dispatch({ selection: EditorSelection.single(taken.from, taken.to) })
        const [first] = marks ?? []
        if (first !== undefined) revealAt(made, first.from)
      }}
    />
  )
}

/** A new view does not know its heights yet, so it scrolls one frame later, after it has been measured. */
function revealAt(view: CodeMirrorView, at: number): void {
  requestAnimationFrame(() =>
    view.dispatch({ effects: CodeMirrorView.scrollIntoView(at, { y: 'start', yMargin: 36 }) }),
  )
}

/** Leaves Mod+Enter to the page, where it runs the agent from any field. */
const ours = (binding: KeyBinding) => binding.key !== 'Mod-Enter'

/** For very large texts: without line wrapping and syntax colours, only what is visible costs time. */
function plainSetup(isReadOnly: boolean): Extension[] {
  return [
    search({ top: true }),
    ...(isReadOnly ? [] : [history()]),
    keymap.of([...defaultKeymap.filter(ours), ...(isReadOnly ? [] : historyKeymap), ...searchKeymap]),
  ]
}

function setup(language: Language, isReadOnly: boolean): Extension[] {
  const isCode = indents(language)
  return [
    highlightSpecialChars(),
    syntaxHighlighting(classHighlighter),
    search({ top: true }),
    ...languageOf(language),
    ...(isCode || isReadOnly ? [lineNumbers(), foldGutter(), bracketMatching()] : []),
    ...(language === 'javascript' || language === 'python' ? [] : [CodeMirrorView.lineWrapping]),
    ...(isReadOnly
      ? [keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap.filter(ours)])]
      : [
          history(),
          indentOnInput(),
          ...(language === 'json' ? [linter(jsonFaults)] : []),
          keymap.of([
            ...(isCode ? [indentWithTab] : []),
            ...defaultKeymap.filter(ours),
            ...historyKeymap,
            ...searchKeymap,
          ]),
        ]),
  ]
}

const parseFaults = jsonParseLinter()

/** An empty field is not a mistake. */
function jsonFaults(view: CodeMirrorView): readonly Diagnostic[] {
  return /\S/.test(view.state.sliceDoc()) ? parseFaults(view) : []
}

function languageOf(language: Language): Extension[] {
  switch (language) {
    case 'javascript':
      return [javascript()]
    case 'json':
      return [json()]
    case 'markdown':
      return [markdown(), replaced]
    case 'python':
      // Python is indented by four spaces.
      return [pythonLanguage, indentUnit.of('    ')]
    case 'sql':
      return [sql()]
    case 'text':
      return [replaced]
    default:
      return language satisfies never
  }
}

const words = new MatchDecorator({
  regexp: /\{\{(?:date|name)\}\}/g,
  decoration: Decoration.mark({ class: 'tok-replaced' }),
})

/** Marks the placeholders that are replaced when a prompt is sent: `{{date}}`, `{{name}}`. */
const replaced = ViewPlugin.fromClass(
  class {
    decorations
    constructor(view: CodeMirrorView) {
      this.decorations = words.createDeco(view)
    }
    update(update: ViewUpdate) {
      this.decorations = words.updateDeco(update, this.decorations)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

const markedLine = Decoration.line({ class: 'cm-markedLine' })

function markedLines(marks: NonNullable<CodeEditorProps['marks']>): Extension {
  return CodeMirrorView.decorations.compute(['doc'], ({ doc }) => {
    const builder = new RangeSetBuilder<Decoration>()
    for (const { from, to } of marks) {
      if (from > doc.length) continue
      const last = doc.lineAt(Math.min(to, doc.length)).number
      for (let line = doc.lineAt(from).number; line <= last; line++) {
        const at = doc.line(line).from
        builder.add(at, at, markedLine)
      }
    }
    return builder.finish()
  })
}
