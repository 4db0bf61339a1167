'use client'
/** The agents that the call would set to work: what each of them lacks, and the way to a dry run of its calls. */
import type { DryRunCall } from '#components/run/dry-run-context'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import shared from '#components/ui/shared.module.css'
import type { CalledAgent } from '#lib/wire/dry-run'
import styles from './dry-run.module.css'
import { severityMarks } from './dry-run-words'

export interface CalledAgentsProps {
  readonly called: readonly CalledAgent[]
  /** Asks about a call of one of them. */
  onCheck(call: DryRunCall): void
}

export function CalledAgents({ called, onCheck }: CalledAgentsProps) {
  return (
    <ul className={shared.list} aria-label="Agents that it sets to work">
      {called.map((each) => (
        <One key={each.way.join('/')} called={each} onCheck={onCheck} />
      ))}
    </ul>
  )
}

function One({ called, onCheck }: { called: CalledAgent } & Pick<CalledAgentsProps, 'onCheck'>) {
  const { agent, version, way, through, tools, findings } = called
  const caller = way.at(-2)
  const [first] = tools
  return (
    <li className={styles.called}>
      <div className={styles.calledHead}>
        <Icon name="bot" size={14} />
        <span className={styles.calledName}>
          <b>
            <Line text={agent} />
          </b>{' '}
          <span className={shared.caption}>
            {[
              version === undefined ? [] : version === 'draft' ? 'draft' : `version ${version}`,
              caller === undefined ? [] : `called by ${caller}`,
            ]
              .flat()
              .join(', ')}
          </span>
        </span>
        {first !== undefined && (
          <Button
            size="s"
            icon="shield"
            aria-label={`Check a call of it: ${agent}`}
            title={`Check a call that ${agent} makes`}
            onClick={() => onCheck({ tool: first, text: '{}', inside: { through, tools } })}
          >
            Check a call of it
          </Button>
        )}
      </div>
      {findings.length === 0 && <p className={styles.nothing}>Nothing is lacking.</p>}
      {findings.map(({ severity, message, path }) => (
        <p key={`${path} ${message}`} className={styles.lack} data-severity={severity}>
          <Icon name={severityMarks[severity].icon} size={14} className={styles.lackMark} />
          <span>
            <span className={shared.unseen}>{severityMarks[severity].word}: </span>
            {message}
          </span>
        </p>
      ))}
    </li>
  )
}
