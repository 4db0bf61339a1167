/**
 * A model server without a model: five rounds of one `math.calculate`, or as many as the question says
 * (`rounds=7`), then an answer, as Chat Completions with each event written separately; prints its port.
 */
import http from 'node:http'
import { answer, expressionOf, rounds as usualRounds } from './task.mjs'

const shared = '"id":"chatcmpl-1","object":"chat.completion.chunk","created":1760000000,"model":"bench-1"'

function frame(delta, reason = null) {
  return `data: {${shared},"choices":[{"index":0,"delta":${JSON.stringify(delta)},"finish_reason":${JSON.stringify(reason)}}]}\n\n`
}

/** The events of one round. The tool's name is taken from the request, since providers do not accept dots in names. */
function framesOf(round, toolName, rounds) {
  const frames = [frame({ role: 'assistant', content: round < rounds ? null : '' })]
  if (round < rounds) {
    const args = JSON.stringify({ expression: expressionOf(round) })
    frames.push(
      frame({
        tool_calls: [
          { index: 0, id: `call_${round}`, type: 'function', function: { name: toolName, arguments: '' } },
        ],
      }),
    )
    for (let at = 0; at < args.length; at += 8)
      frames.push(frame({ tool_calls: [{ index: 0, function: { arguments: args.slice(at, at + 8) } }] }))
    frames.push(frame({}, 'tool_calls'))
  } else {
    for (const word of answer.split(/(?<= )/)) frames.push(frame({ content: word }))
    frames.push(frame({}, 'stop'))
  }
  const usage = { prompt_tokens: 100 + round, completion_tokens: 20, total_tokens: 120 + round }
  frames.push(`data: {${shared},"choices":[],"usage":${JSON.stringify(usage)}}\n\n`, 'data: [DONE]\n\n')
  return frames
}

const server = http.createServer((request, response) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    const { messages, tools } = JSON.parse(Buffer.concat(parts).toString())
    const asked = messages.findLastIndex(({ role }) => role === 'user')
    const round = messages.slice(asked).filter(({ role }) => role === 'tool').length
    const rounds = Number(/rounds=(\d+)/.exec(messages[asked].content)?.[1] ?? usualRounds)
    const tool = tools.find(({ function: { name } }) => name.startsWith('math')).function.name
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const each of framesOf(round, tool, rounds)) response.write(each)
    response.end()
  })
})
server.keepAliveTimeout = 600_000
server.on('connection', (socket) => socket.setNoDelay(true))
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
