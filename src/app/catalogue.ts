import { chatTopics } from '../chat/chat.ts';
import { catalogueOf } from '../operation/catalogue.ts';
import { socialTopics } from '../social/social.ts';
import { streamingTopics } from '../streaming/bot.ts';

/** Every operation that a rule can name. */
export const catalogue = catalogueOf({ streaming: streamingTopics, social: socialTopics, discord: chatTopics });
