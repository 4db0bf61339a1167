/** The end of a growing text on one line: what does not fit is cut at its beginning. */
import shared from './shared.module.css'

export function TailLine({ text, className = '' }: { text: string; className?: string }) {
  return (
    <span className={`${className} ${shared.cutStart}`}>
      <bdi>{text}</bdi>
    </span>
  )
}
