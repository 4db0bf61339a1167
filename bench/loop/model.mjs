/**
 * A model server without a model: streams Chat Completions, each event as a separate write; prints its port.
 */
import http from 'node:http'
import { wordAt } from './task.mjs'

const sample = 'if (a < b && c > d) {\n  return "x" + `y`; // note\n}\nfor (const k of list) out.push(k);\n'
const pieceSize = 8
const known = new Map()

function numberIn(question, key) {
  return Number(new RegExp(`${key}=(\\d+)`).exec(question)?.[1] ?? 0)
}

function frame(text) {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

/** The answer of one round, each event as an HTTP chunk. */
function answerOf({ rounds, calls, tokens, argBytes }, round) {
  const frames = []
  const shared = `"id":"chatcmpl-${round}","object":"chat.completion.chunk","created":1760000000,"model":"mock-1","system_fingerprint":"fp_1"`
  const say = (delta, reason = null) =>
    frames.push(
      frame(
        `data: {${shared},"choices":[{"index":0,"delta":${JSON.stringify(delta)},"logprobs":null,"finish_reason":${JSON.stringify(reason)}}],"usage":null}\n\n`,
      ),
    )
  say({ role: 'assistant', content: round < rounds ? null : '', refusal: null })
  if (round < rounds) {
    const content = sample.repeat(Math.ceil(argBytes / sample.length)).slice(0, argBytes)
    for (let index = 0; index < calls; index++) {
      const args = JSON.stringify({ path: `src/file_${round}_${index}.ts`, content })
      const id = `call_${round}_${index}`
      say({ tool_calls: [{ index, id, type: 'function', function: { name: 'act', arguments: '' } }] })
      for (let at = 0; at < args.length; at += pieceSize)
        say({ tool_calls: [{ index, function: { arguments: args.slice(at, at + pieceSize) } }] })
    }
    say({}, 'tool_calls')
  } else {
    for (let index = 0; index < tokens; index++) say({ content: wordAt(index) })
    say({}, 'stop')
  }
  const usage = { prompt_tokens: 100 + round, completion_tokens: 1, total_tokens: 101 + round }
  frames.push(frame(`data: {${shared},"choices":[],"usage":${JSON.stringify(usage)}}\n\n`))
  frames.push(frame('data: [DONE]\n\n'))
  return frames
}

function framesFor(body) {
  const question = /rounds=\d+ calls=\d+ tokens=\d+ argBytes=\d+/.exec(body)?.[0] ?? ''
  const [rounds, calls, tokens, argBytes] = ['rounds', 'calls', 'tokens', 'argBytes'].map((key) =>
    numberIn(question, key),
  )
  // Derived from the results in the request, so that a loop that loses its history never ends.
  const round = Math.floor((body.match(/"role":"tool"/g)?.length ?? 0) / Math.max(1, calls))
  const key = `${question} ${round}`
  const frames = known.get(key) ?? answerOf({ rounds, calls, tokens, argBytes }, round)
  known.set(key, frames)
  return frames
}

const server = http.createServer((request, response) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    const frames = framesFor(Buffer.concat(parts).toString('latin1'))
    response.writeHead(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' })
    response.flushHeaders()
    // The frames are HTTP chunks already.
    response.chunkedEncoding = false
    const { socket } = response
    while (socket.writableCorked) socket.uncork()
    let at = 0
    const pump = () => {
      while (at < frames.length && !socket.destroyed)
        if (!socket.write(frames[at++]) && at < frames.length) {
          socket.once('drain', pump)
          return
        }
      response.write(Buffer.from('0\r\n\r\n'))
      response.end()
    }
    pump()
  })
})
server.keepAliveTimeout = 600_000
server.on('connection', (socket) => socket.setNoDelay(true))
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
