'use client'
/** What changed in the texts of a tool since a person accepted it, line by line. */
import { Fragment, useMemo } from 'react'
import { LineDiff } from '#components/versions/line-diff'
import { type DiffLine, diffLines } from '#lib/graph/diff'
import type { McpToolView } from '#lib/wire/mcp-servers'
import own from './mcp.module.css'

type Texts = NonNullable<McpToolView['before']>

export function ToolDiff({ before, after }: { before: Texts; after: Texts }) {
  const changed = useMemo(() => changesOf(before, after), [before, after])
  return changed.map(([label, lines]) => (
    <Fragment key={label}>
      <h4 className={own.diffHead}>{label}</h4>
      <LineDiff lines={lines} label={`Changes of the ${label.toLowerCase()}`} />
    </Fragment>
  ))
}

function changesOf(before: Texts, after: Texts): [string, DiffLine[]][] {
  const parts: [string, string, string][] = [
    ['Title', before.title ?? '', after.title ?? ''],
    ['Description', before.description, after.description],
    ['Arguments', inLines(before.parameters), inLines(after.parameters)],
    ['Result', inLines(before.outputSchema), inLines(after.outputSchema)],
    ['Annotations', inLines(before.annotations), inLines(after.annotations)],
  ]
  return parts.flatMap(([label, old, now]) => (old === now ? [] : [[label, diffLines(old, now)]]))
}

function inLines(value: Readonly<Record<string, unknown>> | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
