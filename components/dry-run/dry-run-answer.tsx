'use client'
/**
 * The outcome of a dry run and its reasons: every check in order, with its answer and a link to the node that
 * gave it.
 */
import { type ReactNode, useMemo } from 'react'
import { useCatalog } from '#components/data/agents'
import { useGraph } from '#components/drawing/graph-context'
import { Arguments, Plain } from '#components/observation/rendered'
import type { DryRunCall } from '#components/run/dry-run-context'
import { reasonWords } from '#components/run/reason-words'
import { Chip } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { JsonText } from '#components/ui/json-text'
import { Line } from '#components/ui/line'
import shared from '#components/ui/shared.module.css'
import { type JsonObject, jsonKey, tryParseJson } from '#lib/spec/json'
import type { DryRun } from '#lib/wire/dry-run'
import { CalledAgents } from './called-agents'
import styles from './dry-run.module.css'
import { outcomeWords, questionOf, refusalWords, verdictMarks } from './dry-run-words'

export interface DryRunAnswerProps {
  readonly answer: DryRun
  /** The arguments that were checked. */
  readonly sent: string
  /** A call of an agent that is called, whose policies are not in the drawing. */
  readonly isInside: boolean
  onShow(node: string): void
  /** Asks about a call of an agent that this one would set to work. */
  onCheck(call: DryRunCall): void
}

export function DryRunAnswer({ answer, sent, isInside, onShow, onCheck }: DryRunAnswerProps) {
  const { asked, outcome, inside, called = [] } = answer
  const { tone, icon, word } = outcomeWords(outcome)
  const isSent = useMemo(() => outcome.type !== 'refused' && isSame(outcome.args, sent), [outcome, sent])
  return (
    <section aria-label="The outcome" className={styles.answer}>
      <header className={shared.row}>
        <Chip tone={tone} icon={icon}>
          {word}
        </Chip>
        {outcome.type === 'refused' && <span className={styles.note}>{refusalWords(outcome.code)}</span>}
      </header>
      <ol className={shared.list} aria-label="Checks, in order">
        {asked.map((each, index) => (
          // The list is never changed, only replaced.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Asked key={index} asked={each} onShow={isInside ? undefined : onShow} />
        ))}
      </ol>
      {outcome.type === 'refused' ? (
        <Part title="The model would read">
          <Plain text={outcome.message} />
        </Part>
      ) : (
        !isSent && (
          <Part title="It would run with">
            <Arguments args={outcome.args} />
          </Part>
        )
      )}
      {called.length > 0 && (
        <Part
          title={called.length === 1 ? 'The agent that it sets to work' : 'The agents that it sets to work'}
        >
          <CalledAgents called={called} onCheck={onCheck} />
        </Part>
      )}
      {inside !== undefined && <Inside inside={inside} />}
    </section>
  )
}

/** What the agent that the call would run sends to its model first, or why it cannot run. */
function Inside({ inside: { agent, version, request, problem } }: { inside: CalledAgent }) {
  const text = useMemo(() => JSON.stringify(request, null, 2), [request])
  const which = version === 'draft' ? `the draft of ${agent}` : `${agent}, version ${version}`
  return problem === undefined ? (
    <Part title={`What ${which} would send to its model first`}>
      <p className={shared.caption}>What {agent} recalls from memory when it begins is not in it.</p>
      <JsonText text={text} />
    </Part>
  ) : (
    <Part title={`${agent} cannot run`}>
      <Plain text={problem} />
    </Part>
  )
}

type CalledAgent = NonNullable<DryRun['inside']>

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h4 className={styles.part}>{title}</h4>
      {children}
    </div>
  )
}

function Asked({
  asked,
  onShow,
}: {
  asked: DryRun['asked'][number]
  onShow: DryRunAnswerProps['onShow'] | undefined
}) {
  const { data: catalog } = useCatalog()
  const { verdict, reason, node, policy } = asked
  const origin = useGraph((state) => (node === null ? undefined : state.compiled.origins[node]))
  const { icon, word } = verdictMarks[verdict]
  const question = questionOf(asked, catalog)
  return (
    <li className={styles.row} data-verdict={verdict}>
      <Icon name={icon} size={14} className={styles.mark} />
      {policy !== null && origin !== undefined && onShow !== undefined ? (
        <button type="button" className={styles.link} onClick={() => onShow(origin)}>
          {question}
        </button>
      ) : (
        <span>{question}</span>
      )}
      <span className={styles.verdict}>
        {policy === null ? '' : asked.granted ? 'approved for the run' : word}
      </span>
      {reason !== undefined && (
        <span className={styles.reason}>
          <Line text={reasonWords(reason)} limit={4_000} />
        </span>
      )}
    </li>
  )
}

function isSame(args: JsonObject, sent: string): boolean {
  const read = tryParseJson(sent)
  return read !== undefined && jsonKey(read) === jsonKey(args)
}
