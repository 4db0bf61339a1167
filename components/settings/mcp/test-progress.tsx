'use client'
/** What a test of an MCP server is doing, since when, and the button that stops it. */
import { Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import type { McpServerView } from '#lib/wire/mcp-servers'
import own from './mcp.module.css'

interface TestProgressProps {
  readonly server: McpServerView
  readonly seconds: number
  onStop(): void
}

/** Seconds after which a person wonders what takes so long. */
const long = 5

export function TestProgress({ server: { reach }, seconds, onStop }: TestProgressProps) {
  const isProgram = reach?.transport === 'stdio'
  const work = isProgram ? 'Starting the program and listing its tools' : 'Connecting and listing the tools'
  const why = isProgram && seconds >= long ? ' The first start may download a package.' : ''
  return (
    <div className={own.line} data-busy="">
      <Spinner />
      <span role="status">
        {work}…{why}
      </span>
      {seconds > 0 && <span className={own.seconds}>{seconds} s</span>}
      <Button size="s" onClick={onStop}>
        Stop
      </Button>
    </div>
  )
}
