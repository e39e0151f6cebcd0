import { z } from 'zod';
import type { ChatPlatform } from '#src/chat/chat.ts';
import type { Message } from '#src/chat/records.ts';
import type { PageOptions } from '#src/operation/platform.ts';
import type { Page } from '#src/paging/page.ts';
import { PAGE_SIZE } from './history.ts';
import { toMessage } from './messages.ts';
import type { Place } from './places.ts';
import { firstMessage } from './posts.ts';
import { postsOf } from './post-list.ts';
import { refinding } from './refinding.ts';
import type { Server } from './server.ts';

const Tagged = z.object({ available_tags: z.array(z.object({ id: z.string(), name: z.string() })).nullish() });

/** What stands in channels, as the rest of Fanfare reads it. */
export function reading(server: Server): { readonly operations: Pick<ChatPlatform['operations'], 'getMessages'> } {
  const { api, guildId, places, past, clock } = server;

  async function messagesIn({ id, name }: Place, { cursor, signal }: PageOptions): Promise<Page<Message>> {
    const { rows, partialErrors } = await past.readablePage(id, { before: cursor, signal });
    const about = { guildId, channel: { id, name }, fetchedAt: new Date(clock.nowMs()) };
    return {
      items: rows.map((message) => toMessage(message, about)),
      partialErrors,
      cursor: rows.length + partialErrors.length < PAGE_SIZE ? undefined : rows.at(-1)?.id,
    };
  }

  /** The messages that posts begin with; one that somebody deleted is left out, and so is one whose files are still on their way. */
  async function postsIn({ id, name }: Place, { cursor, signal }: PageOptions): Promise<Page<Message>> {
    const { items: threads, ...page } = await postsOf(server, id, { cursor, signal });
    const isTagged = threads.some(({ applied_tags }) => applied_tags?.length);
    const tags = isTagged ? await tagsOf(id, signal) : new Map<string, string>();
    const messages = await Promise.all(threads.map((thread) => firstMessage(server, thread, signal)));
    const about = { guildId, channel: { id, name }, fetchedAt: new Date(clock.nowMs()) };
    const items = threads.flatMap((thread, index) => {
      const message = messages[index];
      const named = (thread.applied_tags ?? []).flatMap((tag) => tags.get(tag) ?? []);
      return message ? [{ ...toMessage({ ...message, thread }, about), title: thread.name, tags: named }] : [];
    });
    return { ...page, items };
  }

  /** As they are called at this moment. */
  async function tagsOf(forumId: string, signal: AbortSignal | undefined): Promise<ReadonlyMap<string, string>> {
    const { available_tags } = await api({ method: 'GET', path: `/channels/${forumId}`, answer: Tagged, signal });
    return new Map((available_tags ?? []).map((tag) => [tag.id, tag.name]));
  }

  return {
    operations: {
      async getMessages({ channel }, options) {
        const find = (): Promise<Place> => places.forMessage(channel, { signal: options.signal });
        return refinding(places, find, (place) => (place.forum ? postsIn(place, options) : messagesIn(place, options)));
      },
    },
  };
}
