/** The instructions that explain the JSON format to the model. */
import type { Section } from './text-format'
import { toolList } from './tool-list'

const calling = `{
  "reasoning": "…",
  "action": "tool_call",
  "tool_calls": [
    { "name": "tool.name", "arguments": { "parameter": "value" } }
  ]
}`

const finishing = `{
  "reasoning": "…",
  "action": "finish",
  "content": "…"
}`

export function jsonSection({ tools, locale, placement }: Section): string {
  const isOwn = placement === 'user_message'
  return locale === 'zh' ? chinese(toolList(tools, 'zh'), isOwn) : english(toolList(tools, 'en'), isOwn)
}

function english(list: string, isOwn: boolean): string {
  return `# Tool calling protocol

You can call the tools listed below. Every answer of yours is one JSON object and nothing else: no other text, no code fence.

## Tools

${list}

## To call tools

${calling}

## To finish

${finishing}

Rules:
- Put several calls into tool_calls; they run in that order.
- Use the names of tools and parameters exactly as listed, and give every required parameter. In strings, line breaks are \\n, quotes are \\", backslashes are \\\\.
- End your answer after the object. The results come ${isOwn ? 'in the next message' : 'right under your calls'}. Never write results yourself.
- When you need no more tools, finish: content is the whole answer for the reader.`
}

function chinese(list: string, isOwn: boolean): string {
  return `# 工具调用协议

你可以调用下面列出的工具。每次只返回 JSON，不要包含其他文本，也不要使用代码围栏。

## 可用工具

${list}

## 调用工具

${calling}

## 完成任务

${finishing}

规则：
- 需要多次调用时，全部放入 tool_calls，它们按顺序执行。
- 工具名和参数名必须与列表完全一致，所有必需参数都要给出。字符串中的换行写作 \\n，引号写作 \\"，反斜杠写作 \\\\。
- 写完 JSON 后立即结束回答。结果会${isOwn ? '在下一条消息中' : '紧接在你的调用之后'}给出。不要自己编写结果。
- 不再需要工具时，用 finish 结束：content 是给读者的完整回答。`
}
