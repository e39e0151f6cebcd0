import type { Assistant } from '#src/assistant/assistant.ts';
import type { ConversationPoint } from '#src/store/answer-places.ts';

const CHARS_PER_TOKEN = 4;

/** What an answer cost in tokens, as the model says it, or by the length of what it was given. */
export async function costOf(
  { conversation, turn }: ConversationPoint,
  { assistant }: { readonly assistant: Pick<Assistant, 'getConversation'> },
): Promise<number> {
  const said = (await assistant.getConversation(conversation, { upTo: turn }))?.messages ?? [];
  const usage = said.at(-1)?.usage;
  if (usage) return usage.inputTokens + usage.outputTokens;
  return Math.ceil(said.reduce((chars, { text }) => chars + text.length, 0) / CHARS_PER_TOKEN);
}
