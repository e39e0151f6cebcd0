import type { StreamingClient } from '#src/admin/queries/lookup-clients.ts';
import type { Language } from '#src/clients/streaming/enumerations.ts';
import type { Person } from '#src/clients/operation/record.ts';
import type { Card } from '#src/discord/cards/card.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { bold, escaped } from '#src/discord/text/untrusted-text.ts';
import { accountsFor } from './accounts.ts';
import { chosen, nameOfChoice, type Choice } from './choices.ts';
import { nameField, sortField, type Field } from './fields.ts';
import { filtersIn, languageField } from './filters.ts';
import type { Lookups } from './lookups.ts';
import type { Part } from './pager.ts';
import { cardPerItem, listView, type View } from './view.ts';

interface ReadOptions<S> {
  readonly sort: S;
  readonly languages?: Language[];
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

export interface RecordingsOptions<T, S extends string> {
  /** The subcommand; absent: the command itself. */
  readonly title?: View['title'];
  readonly operation: string;
  readonly orders: readonly Choice<S>[];
  readonly defaultOrder: S;
  readonly read: (bot: StreamingClient, name: string, options: ReadOptions<S>) => Promise<Part<T>>;
  readonly heading: (lookups: Texts['lookups']) => (name: string, on: string, filters: string, order: string) => string;
  readonly none: (lookups: Texts['lookups']) => (name: string) => string;
  readonly card: Card<T>;
}

/** Clips or videos of a channel. */
export function channelRecordings<T extends { readonly owner: Person }, S extends string>(
  lookups: Lookups,
  options: RecordingsOptions<T, S>,
): readonly View[] {
  return recordings(lookups, options, {
    fields: [nameField((texts) => texts.lookups.options.channel, lookups.suggest.channels)],
    option: 'streamer',
    nameOf: ({ owner }) => owner.displayName,
    missing: ({ nobodyCalled }) => nobodyCalled,
  });
}

/** Clips or videos of a game. */
export function gameRecordings<T, S extends string>(lookups: Lookups, options: RecordingsOptions<T, S>): readonly View[] {
  return recordings(lookups, options, {
    fields: [gameField(lookups), languageField],
    option: 'game',
    nameOf: (_first, game) => game,
    missing: ({ noGame }) => noGame,
  });
}

/** The option for the name of a game. */
export function gameField({ suggest }: Lookups): Field {
  return { title: ({ lookups }) => lookups.options.game, required: true, suggest: suggest.games };
}

interface Subject<T> {
  readonly fields: readonly Field[];
  readonly option: 'streamer' | 'game';
  readonly nameOf: (first: T, typed: string) => string;
  readonly missing: (lookups: Texts['lookups']) => (name: string, on: string) => string;
}

function recordings<T, S extends string>(
  { streaming, pager }: Lookups,
  { title, operation, orders, defaultOrder, read, heading, none, card }: RecordingsOptions<T, S>,
  { fields: [nameOption, ...filters], option, nameOf, missing }: Subject<T>,
): readonly View[] {
  const accounts = accountsFor(streaming, operation);
  return listView<StreamingClient, T>({
    title,
    accounts,
    // Only the list of the newest is no search.
    isSearch: ({ sort }) => chosen(orders, sort, defaultOrder) !== 'TIME',
    fields: [...(nameOption ? [nameOption] : []), ...sortField(orders, accounts, operation), ...filters],
    pager,
    list({ client, on, values, caller }) {
      const { texts, signal } = caller;
      const name = values[option] ?? '';
      const sort = chosen(orders, values['sort'], defaultOrder);
      const { language, label } = filtersIn({ ...(values['language'] && { language: values['language'] }) }, caller);
      const order = nameOfChoice(orders, sort, texts);
      return {
        read: (cursor) => read(client, name, { sort, ...(language && { languages: [language] }), cursor, signal }),
        heading: (first) => heading(texts.lookups)(bold(nameOf(first, name)), on, label, order.charAt(0).toLowerCase() + order.slice(1)),
        none: none(texts.lookups)(bold(name)),
        missing: missing(texts.lookups)(escaped(name, 100), on),
        cards: cardPerItem(card),
      };
    },
  });
}
