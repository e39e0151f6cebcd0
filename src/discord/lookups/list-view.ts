import type { APIEmbed } from 'discord.js';
import type { AnyClient } from '#src/operation/client.ts';
import type { Asker } from '../asker.ts';
import type { Card } from '../cards/card.ts';
import type { Explanations } from './failures.ts';
import { accountView, type AccountViewOptions, type AskedOf } from './account-view.ts';
import type { Pager, Part } from './pager.ts';
import type { LookRequest, Sight, View } from './view.ts';

const CARDS = 5;

/** A list that somebody asked for. */
interface AskedList<T> extends Explanations {
  readonly read: (cursor: string | undefined) => Promise<Part<T>>;
  /** What stands above the cards, the first of which is of `first`. */
  readonly heading: (first: T) => string;
  /** What is said where there is none. */
  readonly none: string;
  readonly cards: PageOfCards<T>;
}

/** How a page of items is shown. */
export interface PageOfCards<T> {
  readonly size: number;
  readonly show: (items: readonly T[], asker: Asker) => readonly APIEmbed[];
}

/** A card for each item. */
export function eachAs<T>(card: Card<T>): PageOfCards<T> {
  return { size: CARDS, show: (items, asker) => items.map((item) => card(item, asker, 'small')) };
}

export interface ListViewOptions<C extends AnyClient, T> extends Omit<AccountViewOptions<C>, 'look' | 'explanations'> {
  readonly pager: Pager;
  readonly list: (asked: AskedOf<C>) => AskedList<T>;
}

/** A list that can be looked at page by page, if some account has it. */
export function listView<C extends AnyClient, T>({ pager, list, ...options }: ListViewOptions<C, T>): readonly View[] {
  return accountView({
    ...options,
    explanations: list,
    look: (asked) => pageOf(list(asked), asked, pager),
  });
}

async function pageOf<T>(
  { read, heading, none, cards }: AskedList<T>,
  { key, page, asker }: Omit<LookRequest, 'given'>,
  pager: Pager,
): Promise<Sight> {
  const { items, more, unfinished } = await pager.page({ key, page, size: cards.size, read });
  const { lookups } = asker.words;
  const notice = unfinished ? `\n-# ${lookups.lookedThrough}` : '';
  const [first] = items;
  if (first === undefined) return { content: (page === 0 ? none : lookups.thatWasAll) + notice, embeds: [], more: false };
  return { content: heading(first) + notice, embeds: cards.show(items, asker), more };
}
