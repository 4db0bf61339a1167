'use client'
/**
 * One node: a head with its name, its findings, its settings, what it offers, which policies cover it, and
 * what it compiles to.
 */
import { useMemo, useState } from 'react'
import { api } from '#components/data/client'
import { describeNode } from '#components/drawing/describe'
import { useGraph, useKind } from '#components/drawing/graph-context'
import { fieldsOf, findingOf, findingsIn } from '#components/form/fields'
import { Form } from '#components/form/form'
import { FixButtons } from '#components/problems/fix-buttons'
import { Property, Switch } from '#components/ui/field'
import { setParked } from '#lib/graph/edit'
import { classedTools, entryTools } from '#lib/graph/entry-tools'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphNode } from '#lib/spec/graph'
import type { NodeKind } from '#lib/spec/kind'
import { ApprovalPanel } from './approval-panel'
import { AuthoritySection } from './authority-section'
import { CallsInRun } from './calls-in-run'
import { CompilesTo } from './compiles-to'
import { Findings } from './findings'
import styles from './inspector.module.css'
import { ModelReads } from './model-reads'
import { NodeHead } from './node-head'
import { ownTools } from './own-tools'
import { PoliciesOver } from './policies-over'
import { StartingPoints } from './starting-points'
import { ToolsOffered } from './tools-offered'
import { TryTool } from './try-tool'
import { UnknownPanel } from './unknown-panel'
import { WholeConfig } from './whole-config'

const noFindings: readonly Diagnostic[] = []

export function NodePanel({ node }: { node: GraphNode }) {
  const kind = useKind(node.kind)
  return kind === undefined ? <UnknownPanel node={node} /> : <KnownPanel node={node} kind={kind} />
}

function KnownPanel({ node, kind }: { node: GraphNode; kind: NodeKind }) {
  const findings = useGraph((state) => state.findings.get(node.id)) ?? noFindings
  const entry = useGraph((state) => state.paths.get(node.id))
  const catalog = useGraph((state) => state.catalog)
  const [open, setOpen] = useState<'config' | 'try' | null>(null)
  const tools = useMemo(() => classedTools(node, kind, catalog), [node, kind, catalog])
  // A trial is not a call of the entry, so the risk and effect that the entry sets do not apply to it.
  const tried = useMemo(
    () => (kind.use === 'builtin' ? entryTools(node, kind, catalog) : ownTools(node, kind)),
    [node, kind, catalog],
  )
  const close = () => setOpen(null)
  // An error about a single setting is shown below that setting.
  const fields = fieldsOf(kind.schema, node.config)
  const fieldWith = (each: Diagnostic) =>
    each.severity === 'error'
      ? fields.find(({ key }) => findingOf(findingsIn([each], entry), key) !== undefined)
      : undefined
  const loose = findings.filter((each) => fieldWith(each) === undefined)
  const inFields = findings.filter((each) => fieldWith(each) !== undefined)
  const isAgent = kind.place.at === 'root'
  const canTry = tried.length > 0
  const isBuiltIn = kind.use === 'builtin'
  return (
    <>
      <NodeHead
        node={node}
        kind={kind}
        onWhole={() => setOpen('config')}
        onTry={canTry ? () => setOpen('try') : undefined}
      />
      <ApprovalPanel />
      <Findings findings={loose} />
      <About node={node} kind={kind} />
      {/* Several tools come first: each is looked at and denied in its row. */}
      {tools.length > 1 && <ToolsOffered node={node.id} tools={tools} />}
      <section className={styles.section} aria-label="Settings">
        <Form node={node} kind={kind} findings={findings} />
        {inFields.map((each) => (
          <div key={`${each.code} ${each.path}`} className={styles.fix}>
            <FixButtons diagnostic={each} of={inFields.length > 1 ? fieldWith(each)?.label : undefined} />
          </div>
        ))}
        {!isAgent && <OnOff node={node} />}
      </section>
      {isAgent && <StartingPoints />}
      {isAgent && <AuthoritySection />}
      {tools.length === 1 && <ToolsOffered node={node.id} tools={tools} />}
      {isAgent && <ModelReads />}
      {kind.out === 'tool' && entry !== undefined && <ModelReads key={entry} entry={entry} />}
      {kind.scope !== undefined && <PoliciesOver node={node} />}
      {entry !== undefined && !isAgent && <CallsInRun path={entry} />}
      <CompilesTo node={node.id} onWhole={() => setOpen('config')} />
      {open === 'config' && <WholeConfig node={node.id} onClose={close} />}
      {open === 'try' && (
        <TryTool
          tools={tried}
          preset={node.config.preset}
          run={(tool, args) =>
            isBuiltIn
              ? api.tools.try(tool, args)
              : api.tools.tryEntry({ entry: { ...node.config, use: kind.use ?? '' }, tool, args })
          }
          onClose={close}
        />
      )}
    </>
  )
}

/** What the part is for, in a sentence or two; for a single tool, the tool's own description. */
function About({ node, kind }: { node: GraphNode; kind: NodeKind }) {
  const catalog = useGraph((state) => state.catalog)
  const told = useMemo(() => {
    const tools = classedTools(node, kind, catalog)
    const [only] = tools
    return tools.length === 1 && only !== undefined ? only.description : kind.help
  }, [node, kind, catalog])
  const isSaid = told === '' || told === describeNode(node, catalog).title
  return isSaid ? null : <section className={styles.section}>{told}</section>
}

/** A part that is switched off stays in the drawing and in the file but is not part of the agent. */
function OnOff({ node }: { node: GraphNode }) {
  const isOff = useGraph((state) => state.off.has(node.id))
  const edit = useGraph((state) => state.edit)
  return (
    <div className={styles.onOff}>
      <Property label="In use">
        <div className={styles.switchRow}>
          <Switch
            checked={!isOff}
            label="In use"
            onChange={(isOn) => edit((graph, catalog) => setParked(graph, [node.id], !isOn, catalog))}
          />
          {isOff ? 'off: kept, but not part of the agent' : 'on'}
        </div>
      </Property>
    </div>
  )
}
