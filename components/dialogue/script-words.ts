/** Says that no AI model answers: the demo follows rules, and other scripts play turns from the model's settings. */
export const scriptWords = {
  demo: 'Answered by the scripted demo model, which follows simple rules and is not an AI.',
  turns: 'Answered from the script in the model’s settings, which is not an AI.',
} as const
