import { z } from 'zod';
import type { CallOptions } from '#src/operation/call.ts';
import type { Account } from '../account.ts';
import { isDid, toHandle } from '../at-uri.ts';
import { failure, isFault } from '../platform.ts';
import { MOST_ROWS } from '../reading/pages.ts';
import { ConvoView, MaybeMessage, type MessageView } from '../wire/convo.ts';
import { listOf, maybe, maybeText } from '../wire/parts.ts';
import { Profile } from '../wire/profile.ts';

/** How many pages of messages are read at the most. */
const MOST_PAGES = 10;

const Talk = z.object({ convo: ConvoView });
const Written = z.object({ messages: listOf(MaybeMessage), relatedProfiles: maybe(listOf(Profile)), cursor: maybeText });

interface ReadOptions extends CallOptions {
  /** Nothing older is wanted. */
  readonly fromMs?: number | undefined;
}

/** What was written, the latest first. */
interface WrittenMessages {
  readonly views: readonly MessageView[];
  /** People who wrote, and may have left. */
  readonly related: readonly Profile[];
  /** Whether nothing that was wanted is missing. */
  readonly isWhole: boolean;
}

export interface Talks {
  /** The conversation with somebody, if the two can have one. */
  readonly findTalk: (user: string, options: CallOptions) => Promise<ConvoView | undefined>;
  /** By its own id, or by whom it is with. */
  readonly requireTalk: (name: string, options: CallOptions) => Promise<ConvoView>;
  /** Messages after the one with the id `maxId`. */
  readonly readMessages: (id: string, maxId: string | undefined, options: ReadOptions) => Promise<WrittenMessages>;
}

export function talks({ xrpc, names }: Account): Talks {
  async function talkWith(user: string, { signal }: CallOptions): Promise<ConvoView> {
    const did = await names.didOf(user, signal);
    return (await xrpc.query('chat.bsky.convo.getConvoForMembers', Talk, { members: [did] }, { signal })).convo;
  }

  return {
    async findTalk(user, options) {
      return talkWith(user, options).catch((error: unknown) => {
        if (isFault(error, 'missing')) return undefined;
        throw error;
      });
    },

    async requireTalk(name, { signal }) {
      if (isDid(name) || toHandle(name) !== undefined) return talkWith(name, { signal });
      const { convo } = await xrpc.query('chat.bsky.convo.getConvo', Talk, { convoId: name }, { signal }).catch((error: unknown) => {
        throw isFault(error, 'missing', 'rejected') ? failure('missing', `there is no conversation ${name}.`, error) : error;
      });
      return convo;
    },

    async readMessages(id, maxId, { fromMs = 0, signal }) {
      const views: MessageView[] = [];
      const related: Profile[] = [];
      const met = new Set<string>();
      let from: string | undefined;
      for (let page = 1; ; page++) {
        const query = { convoId: id, limit: MOST_ROWS, cursor: from };
        const answer = await xrpc.query('chat.bsky.convo.getMessages', Written, query, { signal });
        const found = answer.messages.filter((view) => view !== undefined);
        const upTo = maxId === undefined ? -1 : found.findIndex((view) => view.id === maxId);
        views.push(...(upTo < 0 ? found : found.slice(0, upTo)));
        related.push(...(answer.relatedProfiles ?? []));
        const isEnough = upTo >= 0 || found.some(({ sentAt }) => sentAt !== undefined && sentAt.getTime() < fromMs);
        if (isEnough || answer.cursor === undefined || met.has(answer.cursor)) return { views, related, isWhole: true };
        if (page === MOST_PAGES) return { views, related, isWhole: false };
        from = answer.cursor;
        met.add(from);
      }
    },
  };
}
