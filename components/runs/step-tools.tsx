/** The tools offered in a step, those it used, and those withheld with the reason. */

import { reasonWords } from '#components/run/reason-words'
import { Chip } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import shared from '#components/ui/shared.module.css'
import { lineOf } from '#lib/spec/line'
import type { RunState, StepState } from '#lib/spec/state'
import styles from './step-detail.module.css'

export function StepTools({ state, step }: { state: RunState; step: StepState }) {
  const set = step.tools ?? state.tools
  const offered = step.request?.tools.map((each) => each.name) ?? set?.offered.map((each) => each.name) ?? []
  const withheld = set?.withheld ?? []
  const used = new Set(step.calls.map((each) => each.name))
  const asked = offered.toSorted((a, b) => Number(used.has(b)) - Number(used.has(a)))
  return (
    <section className={styles.section} aria-label="Tools">
      <h3 className={styles.label}>
        Tools
        <span className={styles.note}>
          {offered.length} offered{withheld.length > 0 && `, ${withheld.length} withheld`}
        </span>
      </h3>
      {offered.length === 0 && <p className={shared.quiet}>None. This request asks for text only.</p>}
      <div className={styles.chips}>
        {asked.map((name) => (
          <Chip key={name} mono tone={used.has(name) ? 'work' : 'plain'}>
            <Line text={used.has(name) ? `${name}, used` : name} />
          </Chip>
        ))}
      </div>
      {withheld.map(({ name, reason }) => (
        <p key={name} className={styles.withheld} title={lineOf(`${name}: ${reason}`)}>
          <Icon name="ban" size={14} />
          <s>
            <Line text={name} />
          </s>
          <span className={styles.why}>
            <Line text={reasonWords(reason)} />
          </span>
        </p>
      ))}
    </section>
  )
}
