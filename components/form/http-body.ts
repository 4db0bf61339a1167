/** Which bodies of a request can be edited as fields. */
import { isObject, type JsonValue } from '#lib/spec/json'

/** An object of texts, parameters and secrets; also no body at all, to which fields can be added. */
export function holdsFields(body: JsonValue | undefined): boolean {
  if (body === undefined) return true
  if (!isObject(body) || isReference(body)) return false
  return Object.values(body).every((each) => typeof each === 'string' || isReference(each))
}

function isReference(value: JsonValue): boolean {
  if (!isObject(value)) return false
  const keys = Object.keys(value).sort().join()
  const names = [value.param ?? value.secret, value.prefix ?? '']
  return (
    ['param', 'secret', 'prefix,secret'].includes(keys) && names.every((each) => typeof each === 'string')
  )
}
