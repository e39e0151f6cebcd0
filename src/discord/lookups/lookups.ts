import { settlesWithin, type Clock } from '#src/clock.ts';
import type { AnyClient } from '#src/clients/operation/client.ts';
import type { SocialClient, StreamingClient } from '#src/admin/queries/lookup-clients.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import type { ListQueries } from '#src/admin/queries/lists.ts';
import { FOLLOWED } from '#src/rules/lists.ts';
import type { Caller } from '#src/discord/caller.ts';
import { figure } from '#src/discord/text/format.ts';
import type { SavedViews } from '#src/admin/queries/saved-views.ts';
import { suggestions, type SuggestionsOptions } from '#src/discord/suggestions.ts';
import { accountsFor, chosenAccount, type Accounts } from './accounts.ts';
import type { Suggest } from './fields.ts';
import { createReferences, type References } from './lookup-command.ts';
import { lookupLimit, searchLimit, type LookupLimit, type SearchLimit } from './lookup-limit.ts';
import { createPager, type Pager } from './pager.ts';

const MAX_LIVE_READ = 100;
const LIVE_FRESH_MS = 60_000;
/** Discord waits three seconds for suggestions. */
const LIVE_PATIENCE_MS = 500;

export interface LookupsOptions {
  /** The streaming clients, by account. */
  readonly streaming: Accounts<StreamingClient>;
  /** The social clients, by account. */
  readonly social: Accounts<SocialClient>;
  /** The lists with the followed streamers, who are suggested first. */
  readonly listQueries?: Pick<ListQueries, 'list'> | undefined;
  /** Stores options that are too long for a custom id. */
  readonly savedViews: SavedViews;
  readonly clock: Clock;
  /** Aborted when the bot goes offline. */
  readonly signal: AbortSignal;
}

/** The parts that all look-ups share. */
export interface Lookups extends Pick<LookupsOptions, 'streaming' | 'social' | 'clock'> {
  readonly pager: Pager;
  readonly references: References;
  readonly limit: LookupLimit;
  readonly limitSearches: SearchLimit;
  readonly suggest: Readonly<Record<'games' | 'channels' | 'people' | 'trends', Suggest>>;
}

/** The parts that all look-ups of one bot share. */
export function createLookups({ streaming, social, listQueries, savedViews, clock, signal }: LookupsOptions): Lookups {
  return {
    streaming,
    social,
    pager: createPager(clock),
    references: createReferences(savedViews),
    limit: lookupLimit(clock),
    limitSearches: searchLimit(clock),
    clock,
    suggest: {
      games: suggestFrom(accountsFor(streaming, 'getTopGames'), clock, (bot) => ({
        load: async () => (await bot.getTopGames({ signal })).items.map(({ name }) => name),
        search: async (typed) => {
          const { items, hasNext } = await bot.search(typed, { filter: 'SearchGames', signal });
          return { names: items.flatMap((item) => ('name' in item ? item.name : [])), complete: !hasNext };
        },
      })),
      channels: suggestStreamers({ streaming, listQueries, clock, signal }),
      people: suggestFrom(social, clock, (client) => ({
        search: async (typed) => handlesIn(await client.search(typed, { filter: 'People', signal })),
      })),
      trends: suggestFrom(accountsFor(social, 'getTrends'), clock, (client) => ({
        load: async () => (await client.getTrends({ signal })).map(({ name }) => name),
      })),
    },
  };
}

function handlesIn({ items, hasNext }: { readonly items: readonly object[]; readonly hasNext: boolean }) {
  const names = items.flatMap((item) => ('handle' in item && typeof item.handle === 'string' ? item.handle : []));
  return { names, complete: !hasNext };
}

type StreamersOptions = Pick<LookupsOptions, 'streaming' | 'listQueries' | 'clock' | 'signal'>;

/** Streamers: the followed ones of the server first, and live ones with their game and their viewers. */
function suggestStreamers({ streaming, listQueries, clock, signal }: StreamersOptions): Suggest {
  const accounts = accountsFor(streaming, 'getTopStreams');
  const live = new Map<string, Stream>();
  const readAtMs = new Map<string, number>();

  const keyOf = (account: string, handle: string): string => `${account} ${handle.toLowerCase()}`;

  function remember(account: string, streams: readonly Stream[]): readonly string[] {
    for (const stream of streams) live.set(keyOf(account, stream.owner.handle), stream);
    return streams.map(({ owner }) => owner.handle);
  }

  async function followed(account: string, { platformName }: StreamingClient, server: string): Promise<readonly string[]> {
    const entries = (await listQueries?.list({ list: FOLLOWED, server }))?.entries ?? [];
    const handles = entries.map(({ fields }) => fields[account] ?? fields[platformName]);
    return [...new Set(handles.filter((handle) => typeof handle === 'string'))];
  }

  /** Reads which of the followed streamers are live, at most once a minute for each server. */
  async function readLive(account: string, client: StreamingClient, users: readonly string[]): Promise<void> {
    const key = keyOf(account, users.join(' '));
    const nowMs = clock.nowMs();
    for (const [other, atMs] of readAtMs) if (nowMs - atMs >= LIVE_FRESH_MS) readAtMs.delete(other);
    if (users.length === 0 || readAtMs.has(key)) return;
    readAtMs.set(key, nowMs);
    const { items } = await client.getStreams({ users: users.slice(0, MAX_LIVE_READ), signal });
    for (const user of users) live.delete(keyOf(account, user));
    remember(account, items);
  }

  const names = suggestFrom(accounts, clock, (client, account) => ({
    async load() {
      const { items } = await client.getTopStreams({ signal });
      for (const key of live.keys()) if (key.startsWith(`${account} `)) live.delete(key);
      readAtMs.clear();
      return remember(account, items);
    },
    search: async (typed) => handlesIn(await client.search(typed, { filter: 'SearchChannels', signal })),
  }));

  return async (typed, values, caller) => {
    if (accounts.size === 0) return [];
    const { account, client } = chosenAccount(accounts, values, caller.texts);
    const wanted = typed.trim().toLowerCase();
    const found = (await names(typed, values, caller)).map((one) => (typeof one === 'string' ? one : one.value));
    const own = caller.server ? await followed(account, client, caller.server.id) : [];
    // The command reports a failure of the platform when the user runs it.
    const reading = readLive(account, client, own).catch(() => undefined);
    await settlesWithin(reading, LIVE_PATIENCE_MS, clock);
    const isLive = (handle: string): boolean => live.has(keyOf(account, handle));
    const first = own.filter((handle) => handle.toLowerCase().includes(wanted));
    const all = [...first.filter(isLive), ...first.filter((handle) => !isLive(handle)), ...found];
    const unique = [...new Map(all.map((handle) => [handle.toLowerCase(), handle])).values()];
    return unique.map((handle) => {
      const stream = live.get(keyOf(account, handle));
      return stream ? { name: liveName(stream, caller), value: handle } : handle;
    });
  };
}

/** As `🔴 Ada · Chess · 808`. The handle is part of the name if the shown name differs from it. */
function liveName({ owner: { handle, displayName }, game, viewerCount }: Stream, reader: Caller): string {
  const name = displayName.toLowerCase() === handle.toLowerCase() ? displayName : `${displayName} (${handle})`;
  return ['🔴 ' + name, ...(game ? [game.name] : []), figure(viewerCount, reader)].join(' · ');
}

/** Suggestions from the account in the option `platform`. Typing must not use up what the operator pays for, or the searches of a day. */
function suggestFrom<C extends AnyClient>(
  accounts: Accounts<C>,
  clock: Clock,
  sourceOf: (client: C, account: string) => Omit<SuggestionsOptions, 'clock'>,
): Suggest {
  const free = [...accounts].filter(([, { billsReads, limitsSearches }]) => !billsReads && !limitsSearches);
  const byAccount = new Map(free.map(([account, client]) => [account, suggestions({ ...sourceOf(client, account), clock })]));
  return async (typed, values, { texts }) => {
    if (accounts.size === 0) return [];
    const { account } = chosenAccount(accounts, values, texts);
    return (await byAccount.get(account)?.find(typed)) ?? [];
  };
}
