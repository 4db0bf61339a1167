/** The instructions that explain calls in fenced JSON to the model. */
import type { WireTool } from '#lib/spec/model'
import type { Locale } from '#lib/spec/protocol'
import type { Section } from './text-format'
import { exampleLines } from './tool-list'

const form = `\`\`\`json
{"function_name": "tool.name", "parameter": "value"}
\`\`\``

export function fenceSection({ tools, locale, placement }: Section): string {
  const list = tools.map((each) => describeInFence(each, locale)).join('\n\n')
  const isOwn = placement === 'user_message'
  return locale === 'zh' ? chinese(list, isOwn) : english(list, isOwn)
}

/** The tool's schema, with the key that holds the tool's name added to its parameters. */
export function describeInFence(
  { name, description, parameters, example }: WireTool,
  locale: Locale,
): string {
  const { properties = {}, required = [] } = parameters
  const schema = {
    name,
    description,
    parameters: {
      ...parameters,
      properties: { function_name: { type: 'string', const: name }, ...properties },
      required: ['function_name', ...required],
    },
  }
  return [`\`\`\`json\n${JSON.stringify(schema)}\n\`\`\``, ...exampleLines(example, locale)].join('\n')
}

function english(list: string, isOwn: boolean): string {
  return `# Tool calling protocol

You can call the tools listed below. To call, write what you are about to do, and then a fenced block of exactly this form:

${form}

Rules:
- One object with function_name first and the arguments beside it. For several calls write several blocks; they run in that order.
- Use the names of tools and parameters exactly as listed, and give every required parameter. In strings, line breaks are \\n, quotes are \\", backslashes are \\\\.
- End your answer after the last block. The results come ${isOwn ? 'in the next message' : 'right under your calls'}. Never write results yourself.
- When you need no tool, answer in plain words, without function_name in any block.

## Tools

${list}`
}

function chinese(list: string, isOwn: boolean): string {
  return `# 工具调用协议

你可以调用下面列出的工具。调用时，先说明你要做什么，然后严格按照以下格式书写代码块：

${form}

规则：
- 每个代码块是一个对象，function_name 在最前，参数与它并列。需要多次调用时写多个代码块，它们按顺序执行。
- 工具名和参数名必须与列表完全一致，所有必需参数都要给出。字符串中的换行写作 \\n，引号写作 \\"，反斜杠写作 \\\\。
- 写完最后一个代码块后立即结束回答。结果会${isOwn ? '在下一条消息中' : '紧接在你的调用之后'}给出。不要自己编写结果。
- 不需要工具时，直接用文字回答，任何代码块中都不要出现 function_name。

## 工具

${list}`
}
