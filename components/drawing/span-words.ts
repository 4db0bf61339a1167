/** A number of seconds in the units that a person would say: `45 s`, `15 min`, `1 h 30 min`, `7 days`. */
export function spanWords(seconds: number): string {
  const whole = Math.floor(seconds)
  const rest = (whole % 60) + (seconds - whole)
  const days = Math.floor(whole / 86_400)
  const parts = [
    days > 0 && (days === 1 ? '1 day' : `${days.toLocaleString('en-US')} days`),
    amount(Math.floor(whole / 3_600) % 24, 'h'),
    amount(Math.floor(whole / 60) % 60, 'min'),
    (rest > 0 || whole === 0) && `${Number(rest.toFixed(3))} s`,
  ]
  return parts.filter((each) => each !== false).join(' ')
}

function amount(value: number, unit: string): string | false {
  return value > 0 && `${value} ${unit}`
}
