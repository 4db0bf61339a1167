/** The tool `json.query`: takes parts out of a JSON file, of an earlier result or of a given value with JMESPath. */
import { z } from 'zod'
import { jsonValue } from '#lib/spec/json'
import type { JsonQuery, LeftOut } from '#lib/spec/json-query'
import { metadataOf } from '#lib/spec/script'
import { type EarlierResult, refuse, type ToolPorts, tool } from '#lib/spec/tool'

export const jsonQuery = tool({
  name: 'json.query',
  label: 'Query JSON',
  group: 'Data',
  keywords: ['jmespath', 'jsonpath', 'json', 'filter', 'select', 'extract'],
  description:
    'Takes parts out of JSON with a JMESPath expression: of a file of the workspace ("path"), of the result of an earlier call ("result_of") or of a value ("value"). Examples: people[?age > `30`].name – sort_by(items, &price)[-1] – {count: length(orders), total: sum(orders[].total)} – keys(@). Numbers in comparisons stand in backquotes, texts in single quotes. A long result is cut, and it is said how much is left.',
  icon: 'braces',
  walled: 'readers',
  risk: 'read',
  aliases: ['jmespath', 'query_json', 'json_query'],
  argumentAliases: { query: 'expression', file: 'path', call: 'result_of' },
  input: z.object({
    expression: z.string().min(1).max(10_000).meta({
      title: 'Expression',
      description: 'JMESPath, as in "orders[?total > `100`].id".',
    }),
    path: z.string().min(1).max(4_096).optional().meta({
      title: 'Path',
      description: 'A JSON file of the workspace.',
    }),
    result_of: z.string().min(1).max(200).optional().meta({
      title: 'Result of',
      description: 'The id of an earlier call whose result is JSON, as in "call_3_1".',
    }),
    value: jsonValue.optional().meta({ title: 'Value', description: 'The JSON itself.' }),
  }),
  async run({ expression, path, result_of, value }, context) {
    const { ports, signal, inLine } = context
    const named = [path, result_of, value].filter((each) => each !== undefined)
    if (named.length !== 1) return refuse('Give one of "path", "result_of" and "value".', 'args_schema')
    const earlier = result_of === undefined ? undefined : context.resultOf?.(result_of)
    if (result_of !== undefined && earlier === undefined)
      return refuse(`There is no finished call "${result_of}" in this run.`, 'not_found')
    const from: JsonQuery['from'] =
      path !== undefined
        ? { path, files: ports.files }
        : earlier !== undefined
          ? wholeOf(earlier, ports)
          : { text: JSON.stringify(value) }
    const answer = await ports.jsonQueries.ask({ expression, from, inLine }, signal)
    if (!answer.ok) {
      const { code, message } = answer
      const isPart = earlier?.isCut && 'text' in from && earlier.value === undefined
      const why = isPart
        ? `The result was too long for the model and was cut, so it is no whole JSON. ${instead}`
        : message
      const about = code === 'data' ? `${path ?? result_of ?? 'The value'}: ${why}` : message
      return { ok: false, code, message: about, ...(code === 'busy' && { retryable: true }) }
    }
    const { left, wall } = answer
    return {
      ok: true,
      blocks: [
        { type: 'json', value: answer.value },
        ...(left === undefined ? [] : [{ type: 'text' as const, text: leftInWords(left) }]),
      ],
      ...(wall && { metadata: metadataOf({ wall }) }),
    }
  },
})

const instead = 'Make a call that returns less, or one that writes its result into a file.'

/** The whole result, as far as it is known, even where the model read only a part of it. */
function wholeOf({ text, value, artifact }: EarlierResult, { artifacts }: ToolPorts): JsonQuery['from'] {
  if (value !== undefined) return { text: JSON.stringify(value) }
  return artifact === undefined ? { text } : { artifact, artifacts }
}

function leftInWords({ of, shown, total }: LeftOut): string {
  const [first, all] = [shown, total].map((each) => each.toLocaleString('en'))
  return `(The first ${first} of ${all} ${of}. Narrow the expression to see the others.)`
}
