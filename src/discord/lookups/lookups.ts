import type { Clock } from '#src/clock.ts';
import type { AnyClient } from '#src/operation/client.ts';
import type { SocialAsync } from '#src/social/social.ts';
import type { Bot } from '#src/streaming/bot.ts';
import type { Suggestion } from '../commands/command.ts';
import type { DiscordParts } from '../parts.ts';
import { suggestions, type SuggestionsOptions } from '../suggestions.ts';
import { accountsFor, chosenAccount, type Accounts } from './accounts.ts';
import { createPager, type Pager } from './pager.ts';
import { createReferences, type References } from './references.ts';
import type { Field } from './view.ts';

type Suggest = NonNullable<Field['suggest']>;

/** What all look-ups share. */
export interface Lookups {
  readonly streaming: Accounts<Bot>;
  readonly social: Accounts<SocialAsync>;
  readonly pager: Pager;
  readonly references: References;
  readonly clock: Clock;
  /** What may be meant by what is typed, from the account that is asked. */
  readonly suggest: { readonly games: Suggest; readonly channels: Suggest; readonly people: Suggest; readonly trends: Suggest };
}

/** What look-ups share, for one bot. */
export function createLookups({ streaming, social, keptViews, clock, signal }: Omit<DiscordParts, 'log'>): Lookups {
  return {
    streaming,
    social,
    pager: createPager(clock),
    references: createReferences(keptViews),
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
        search: async (typed) => {
          const { items, hasNext } = await bot.search(typed, { filter: 'SearchChannels', signal });
          return { names: items.flatMap((item) => ('handle' in item ? item.handle : [])), complete: !hasNext };
        },
      })),
      people: suggestFrom(social, clock, (client) => ({
        load: async () =>
          has(client, 'getSuggestedUsers') ? (await client.getSuggestedUsers({ signal })).map(({ handle }) => handle) : [],
        search: async (typed) => {
          const { items, hasNext } = await client.search(typed, { filter: 'People', signal });
          return { names: items.flatMap((item) => ('handle' in item ? item.handle : [])), complete: !hasNext };
        },
      })),
      trends: suggestFrom(accountsFor(social, 'getTrends'), clock, (client) => ({
        load: async () => (await client.getTrends({ signal })).map(({ name }) => name),
      })),
    },
  };
}

/** Suggestions that each account has of its own. */
function suggestFrom<C extends AnyClient>(
  accounts: Accounts<C>,
  clock: Clock,
  sourceOf: (client: C) => Omit<SuggestionsOptions, 'clock'>,
): Suggest {
  const byAccount = new Map([...accounts].map(([account, client]) => [account, suggestions({ ...sourceOf(client), clock })]));
  return async (typed, given, { words }): Promise<readonly Suggestion[]> => {
    if (accounts.size === 0) return [];
    const { account } = chosenAccount(accounts, given, words);
    return (await byAccount.get(account)?.find(typed)) ?? [];
  };
}

function has(client: AnyClient, operation: string): boolean {
  return accountsFor(new Map([['', client]]), operation).size > 0;
}
