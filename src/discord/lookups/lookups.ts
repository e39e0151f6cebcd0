import type { Clock } from '#src/clock.ts';
import type { AnyClient } from '#src/operation/client.ts';
import type { SocialClient, StreamingClient } from '#src/queries/lookup-clients.ts';
import type { SavedViews } from '#src/queries/saved-views.ts';
import { suggestions, type SuggestionsOptions } from '../suggestions.ts';
import { accountsFor, chosenAccount, supports, type Accounts } from './accounts.ts';
import type { Suggest } from './fields.ts';
import { createReferences, type References } from './lookup-command.ts';
import { createPager, type Pager } from './pager.ts';

export interface LookupsOptions {
  /** The streaming clients, by account. */
  readonly streaming: Accounts<StreamingClient>;
  /** The social clients, by account. */
  readonly social: Accounts<SocialClient>;
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
  readonly suggest: Readonly<Record<'games' | 'channels' | 'people' | 'trends', Suggest>>;
}

/** The parts that all look-ups of one bot share. */
export function createLookups({ streaming, social, savedViews, clock, signal }: LookupsOptions): Lookups {
  return {
    streaming,
    social,
    pager: createPager(clock),
    references: createReferences(savedViews),
    clock,
    suggest: {
      games: suggestFrom(accountsFor(streaming, 'getTopGames'), clock, (bot) => ({
        load: async () => (await bot.getTopGames({ signal })).items.map(({ name }) => name),
        search: async (typed) => {
          const { items, hasNext } = await bot.search(typed, { filter: 'SearchGames', signal });
          return { names: items.flatMap((item) => ('name' in item ? item.name : [])), complete: !hasNext };
        },
      })),
      channels: suggestFrom(accountsFor(streaming, 'getTopStreams'), clock, (bot) => ({
        load: async () => (await bot.getTopStreams({ signal })).items.map(({ owner }) => owner.handle),
        search: async (typed) => handlesIn(await bot.search(typed, { filter: 'SearchChannels', signal })),
      })),
      people: suggestFrom(social, clock, (client) => ({
        load: async () =>
          supports(client, 'getSuggestedUsers') ? (await client.getSuggestedUsers({ signal })).map(({ handle }) => handle) : [],
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

/** Suggestions from the account in the option `account`. */
function suggestFrom<C extends AnyClient>(
  accounts: Accounts<C>,
  clock: Clock,
  sourceOf: (client: C) => Omit<SuggestionsOptions, 'clock'>,
): Suggest {
  const byAccount = new Map([...accounts].map(([account, client]) => [account, suggestions({ ...sourceOf(client), clock })]));
  return async (typed, values, { texts }) => {
    if (accounts.size === 0) return [];
    const { account } = chosenAccount(accounts, values, texts);
    return (await byAccount.get(account)?.find(typed)) ?? [];
  };
}
