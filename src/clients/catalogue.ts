import { assistantTopics } from '#src/clients/assistant/conversations.ts';
import { chatTopics } from '#src/clients/chat/chat.ts';
import { feedTopics } from '#src/clients/feed/feed.ts';
import { historyTopics } from '#src/clients/history/history.ts';
import { catalogueOf } from '#src/clients/operation/declared.ts';
import { socialTopics } from '#src/clients/social/social.ts';
import { streamingTopics } from '#src/clients/streaming/bot.ts';

/** Every operation that a rule can name. */
export const catalogue = catalogueOf({
  streaming: streamingTopics,
  social: socialTopics,
  discord: chatTopics,
  assistant: assistantTopics,
  feed: feedTopics,
  history: historyTopics,
});
