import { randomUUID } from 'node:crypto';
import { answerButtonId, FREE_TEXT, LONGEST_KEY, parseAnswerButtonId } from '#src/clients/chat/answer-ids.ts';
import type { ChatPlatform } from '#src/clients/chat/chat.ts';
import { ValidationError } from '#src/errors.ts';
import { doubtfulMs } from '#src/clients/operation/find-lost.ts';
import { cutLabel } from '#src/clients/operation/text/characters.ts';
import type { Channel } from '../channels.ts';
import { requireRoles, type Server, toNonce, write } from '../server.ts';
import { toSent, type WireMessage } from '../wire/message.ts';
import { beginPost, postsOfBot } from './forum-posts.ts';
import { historyIn, messagesOfBot } from './recovery.ts';
import { refinding } from './retry-on-gone.ts';

const [ROW, BUTTON] = [1, 2];
const [PRIMARY, SECONDARY] = [1, 2];
const LONGEST_LABEL = 80;
/** Around the first choice, on the button for a free text. It is a sign, because rules and servers have languages that Fanfare does not know. */
const [PEN, OPENS_FORM] = ['✏️ ', ' …'];

type Ask = NonNullable<ChatPlatform['operations']['ask']>;
type Recover = NonNullable<NonNullable<ChatPlatform['recover']>['ask']>;

/** Questions. The custom ids of the buttons contain the key of the write. */
export function questions(server: Server): { readonly operations: { readonly ask: Ask }; readonly recover: { readonly ask: Recover } } {
  const { guildId, channels, roles } = server;

  async function startedIn(forumId: string, since: Date, signal: AbortSignal | undefined): Promise<readonly WireMessage[]> {
    const posts = await postsOfBot(server, forumId, { sinceMs: doubtfulMs(since), signal });
    return posts.map(({ message }) => message);
  }

  return {
    operations: {
      async ask({ channel, choices, tags, roles: answerers, ...message }, { key = randomUUID(), signal }) {
        if (key.length > LONGEST_KEY) throw new ValidationError(`key: at most ${LONGEST_KEY} characters`, { path: 'key' });
        await requireRoles(answerers, roles, signal);
        const more = { components: toComponents(key, choices) };
        const find = (): Promise<Channel> => channels.forMessage(channel, { signal });
        const sent = await refinding(channels, find, async (target) => {
          if (target.forum) return (await beginPost(server, target, { ...message, tags, more }, signal)).message;
          return write(server, target.id, { ...message, nonce: toNonce(key), more }, signal);
        });
        return toSent(sent, guildId);
      },
    },

    recover: {
      async ask({ channel }, { key, since, signal }) {
        const { id, forum } = await channels.forMessage(channel, { signal });
        const messages = forum ? await startedIn(id, since, signal) : await messagesOfBot(since, await historyIn(server, id, signal));
        if (messages === 'cannotTell') return messages;
        const asked = messages.find(({ components }) => components.some(({ customId = '' }) => parseAnswerButtonId(customId)?.key === key));
        return asked ? { found: toSent(asked, guildId) } : 'absent';
      },
    },
  };
}

function toComponents(key: string, choices: readonly string[]): readonly object[] {
  const [first = ''] = choices;
  const ownWords = `${PEN}${toLabel(first, LONGEST_LABEL - PEN.length - OPENS_FORM.length)}${OPENS_FORM}`;
  const button = (label: string, target: number | typeof FREE_TEXT): object => ({
    type: BUTTON,
    style: target === 0 ? PRIMARY : SECONDARY,
    label: toLabel(label, LONGEST_LABEL),
    custom_id: answerButtonId(key, target),
  });
  return [
    { type: ROW, components: choices.map(button) },
    { type: ROW, components: [button(ownWords, FREE_TEXT)] },
  ];
}

function toLabel(choice: string, most: number): string {
  return cutLabel(choice.replace(/\s+/gu, ' '), most);
}
