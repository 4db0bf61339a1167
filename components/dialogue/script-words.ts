/** Says that no AI model answers: the demo follows rules, and other scripts play turns from the model's settings. */
export const scriptWords = {
  demo: 'Answered by the scripted demo model: it follows plain rules and is not an AI.',
  turns: 'Answered from the turns written in its model: it is not an AI.',
} as const
