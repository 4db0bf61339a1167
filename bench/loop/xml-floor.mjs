/**
 * The least work a reader of the XML format can do: a hand-written state machine for plain calls, without the
 * format's other spellings.
 */
const opener = '<invoke name="'
const parameter = '<parameter name="'
const closer = '</parameter>'
const end = '</invoke>'

/** Reads calls `{name, params}` from pieces of text; `hear` is called with each piece of a value. */
export function createFloor(calls, hear) {
  let state = 'text'
  let held = ''
  let call
  let key = ''
  let value = ''
  const give = (text) => {
    if (text === '') return
    value += text
    hear(text)
  }
  /** The index of a tail that may be the start of `mark`. */
  const tailOf = (text, from, mark) => {
    const at = text.lastIndexOf('<')
    return at >= from && text.length - at < mark.length && mark.startsWith(text.slice(at)) ? at : text.length
  }
  return function read(piece) {
    if (state === 'value' && held === '' && piece.indexOf('<') < 0) return give(piece)
    const text = held + piece
    let at = 0
    held = ''
    for (;;) {
      if (state === 'text') {
        const found = text.indexOf(opener, at)
        const quote = found < 0 ? -1 : text.indexOf('">', found + opener.length)
        if (quote < 0) {
          const tag = found < 0 ? text.lastIndexOf('<') : found
          held = tag >= at && text.length - tag < 160 ? text.slice(tag) : ''
          return
        }
        call = { name: text.slice(found + opener.length, quote), params: {} }
        at = quote + 2
        state = 'call'
      } else if (state === 'call') {
        const found = text.indexOf('<', at)
        if (found < 0) return
        if (text.startsWith(end, found)) {
          calls.push(call)
          at = found + end.length
          state = 'text'
          continue
        }
        const quote = text.startsWith(parameter, found) ? text.indexOf('">', found + parameter.length) : -1
        if (quote < 0) {
          held = text.slice(found)
          return
        }
        key = text.slice(found + parameter.length, quote)
        value = ''
        at = quote + 2
        state = 'value'
      } else {
        const found = text.indexOf(closer, at)
        const until = found < 0 ? tailOf(text, at, closer) : found
        give(text.slice(at, until))
        if (found < 0) {
          held = text.slice(until)
          return
        }
        call.params[key] = value
        at = found + closer.length
        state = 'call'
      }
    }
  }
}
