/** The conformance suite of MCP with the Node that it needs; both come from the npm registry. */
import fs from 'node:fs'
import path from 'node:path'
import { npm } from './child.mjs'
import { ensureOtherNode } from './other-node.mjs'
import { at } from './place.mjs'
import { SetupError, stage } from './stage.mjs'

const version = '0.2.0-alpha.12'
const asked = `@modelcontextprotocol/conformance@${version}`

/**
 * The suite, downloaded once.
 * @returns {Promise<{ node: string, program: string }>} the path of its Node, and of the suite itself
 */
export async function ensureConformance() {
  const node = await ensureOtherNode(22)
  const cache = at('node_modules', '.cache', 'loopwright', `conformance-${version}`)
  const program = path.join(cache, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  if (fs.existsSync(program)) return { node, program }
  fs.mkdirSync(cache, { recursive: true })
  await stage({ name: 'conformance', about: 'from the npm registry', usual: '20 s' }, async () => {
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', cache]
    const { output } = await npm([...args, asked])
    if (!fs.existsSync(program))
      throw new SetupError(
        `The conformance suite could not be installed: npm failed to install ${asked}.\n${output}`,
      )
  })
  return { node, program }
}
