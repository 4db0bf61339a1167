/** A row of bars, one for each day. The page's table holds the same figures for people who do not see them. */
import styles from './day-chart.module.css'
import type { DayChartData } from './day-charts'

export function DayChart({ title, legend, tone, top, bars }: DayChartData) {
  const [first, last] = [bars[0]?.day, bars.at(-1)?.day]
  return (
    <figure className={styles.chart} data-tone={tone}>
      <figcaption>
        <b>{title}</b>
        {legend.map((each) => (
          <span key={each.label} data-part={each.tone === 'part' || undefined}>
            {each.label}
          </span>
        ))}
      </figcaption>
      <div
        className={styles.frame}
        role="img"
        aria-label={`${title} from ${first} to ${last}, at most ${top} a day`}
      >
        <span className={styles.top}>{top}</span>
        <div className={styles.bars}>
          {bars.map(({ day, whole, part, words }) => (
            <span key={day} className={styles.day} title={words}>
              <i style={{ height: `${100 * whole}%` }} />
              <i data-part="" style={{ height: `${100 * part}%` }} />
            </span>
          ))}
        </div>
      </div>
      <div className={styles.axis}>
        <span>{first}</span>
        <span>{last}</span>
      </div>
    </figure>
  )
}
