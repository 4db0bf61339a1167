/** An MCP server over stdio whose tools are in the JSON file that is its argument, so that a test can change them. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'

const [file = ''] = process.argv.slice(2)
/** @param {unknown} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize')
    send({
      id,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'from-file', version: '1.0.0' },
      },
    })
  else if (method === 'tools/list') send({ id, result: { tools: JSON.parse(readFileSync(file, 'utf8')) } })
  else if (method === 'tools/call') send({ id, result: { content: [{ type: 'text', text: 'Sunny.' }] } })
  else send({ id, error: { code: -32_601, message: `There is no method ${method}.` } })
})
