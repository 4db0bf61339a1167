/** The child process by which the walls of the readers are tested: tries what they forbid, and says what it could do. */
import { probeWall } from './wall-probe'

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk)
const leaks = await probeWall(JSON.parse(Buffer.concat(chunks).toString('utf8')))
// A socket that nobody answers would keep the process alive.
process.stdout.write(JSON.stringify(leaks), () => process.exit(0))
