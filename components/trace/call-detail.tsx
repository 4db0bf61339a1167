'use client'
/**
 * One whole call: its arguments, its result, and the rulings on it; rendered, or raw as the model wrote and
 * read them.
 */
import { type ReactNode, useMemo } from 'react'
import { useCatalog } from '#components/data/agents'
import { api } from '#components/data/client'
import { FileLink } from '#components/observation/file-link'
import { JsonTree } from '#components/observation/json-tree'
import { isPageFile, OpenPage } from '#components/observation/page-view'
import { RecallView } from '#components/observation/recall-view'
import { Arguments, Blocks, Plain, Text } from '#components/observation/rendered'
import { useShowEntry } from '#components/problems/show-entry'
import { draftOf } from '#components/run/draft'
import { useDryRun } from '#components/run/dry-run-context'
import { duration, size } from '#components/run/figures'
import { policyLabel, sourceWords } from '#components/run/tool-icon'
import { waitWords } from '#components/run/wait-words'
import { Button } from '#components/ui/button'
import { Line } from '#components/ui/line'
import { Words } from '#components/ui/long-text'
import { Markdown } from '#components/ui/markdown'
import type { JsonObject } from '#lib/spec/json'
import { lineOf } from '#lib/spec/line'
import type { CallState, RecallState } from '#lib/spec/state'
import styles from './call-detail.module.css'
import { inBackground, isWithheld, resultWithheld } from './call-rows'
import { CallUseFigures } from './call-use'

const words: Record<CallState['status'], string> = {
  streaming: 'arguments are arriving',
  due: 'waiting its turn',
  waiting: 'waiting for you',
  running: 'running',
  ok: 'ok',
  error: 'error',
  denied: 'denied',
  skipped: 'skipped',
  interrupted: 'interrupted',
  timeout: 'timed out',
  unknown: 'outcome unknown',
}

const verdicts: Record<CallState['rulings'][number]['verdict'], string> = {
  deny: 'denies',
  confirm: 'requires approval',
  limit: 'limits',
}

const recallTitles: Record<RecallState['type'], string> = {
  'memory.retrieved': 'Found in memory',
  'knowledge.retrieved': 'Found in knowledge',
  'memory.recorded': 'Recorded in memory',
}

export function CallDetail({
  call,
  raw,
  isTimed = true,
  through,
  actions,
}: {
  call: CallState
  raw: boolean
  /** Whether to show the duration; false where the heading already does. */
  isTimed?: boolean
  /** For a call of a run inside a call: the names of the calls around it. */
  through?: readonly string[] | undefined
  /** Buttons at the end of the line of figures. */
  actions?: ReactNode
}) {
  const { data: catalog } = useCatalog()
  const from = sourceWords(catalog, call)
  return (
    <div className={styles.detail}>
      <div className={styles.figures}>
        <span data-status={call.status}>{isWithheld(call) ? resultWithheld : words[call.status]}</span>
        {call.mock !== undefined && <span>mocked ({call.mock}): the tool itself did not run</span>}
        {call.background !== undefined && <span>{inBackground}</span>}
        {call.wait !== undefined && <span>{waitWords(call.wait)}</span>}
        {call.code !== null && call.code !== call.status && !isWithheld(call) && <code>{call.code}</code>}
        {call.edited !== undefined && (
          <span>
            {call.edited === 'args' ? 'arguments by you' : 'result written by you, not by the tool'}
          </span>
        )}
        {call.copied && call.edited !== 'result' && <span>copied, not run again</span>}
        {isTimed && call.startedAt !== undefined && call.finishedAt !== undefined && (
          <span>{duration(call.durationMs)}</span>
        )}
        {call.waitedMs !== undefined && <span>after waiting {duration(call.waitedMs)} for a slot</span>}
        {call.cached && <span>same result as an earlier, equal call</span>}
        {call.replacedBy !== undefined && <span>replaced by the result of a later call</span>}
        {call.attempts > 1 && <span>{call.attempts} attempts</span>}
        {from !== undefined && <span>{from}</span>}
        {call.metadata !== undefined && <CallUseFigures metadata={call.metadata} />}
        {actions}
      </div>
      <DraftSection call={call} raw={raw} />
      <Section title="Arguments">
        {call.args === undefined || raw ? (
          <Plain text={call.rawArgs || call.argsText || 'none'} />
        ) : (
          <Arguments args={call.args} />
        )}
        {call.invalid !== undefined && <Words text={call.invalid.message} className={styles.fault} />}
      </Section>
      {call.progress.text !== '' && (
        <Section title="Progress">
          <Plain text={call.progress.text} />
        </Section>
      )}
      {call.background !== undefined && (
        <Section title="What the model read at once">
          <Plain text={call.background} />
        </Section>
      )}
      {call.result !== undefined && (
        <Section title="Result">
          <Result result={call.result} artifact={call.artifact} raw={raw} />
        </Section>
      )}
      {call.recall?.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what a call found is only appended
        <Section key={index} title={recallTitles[each.type]}>
          <RecallView recall={each} />
        </Section>
      ))}
      <Rulings call={call} through={through} />
      {call.metadata !== undefined && (
        <details className={styles.section}>
          <summary>
            <h4>Metadata, not sent to the model</h4>
          </summary>
          {raw ? <RawJson value={call.metadata} /> : <JsonTree value={call.metadata} />}
        </details>
      )}
      {call.created.length > 0 && (
        <Section title="Files">
          {call.created.map((each) => (
            <p key={each.id} className={styles.file}>
              <FileLink artifact={each} name={lineOf(each.path ?? each.name)} />{' '}
              <span className={styles.size}>{size(each.bytes)}</span>{' '}
              {isPageFile(each) && <OpenPage artifact={each} />}
            </p>
          ))}
        </Section>
      )}
    </div>
  )
}

/** The document of a call that is not finished yet; later, its file has it. */
function DraftSection({ call, raw }: { call: CallState; raw: boolean }) {
  const draft = raw || call.result !== undefined ? undefined : draftOf(call)
  if (draft === undefined) return null
  return (
    <Section title="Document">
      <Markdown text={draft.text} size="s" />
    </Section>
  )
}

const longestReason = 4_000

function writtenArguments({ args, rawArgs }: CallState): string {
  return args === undefined ? rawArgs : JSON.stringify(args, null, 2)
}

function RawJson({ value }: { value: JsonObject }) {
  const text = useMemo(() => JSON.stringify(value, null, 2), [value])
  return <Plain text={text} />
}

/**
 * The rulings in the order they were made, each with a link to its policy; one line where a finished call has
 * none.
 */
function Rulings({ call, through }: { call: CallState; through: readonly string[] | undefined }) {
  const { data: catalog } = useCatalog()
  const show = useShowEntry()
  const open = useDryRun()
  const isOver = call.finishedAt !== undefined
  if (call.rulings.length === 0 && !isOver) return null
  const again = open !== null && isOver && (
    <Button
      size="s"
      icon="shield"
      onClick={() =>
        open({
          tool: call.name,
          text: writtenArguments(call),
          ...(through && { inside: { through, tools: [] } }),
        })
      }
    >
      Check again
    </Button>
  )
  if (call.rulings.length === 0)
    return (
      <div className={styles.unopposed}>
        {call.startedAt === undefined ? 'No policy ruled on it.' : 'No policy objected.'} {again}
      </div>
    )
  return (
    <Section title="Rulings">
      {call.rulings.map((each, index) => {
        const go = show(each.node)
        const label = policyLabel(catalog, each.policy)
        return (
          // Rulings are only appended.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <p key={index} className={styles.ruling}>
            {go === undefined ? (
              <b>{label}</b>
            ) : (
              <button type="button" className={styles.policy} title="Show the policy" onClick={go}>
                {label}
              </button>
            )}{' '}
            {verdicts[each.verdict]}: <Line text={each.reason} limit={longestReason} />
          </p>
        )
      })}
      {again !== false && <div className={styles.again}>{again}</div>}
    </Section>
  )
}

export interface ResultProps {
  readonly result: NonNullable<CallState['result']>
  /** The whole result, where the model read less. */
  readonly artifact: CallState['artifact']
  readonly raw: boolean
}

/** What a call returned. Raw is exactly the text the model read. */
export function Result({ result, artifact, raw }: ResultProps) {
  const { text, blocks } = result
  return (
    <>
      {artifact !== undefined && (
        <p className={styles.whole}>
          Too long for the model, which read a shortened result.{' '}
          <a href={api.artifactUrl(artifact)} download>
            Whole result
          </a>
        </p>
      )}
      {raw ? <Plain text={text} /> : blocks.length === 0 ? <Text text={text} /> : <Blocks blocks={blocks} />}
    </>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h4>{title}</h4>
      {children}
    </section>
  )
}
