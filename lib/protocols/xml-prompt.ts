/** The instructions that explain the XML format to the model. */
import type { Section } from './text-format'
import { toolList } from './tool-list'

const form = `<function_calls>
<invoke name="tool.name">
<parameter name="first">value</parameter>
<parameter name="second">value</parameter>
</invoke>
</function_calls>`

export function xmlSection({ tools, locale, placement }: Section): string {
  return locale === 'zh'
    ? chinese(toolList(tools, 'zh'), placement)
    : english(toolList(tools, 'en'), placement)
}

function english(list: string, placement: Section['placement']): string {
  const where = {
    user_message: 'The results come in the next message, within <function_results>.',
    xml: 'The results are put under your calls, within <function_results>.',
    inline: 'The results are put under your calls, each under the name of its tool.',
    tool_message: '',
  }[placement]
  return `# Tool calling protocol

You can call the tools listed below. To call, write a block of exactly this form:

${form}

Rules:
- For several calls write several <invoke> in one block; they run in that order.
- Write text values as they are, without escaping anything. Write numbers, true, false, lists and objects as JSON.
- A value that holds tags, or begins or ends with a line break, stands as a whole between <![CDATA[ and ]]>. Where ]]> stands in such a value, write ]]]]><![CDATA[> instead.
- Use the names of tools and parameters exactly as listed, and give every required parameter.
- Do not put the block into a code fence.
- End your answer after the block. ${where} Never write results yourself.
- When you need no tool, answer in plain words without any block.

## Tools

${list}`
}

function chinese(list: string, placement: Section['placement']): string {
  const where = {
    user_message: '结果会在下一条消息的 <function_results> 中给出。',
    xml: '结果会放在你的调用之后的 <function_results> 中。',
    inline: '结果会放在你的调用之后，并标明工具名称。',
    tool_message: '',
  }[placement]
  return `# 工具调用协议

你可以调用下面列出的工具。调用时，请严格按照以下格式书写：

${form}

规则：
- 需要多次调用时，在同一个块中写多个 <invoke>，它们按顺序执行。
- 文本值按原样书写，不要转义。数字、true、false、数组和对象用 JSON 书写。
- 如果值中含有标签，或以换行开头或结尾，请把整个值放在 <![CDATA[ 和 ]]> 之间；值中的 ]]> 要写成 ]]]]><![CDATA[>。
- 工具名和参数名必须与列表完全一致，所有必需参数都要给出。
- 不要把调用块放进代码围栏。
- 写完调用块后立即结束回答。${where}不要自己编写结果。
- 不需要工具时，直接用文字回答，不要写调用块。

## 工具

${list}`
}
