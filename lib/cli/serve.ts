/** `loopwright serve`: starts the server, which runs until it is stopped. */
import { type CliCommand, exit, readArguments, refuse } from './command'

export const serve: CliCommand = {
  name: 'serve',
  usage: 'serve',
  help: 'Starts the server, as npm start does. Address and data folder come from PORT, HOST and LOOPWRIGHT_DATA.',
  async run(args, terminal) {
    const given = readArguments(args, {}, [])
    if (!given.ok) return refuse(terminal, serve, given.error)
    // Imported here because the server loads all of Next, which no other command needs.
    const server = await import('#lib/server/serve')
    await server.serve({ dev: false })
    return exit.ok
  },
}
