import type { ChatPlatform } from '#src/clients/chat/chat.ts';
import type { StatusStore } from '#src/clients/chat/wanted-status.ts';

type Operations = Required<Pick<ChatPlatform['operations'], 'setStatus'>>;

/** The status of the bot. Only a gateway connection can set it, so the processes with connections read it from the store. */
export function statusIn(statuses: StatusStore): { readonly operations: Operations } {
  return {
    operations: {
      async setStatus(wanted) {
        await statuses.keep(wanted);
        return { platform: 'discord', id: 'status', text: wanted.text };
      },
    },
  };
}
