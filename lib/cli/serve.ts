/** `loopwright serve`: starts the server, which then goes on by itself. */
import { type CliCommand, exit, readArguments, refuse } from './command'

export const serve: CliCommand = {
  name: 'serve',
  usage: 'serve',
  help: 'Starts the server, as npm start does. Address and data folder come from PORT, HOST and LOOPWRIGHT_DATA.',
  async run(args, terminal) {
    const given = readArguments(args, {}, [])
    if (!given.ok) return refuse(terminal, serve, given.error)
    // The server brings all of Next along, which no other command needs.
    const server = await import('#lib/server/serve')
    await server.serve({ dev: false })
    return exit.ok
  },
}
