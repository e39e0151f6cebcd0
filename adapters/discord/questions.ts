import { randomUUID } from 'node:crypto';
import { answerId, LONGEST_KEY, OWN_TEXT, readAnswerId } from '#src/chat/answer-ids.ts';
import type { ChatPlatform } from '#src/chat/chat.ts';
import { ValidationError } from '#src/errors.ts';
import { doubtfulMs } from '#src/operation/lost-among.ts';
import { cutLabel } from '#src/operation/text/cut-label.ts';
import { toSent, type WireMessage } from './messages.ts';
import { toNonce } from './nonce.ts';
import type { Place } from './places.ts';
import { beginPost, ownPosts } from './posts.ts';
import { ownMessages } from './recovery.ts';
import { refinding } from './refinding.ts';
import { write, type Server } from './server.ts';

const [ROW, BUTTON] = [1, 2];
const [PRIMARY, SECONDARY] = [1, 2];
const LONGEST_LABEL = 80;
const IN_OTHER_WORDS = ', in other words …';

type Ask = NonNullable<ChatPlatform['operations']['ask']>;
type Recover = NonNullable<NonNullable<ChatPlatform['recover']>['ask']>;

/** Questions, whose buttons carry the key of the write. */
export function questions(server: Server): { readonly operations: { readonly ask: Ask }; readonly recover: { readonly ask: Recover } } {
  const { guildId, places, past } = server;

  async function startedIn(forumId: string, since: Date, signal: AbortSignal | undefined): Promise<readonly WireMessage[]> {
    const posts = await ownPosts(server, forumId, { sinceMs: doubtfulMs(since), signal });
    return posts.map(({ message }) => message);
  }

  return {
    operations: {
      async ask({ channel, choices, tags, ...message }, { key = randomUUID(), signal }) {
        if (key.length > LONGEST_KEY) throw new ValidationError(`key: at most ${LONGEST_KEY} characters`, { path: 'key' });
        const more = { components: toComponents(key, choices) };
        const find = (): Promise<Place> => places.forMessage(channel, { signal });
        const sent = await refinding(places, find, async (place) => {
          if (place.forum) return (await beginPost(server, place, { ...message, tags, more }, signal)).message;
          return write(server, place.id, { ...message, nonce: toNonce(key), more }, signal);
        });
        return toSent(sent, guildId);
      },
    },

    recover: {
      async ask({ channel }, { key, since, signal }) {
        const { id, forum } = await places.forMessage(channel, { signal });
        const own = forum
          ? await startedIn(id, since, signal)
          : await ownMessages(since, {
              botId: await past.botId(signal),
              page: (before) => past.page(id, { before, signal }),
              newestAt: () => past.newestAt(id, signal),
            });
        if (own === 'cannotTell') return own;
        const asked = own.find(({ components }) => components.some(({ customId = '' }) => readAnswerId(customId)?.key === key));
        return asked ? { found: toSent(asked, guildId) } : 'absent';
      },
    },
  };
}

function toComponents(key: string, choices: readonly string[]): readonly object[] {
  const [first = ''] = choices;
  const own = `${toLabel(first, LONGEST_LABEL - IN_OTHER_WORDS.length)}${IN_OTHER_WORDS}`;
  const button = (label: string, place: number | typeof OWN_TEXT): object => ({
    type: BUTTON,
    style: place === 0 ? PRIMARY : SECONDARY,
    label: toLabel(label, LONGEST_LABEL),
    custom_id: answerId(key, place),
  });
  return [
    { type: ROW, components: choices.map(button) },
    { type: ROW, components: [button(own, OWN_TEXT)] },
  ];
}

function toLabel(choice: string, most: number): string {
  return cutLabel(choice.replace(/\s+/gu, ' '), most);
}
