/**
 * An MCP server over stdio, written without a package, whose tools are those of a file: a test changes the file, and
 * the next connection lists other tools. Each tool answers what the server knows of its surroundings.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'

const [, , file = '', ...rest] = process.argv

/** @param {unknown} id @param {unknown} result */
const reply = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  switch (method) {
    case 'initialize':
      reply(id, {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'listed', version: '1.0.0' },
      })
      break
    case 'tools/list':
      reply(id, { tools: JSON.parse(readFileSync(file, 'utf8')) })
      break
    case 'tools/call':
      reply(id, { content: [{ type: 'text', text: JSON.stringify({ env: process.env, args: rest }) }] })
      break
    default:
      if (id !== undefined)
        process.stdout.write(
          `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })}\n`,
        )
  }
})
