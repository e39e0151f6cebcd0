import type { APIEmbed } from 'discord.js';
import { isPublic } from '#src/clients/operation/audience.ts';
import type { AnyClient } from '#src/clients/operation/client.ts';
import type { Caller } from '#src/discord/caller.ts';
import type { Card } from '#src/discord/cards/card.ts';
import type { Texts, Title } from '#src/discord/language/texts.ts';
import { chosenAccount, withExplanations, type Accounts, type Explanations } from './accounts.ts';
import { accountField, type Field, type OptionValues } from './fields.ts';
import type { LookupLimit, SearchLimit } from './lookup-limit.ts';
import type { Pager, Part } from './pager.ts';

const CARDS_PER_PAGE = 5;

interface ViewRequest {
  /** Identifies the view with its options. */
  readonly key: string;
  readonly values: OptionValues;
  /** From 0. */
  readonly page: number;
  readonly caller: Caller;
  /** Counts a request that the operator pays for. */
  readonly limit: LookupLimit;
  readonly limitSearches: SearchLimit;
}

export interface ViewContent {
  readonly content: string;
  readonly embeds: readonly APIEmbed[];
  /** Whether there is a next page. */
  readonly more: boolean;
  readonly links?: readonly { readonly label: string; readonly url: string | undefined }[] | undefined;
}

/** A look-up that can be shown page by page, and refreshed. */
export interface View {
  /** The subcommand; absent: the command itself. */
  readonly title?: ((texts: Texts) => Title) | undefined;
  readonly fields: readonly Field[];
  load(request: ViewRequest): Promise<ViewContent>;
}

/** A request to one account. */
interface AccountRequest<C> extends ViewRequest {
  readonly client: C;
  /** As ` on Twitch`; empty if there is only one account. */
  readonly on: string;
}

interface AccountViewOptions<C extends AnyClient> extends Omit<View, 'load'> {
  /** The accounts that have the operation. A request without an account asks the first. */
  readonly accounts: Accounts<C>;
  readonly accountsOffered?: 'choices' | 'suggestions' | undefined;
  /** Whether the request is a search on a platform that allows few a day. */
  readonly isSearch?: ((values: OptionValues) => boolean) | undefined;
  readonly load: (request: AccountRequest<C>) => Promise<ViewContent>;
  readonly explanations: (request: AccountRequest<C>) => Explanations;
}

/** A view of the result of an account; undefined if no account has the operation. */
export function accountView<C extends AnyClient>({ title, fields, accounts, ...options }: AccountViewOptions<C>): readonly View[] {
  if (accounts.size === 0) return [];
  return [
    {
      title,
      fields: [...fields, ...accountField(accounts, options.accountsOffered)],
      async load(request) {
        const { texts } = request.caller;
        const asked = { ...request, ...chosenAccount(accounts, request.values, texts) };
        const { billsReads, limitsSearches, platformName } = asked.client;
        if (billsReads) request.limit(request.caller);
        if (limitsSearches && options.isSearch?.(request.values)) request.limitSearches(platformName, request.caller);
        return withExplanations(async () => options.load(asked), texts, options.explanations(asked));
      },
    },
  ];
}

interface ListSource<T> extends Explanations {
  /** Reads a page of the platform, of which the view needs `rows` items. */
  readonly read: (cursor: string | undefined, rows: number) => Promise<Part<T>>;
  /** The text above the cards; `first` is the item of the first card. */
  readonly heading: (first: T) => string;
  /** The text for an empty list. */
  readonly none: string;
  readonly cards: CardLayout<T>;
}

/** How many items a page has, and how it shows them. */
interface CardLayout<T> {
  readonly size: number;
  readonly show: (items: readonly T[], caller: Caller) => readonly APIEmbed[];
}

/** One card for each item. */
export function cardPerItem<T>(card: Card<T>): CardLayout<T> {
  return { size: CARDS_PER_PAGE, show: (items, caller) => items.map((item) => card(item, caller, 'small')) };
}

/** The items that everyone can read, because the member may not be among the readers of the others. */
function readable<T>({ items, cursor, scanned }: Part<T>): Part<T> {
  return { items: items.filter((item) => isPublic(item)), cursor, scanned };
}

interface ListViewOptions<C extends AnyClient, T> extends Omit<AccountViewOptions<C>, 'load' | 'explanations'> {
  readonly pager: Pager;
  readonly list: (request: AccountRequest<C>) => ListSource<T>;
}

/** A view of a list, page by page; undefined if no account has the operation. */
export function listView<C extends AnyClient, T>({ pager, list, ...options }: ListViewOptions<C, T>): readonly View[] {
  return accountView({
    ...options,
    explanations: list,
    async load(request) {
      const { read, heading, none, cards } = list(request);
      const { key, page, caller } = request;
      const { items, more, unfinished } = await pager.page({
        key,
        page,
        size: cards.size,
        // The first item of the next page shows that there is one.
        read: async (cursor) => readable(await read(cursor, cards.size + 1)),
      });
      const { lookups } = caller.texts;
      const notice = unfinished ? `\n-# ${lookups.incomplete}` : '';
      const [first] = items;
      if (first === undefined) return { content: (page === 0 ? none : lookups.thatWasAll) + notice, embeds: [], more: false };
      return { content: heading(first) + notice, embeds: cards.show(items, caller), more };
    },
  });
}
