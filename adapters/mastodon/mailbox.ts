import type { PageOptions } from '#src/operation/platform.ts';
import type { Message } from '#src/social/records/message.ts';
import { MOST, type Fetched } from './api.ts';
import type { MastodonContext } from './context.ts';
import { ContextRow } from './wire/context.ts';
import { ConversationRow } from './wire/conversation.ts';
import { toMessage } from './wire/message.ts';

const PATH = '/api/v1/conversations';
const SCOPE = 'read:statuses';
const MOST_PAGES = 10;
/** Everything that begins anew is another conversation to a server: of those with the same people, so many are put together. */
const MOST_THREADS = 10;

/** The direct statuses of the signed-in account, by those who are in them. */
export interface Mailbox {
  page(options: PageOptions): Promise<Fetched<ConversationRow>>;
  byId(id: string, signal: AbortSignal | undefined): Promise<ConversationRow | undefined>;
  /** Those with nobody but this account, the latest first. */
  withAccount(accountId: string, signal: AbortSignal | undefined): Promise<readonly ConversationRow[]>;
  /** Everything said in them, oldest first, as one conversation. */
  messages(rows: readonly ConversationRow[], signal: AbortSignal | undefined): Promise<Message[]>;
}

export function mailbox({ api }: Pick<MastodonContext, 'api'>): Mailbox {
  const page: Mailbox['page'] = (options) =>
    api.page({ path: PATH, query: { limit: MOST.statuses }, scope: SCOPE }, ConversationRow, options);

  async function* all(signal: AbortSignal | undefined): AsyncGenerator<ConversationRow, void> {
    let cursor: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const { rows, cursor: next } = await page({ cursor, signal });
      yield* rows;
      if (next === undefined) return;
      cursor = next;
    }
  }

  return {
    page,

    async byId(id, signal) {
      for await (const row of all(signal)) if (row.id === id) return row;
      return undefined;
    },

    async withAccount(accountId, signal) {
      const found: ConversationRow[] = [];
      for await (const row of all(signal)) {
        if (row.accounts.length === 1 && row.accounts[0]?.id === accountId) found.push(row);
        if (found.length === MOST_THREADS) break;
      }
      return found;
    },

    async messages(rows, signal) {
      const [newest] = rows;
      const threads = await Promise.all(
        rows.map(async ({ last_status: last }) => {
          if (!last) return [];
          const path = `/api/v1/statuses/${encodeURIComponent(last.id)}/context`;
          const { ancestors, descendants } = (await api.send({ path, scope: SCOPE, signal })).json(ContextRow);
          return [...ancestors, last, ...descendants].filter(({ visibility }) => visibility === 'direct');
        }),
      );
      const byId = new Map(threads.flat().map((row) => [row.id, row]));
      return [...byId.values()]
        .toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime())
        .map((row) => toMessage(row, newest?.id ?? row.id));
    },
  };
}
