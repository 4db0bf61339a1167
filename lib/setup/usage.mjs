/** The text of `npm start -- --help`. */

const text = `Loopwright: draw an agent, run it, watch every step.

Usage: npm start
       node lib/setup/start.mjs [--help]

Installs and builds what is missing, then starts the server, which runs until it is stopped with Ctrl+C.

Options:
  -h, --help    Prints this text and ends.

Environment:
  PORT                    The port of the server. Default: 3000.
  HOST                    The address on which the server listens. Default: 127.0.0.1. Any other than
                          loopback requires LOOPWRIGHT_TOKEN and LOOPWRIGHT_PUBLIC_URL.
  LOOPWRIGHT_DATA         The data folder. Default: ./data. Only one server may use it at a time.
  LOOPWRIGHT_TOKEN        A secret that every page and request requires.
  LOOPWRIGHT_PUBLIC_URL   The address under which people open the server, if it is not loopback.
  LOOPWRIGHT_ALLOW_HOSTS  host:port pairs, separated by commas, that tools may reach although their
                          addresses are private.
  LOOPWRIGHT_MCP_CONFIG   A file of MCP servers, as other programs write them.
  LOOPWRIGHT_NO_STDIO     With 1, no MCP server is started as a program.
  LOOPWRIGHT_SANDBOX      The weakest wall behind which code of an agent runs: process, runtime or system.
  LOOPWRIGHT_LOG_STEPS    With 1, prints one line for each step of a run.
  <PROVIDER>_API_KEY, <PROVIDER>_BASE_URL
                          The key and the address of a model provider, named after its id in capital
                          letters. They take precedence over those in Settings.
  SEARXNG_BASE_URL, BRAVE_API_KEY, TAVILY_API_KEY
                          The service that searches the web, before the one in Settings.

Example: PORT=3001 LOOPWRIGHT_DATA=~/agents npm start

The commands to run, check and validate agents without the server: npx --no-install loopwright help
`

/**
 * What the arguments of `npm start` ask for: the usage text, an error about an unknown argument, or nothing.
 * @param {readonly string[]} argv
 * @returns {{ text: string, code: number } | undefined}
 */
export function usageFor(argv) {
  if (argv.includes('--help') || argv.includes('-h')) return { text, code: 0 }
  const [unknown] = argv
  if (unknown === undefined) return undefined
  return {
    text: `There is no option "${unknown}". The port and the data folder come from PORT and LOOPWRIGHT_DATA; see npm start -- --help.\n`,
    code: 2,
  }
}
