'use client'
/** The days that are asked for most, one press each, above the two dates of a filter. */
import { Button } from '#components/ui/button'
import styles from './day-choices.module.css'
import { dayChoices } from './day-spans'
import type { ListFilter } from './list-filter'

export function DayChoices({
  since,
  until,
  onChoose,
}: Pick<ListFilter, 'since' | 'until'> & {
  onChoose(days: { readonly since: string | undefined; readonly until: string | undefined }): void
}) {
  return (
    <span className={styles.days}>
      {dayChoices(Date.now()).map((each) => {
        const isChosen = each.since === since && each.until === until
        return (
          <Button
            key={each.label}
            size="s"
            aria-pressed={isChosen}
            onClick={() =>
              onChoose(
                isChosen ? { since: undefined, until: undefined } : { since: each.since, until: each.until },
              )
            }
          >
            {each.label}
          </Button>
        )
      })}
    </span>
  )
}
