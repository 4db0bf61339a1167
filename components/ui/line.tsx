/** One line of words that others wrote, among words of ours: shortened, set apart from their direction, with nothing hidden in it. */
import { lineOf } from '#lib/spec/line'

export interface LineProps {
  readonly text: string
  /** Characters shown at most. */
  readonly limit?: number
}

export function Line({ text, limit }: LineProps) {
  return <bdi>{lineOf(text, limit)}</bdi>
}
