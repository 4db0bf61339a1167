/**
 * One line of text from elsewhere inside the product's own text: shortened, isolated from its writing
 * direction, with hidden characters made visible.
 */
import { lineOf } from '#lib/spec/line'

export interface LineProps {
  readonly text: string
  /** The most characters shown. */
  readonly limit?: number
}

export function Line({ text, limit }: LineProps) {
  return <bdi>{lineOf(text, limit)}</bdi>
}
