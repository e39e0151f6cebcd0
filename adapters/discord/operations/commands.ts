import { PlatformError } from '#src/errors.ts';
import type { ChatPlatform, CommandUses } from '#src/clients/chat/chat.ts';
import { missing } from '../errors.ts';
import { compose, type Server } from '../server.ts';
import { toSent, WireMessage } from '../wire/message.ts';

type Operations = Pick<ChatPlatform['operations'], 'answer'>;

/** Answers to slash commands. */
export function answers(server: Server, uses: Pick<CommandUses, 'find'>): { readonly operations: Operations } {
  return {
    operations: {
      async answer({ command, ...draft }, { key, signal }) {
        if (command === undefined) throw new PlatformError('There is no command to answer.', { platform: 'discord', fault: 'rejected' });
        const use = await uses.find(command);
        if (!use) throw missing('The command was used more than 15 minutes ago, so Discord accepts no answer to it.');
        const { form, files } = await compose(server, { ...draft, key }, signal);
        // The message "is thinking" stands for the answer, so a repeat has the same effect.
        const path = `/webhooks/${use.application}/${use.token}/messages/@original` as const;
        return toSent(await server.api({ method: 'PATCH', path, body: form, files, answer: WireMessage, signal }), server.guildId);
      },
    },
  };
}
