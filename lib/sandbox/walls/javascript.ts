/** The walls for JavaScript: QuickJS in a process of its own, with bubblewrap around that process where it holds. */
import type { JavascriptRequest } from '#lib/spec/sandbox'
import type { WallFacts, WallTest } from '#lib/spec/walls'
import { createJavascript } from '../javascript'
import { forgetOsSandbox, type OsSandbox, osSandbox } from '../os-sandbox'
import { noBubblewrap } from './remedies'
import type { CodeWall, WallContext } from './wall'

const common = [
  'reads and writes only files of the workspace',
  'no environment variables of the server',
  'starts no program',
  'limits on time, memory and output',
]

const boxed: WallFacts = {
  id: 'quickjs-bubblewrap',
  name: 'QuickJS in bubblewrap',
  strength: 'system',
  promises: ['no network', 'sees no other process', ...common],
  gaps: [],
}

const bare: WallFacts = {
  id: 'quickjs',
  name: 'QuickJS in a process of its own',
  strength: 'process',
  promises: common,
  gaps: ['the system does not close the network and files, though QuickJS has no way to them'],
}

export function javascriptWalls({ temporary }: WallContext): readonly CodeWall[] {
  return [
    {
      facts: boxed,
      async test() {
        // A test is made anew here; what an earlier one has shown does not count.
        forgetOsSandbox()
        const sandbox = await osSandbox(undefined, temporary)
        return sandbox === undefined ? noBubblewrap() : tryQuickJs(sandbox)
      },
    },
    { facts: bare, test: () => tryQuickJs(undefined) },
  ]
}

/** Names by which code would get out of QuickJS: none of them may exist. */
const probe = `return ['process', 'require', 'fetch', 'Deno', 'WebAssembly', 'XMLHttpRequest', 'WebSocket', 'std', 'os'].filter((name) => name in globalThis)`

async function tryQuickJs(sandbox: OsSandbox | undefined): Promise<WallTest> {
  const port = createJavascript(async () => sandbox)
  const request: JavascriptRequest = {
    source: probe,
    args: {},
    files: {
      read: async () => ({ ok: false, code: 'unavailable', message: 'There are no files in a test.' }),
    },
    timeoutMs: 10_000,
    log: () => undefined,
  }
  const from = performance.now()
  try {
    const answer = await port.run(request, new AbortController().signal)
    const startMs = Math.round(performance.now() - from)
    if (!answer.ok) return fails(`QuickJS does not run: ${answer.message}`)
    if (!Array.isArray(answer.value) || answer.value.length > 0)
      return fails('QuickJS has names that lead out of it.')
    return { holds: true, startMs }
  } finally {
    port.close()
  }
}

function fails(reason: string): WallTest {
  return {
    holds: false,
    reason,
    remedies: ['Run `npm start` again, which repairs an incomplete installation.'],
  }
}
