/** The tools, resources and prompts that the conformance suite of MCP calls by name. */
import type {
  CallToolResult,
  InputRequests,
  McpServer,
  ResourceTemplate,
  ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Sdk } from '#lib/mcp/serve'

/** A red pixel, and a moment of silence. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export function addFixtures(sdk: Sdk, server: McpServer): void {
  addContents(server)
  addTalking(server)
  addAsking(sdk, server)
  addRounds(sdk, server)
  addResources(sdk, server)
  addPrompts(sdk, server)
}

type Handle = (context: ServerContext) => unknown

type ElicitedForm = Extract<
  Parameters<ServerContext['mcpReq']['elicitInput']>[0],
  { requestedSchema: unknown }
>['requestedSchema']

function tool(server: McpServer, name: string, handle: Handle): void {
  server.registerTool(
    name,
    { description: `Fixture ${name}.`, inputSchema: z.object({}) },
    // cast: each fixture returns what its scenario reads
    async (_, context) => (await handle(context)) as CallToolResult,
  )
}

function addContents(server: McpServer): void {
  const image = { type: 'image', data: png, mimeType: 'image/png' }
  tool(server, 'test_simple_text', () => text('This is a simple text response for testing.'))
  tool(server, 'test_image_content', () => ({ content: [image] }))
  tool(server, 'test_audio_content', () => ({
    content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  }))
  tool(server, 'test_embedded_resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }))
  tool(server, 'test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }))
  tool(server, 'test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
}

function addTalking(server: McpServer): void {
  tool(server, 'test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        })
      await pause(50)
    }
    return text('Done.')
  })
  tool(server, 'test_logging_tool', async ({ mcpReq }) => {
    await mcpReq.log('info', 'Tool execution started')
    return text('Done.')
  })
  tool(server, 'test_tool_with_logging', async ({ mcpReq }) => {
    for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', words)
      await pause(50)
    }
    return text('Done.')
  })
}

/** Asks in the response that is open, and not in a stream that the client would have to open for it. */
const inResponse = ({ id }: ServerContext['mcpReq']) => ({ relatedRequestId: id })

/** Tools that ask the client over the open connection, as revisions before 2026-07-28 have it. */
function addAsking(sdk: Sdk, server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Fixture test_sampling.', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }]
      const answer = await mcpReq.requestSampling({ messages, maxTokens: 100 }, inResponse(mcpReq))
      return text(`LLM response: ${JSON.stringify(answer.content)}`)
    },
  )
  const person = {
    type: 'object' as const,
    properties: { username: { type: 'string' as const }, email: { type: 'string' as const } },
    required: ['username', 'email'],
  }
  server.registerTool(
    'test_elicitation',
    { description: 'Fixture test_elicitation.', inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { mcpReq }) =>
      text(
        `User response: ${JSON.stringify(await mcpReq.elicitInput({ message, requestedSchema: person }, inResponse(mcpReq)))}`,
      ),
  )
  const completed = async ({ mcpReq }: ServerContext, properties: ElicitedForm['properties']) => {
    const form = {
      message: 'Please fill in the form',
      requestedSchema: { type: 'object' as const, properties },
    }
    const { action, content } = await mcpReq.elicitInput(form, inResponse(mcpReq))
    return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)
  }
  tool(server, 'test_elicitation_sep1034_defaults', (context) =>
    completed(context, {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  )
  const options = ['option1', 'option2', 'option3']
  const titled = [
    { const: 'value1', title: 'First' },
    { const: 'value2', title: 'Second' },
  ]
  tool(server, 'test_elicitation_sep1330_enums', (context) =>
    completed(context, {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    }),
  )
  const greeting = sdk.inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: 'Generate a greeting' } }],
    maxTokens: 100,
  })
  tool(server, 'test_missing_capability', () => sdk.inputRequired({ inputRequests: { greeting } }))
}

function capabilitiesOf(envelope: ServerContext['mcpReq']['envelope']): Record<string, unknown> {
  const given = new Map<string, unknown>(Object.entries(envelope ?? {}))
  return { ...(given.get('io.modelcontextprotocol/clientCapabilities') ?? {}) }
}

/** Tools that ask the client by their result, and are called again with the answers. */
function addRounds(sdk: Sdk, server: McpServer): void {
  const { inputRequired } = sdk
  const ask = (message: string, key: string) =>
    inputRequired.elicit({
      message,
      requestedSchema: { type: 'object', properties: { [key]: { type: 'string' } }, required: [key] },
    })
  const confirm = inputRequired.elicit({
    message: 'Please confirm',
    requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  })
  const sampling = (words: string) =>
    inputRequired.createMessage({
      messages: [{ role: 'user', content: { type: 'text', text: words } }],
      maxTokens: 100,
    })
  const answered = ({ mcpReq }: ServerContext, ...keys: string[]) =>
    keys.every((key) => mcpReq.inputResponses?.[key] !== undefined)
  const once = (name: string, inputRequests: InputRequests) =>
    tool(server, name, (context) =>
      answered(context, ...Object.keys(inputRequests))
        ? text(JSON.stringify(context.mcpReq.inputResponses))
        : inputRequired({ inputRequests }),
    )
  tool(server, 'test_input_required_result_elicitation', ({ mcpReq }) => {
    const schema = z.object({ name: z.string() })
    const said = sdk.acceptedContent(mcpReq.inputResponses, 'user_name', schema)
    return said === undefined
      ? inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } })
      : text(`Hello, ${said.name}!`)
  })
  once('test_streaming_elicitation', { name: ask('What is your name?', 'name') })
  once('test_input_required_result_sampling', {
    capital_question: sampling('What is the capital of France?'),
  })
  once('test_input_required_result_list_roots', { client_roots: inputRequired.listRoots() })
  const codec = stateCodec(sdk)
  const rounds = (name: string, asked: readonly InputRequests[], end: string) =>
    tool(server, name, async (context) => {
      const { round } = context.mcpReq.requestState<Round>() ?? { round: 0 }
      const isAnswered = round > 0 && answered(context, ...Object.keys(asked[round - 1] ?? {}))
      const next = isAnswered ? round : Math.max(0, round - 1)
      const inputRequests = asked[next]
      if (inputRequests === undefined) return text(end)
      return inputRequired({ inputRequests, requestState: await codec.mint({ round: next + 1 }, context) })
    })
  rounds('test_input_required_result_request_state', [{ confirm }], 'state-ok')
  rounds('test_input_required_result_tampered_state', [{ confirm }], 'state-ok')
  rounds(
    'test_input_required_result_multiple_inputs',
    [
      {
        user_name: ask('What is your name?', 'name'),
        greeting: sampling('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
    ],
    'Done.',
  )
  rounds(
    'test_input_required_result_multi_round',
    [
      { step1: ask('Step 1: What is your name?', 'name') },
      { step2: ask('Step 2: What is your favorite color?', 'color') },
    ],
    'Done.',
  )
  tool(server, 'test_input_required_result_capabilities', ({ mcpReq }) => {
    const capabilities = capabilitiesOf(mcpReq.envelope)
    const inputRequests: InputRequests = {
      ...(capabilities.elicitation !== undefined && { name: ask('What is your name?', 'name') }),
      ...(capabilities.sampling !== undefined && { greeting: sampling('Generate a greeting') }),
    }
    return Object.keys(inputRequests).length === 0 ? text('Done.') : inputRequired({ inputRequests })
  })
}

interface Round {
  readonly round: number
}

/** Signs the state of a dialogue, so that a state that a client has changed is refused. */
export function stateCodec(sdk: Sdk) {
  return sdk.createRequestStateCodec<Round>({ key: 'a key of this fixture that is long enough' })
}

function addResources(sdk: Sdk, server: McpServer): void {
  server.server.setRequestHandler('resources/subscribe', async () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}))
  const uri = 'test://static-text'
  server.registerResource(
    'static-text',
    uri,
    { description: 'A text.', mimeType: 'text/plain' },
    async () => ({
      contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
    }),
  )
  const binary = 'test://static-binary'
  server.registerResource(
    'static-binary',
    binary,
    { description: 'An image.', mimeType: 'image/png' },
    async () => ({ contents: [{ uri: binary, mimeType: 'image/png', blob: png }] }),
  )
  const template: ResourceTemplate = new sdk.ResourceTemplate('test://template/{id}/data', {
    list: undefined,
  })
  server.registerResource(
    'template',
    template,
    { description: 'Data by id.', mimeType: 'application/json' },
    async ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  )
}

function addPrompts(sdk: Sdk, server: McpServer): void {
  const said = (words: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: words } })
  server.registerPrompt('test_simple_prompt', { description: 'A prompt.' }, () => ({
    messages: [said('This is a simple prompt for testing.')],
  }))
  const completed = sdk.completable(z.string(), () => ['paris', 'park', 'party'])
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'A prompt with arguments.', argsSchema: z.object({ arg1: completed, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A prompt with a resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        said('Please process the embedded resource above.'),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'A prompt with an image.' }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: png, mimeType: 'image/png' } },
      said('Please analyze the image above.'),
    ],
  }))
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first.' }, ({ mcpReq }) => {
    const schema = z.object({ context: z.string() })
    const given = sdk.acceptedContent(mcpReq.inputResponses, 'user_context', schema)
    if (given !== undefined) return { messages: [said(given.context)] }
    const requestedSchema = {
      type: 'object' as const,
      properties: { context: { type: 'string' as const } },
      required: ['context'],
    }
    const message = 'What context should the prompt use?'
    return sdk.inputRequired({
      inputRequests: { user_context: sdk.inputRequired.elicit({ message, requestedSchema }) },
    })
  })
}
