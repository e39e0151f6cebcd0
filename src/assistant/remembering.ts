import type { WriteOptions } from '#src/operation/call.ts';
import { createAssistant, type AssistantOptions } from './assistant.ts';
import { capabilities } from './capabilities.ts';
import type { ConversationPlatform } from './conversations.ts';
import { idFor, respond } from './respond.ts';

/** An assistant as rules ask it: what was said is kept, and the same step asked again gets the answer that it got. */
export function remembering(options: AssistantOptions): ConversationPlatform {
  const { name, account } = options.platform;
  const assistant = createAssistant(options);
  return {
    name,
    account,
    capabilities,
    operations: {
      async ask({ text, conversation }, { key, signal }: WriteOptions) {
        const id = idFor(key);
        const [message, answered] = await respond(assistant, { conversation: conversation ?? id, text, id, signal }, { platform: name });
        return { message, conversation: answered };
      },
    },
  };
}
