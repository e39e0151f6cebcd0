import { assistantTopics } from '#src/assistant/conversations.ts';
import { chatTopics } from '#src/chat/chat.ts';
import { historyTopics } from '#src/history/history.ts';
import { catalogueOf } from '#src/operation/declared.ts';
import { socialTopics } from '#src/social/social.ts';
import { streamingTopics } from '#src/streaming/bot.ts';

/** Every operation that a rule can name. */
export const catalogue = catalogueOf({
  streaming: streamingTopics,
  social: socialTopics,
  discord: chatTopics,
  assistant: assistantTopics,
  history: historyTopics,
});
