import { ButtonStyle, ComponentType, type APIActionRowComponent, type APIButtonComponent } from 'discord.js';
import { addressOf } from '../cards/card.ts';
import type { Words } from '../language/words.ts';
import type { Sight } from './view.ts';

const LONGEST_ADDRESS = 512;
const LONGEST_LABEL = 80;

export interface ButtonsOptions {
  /** From 0. */
  readonly page: number;
  /** The custom id of a button that shows a page; `role` keeps those of one message apart. */
  readonly idOf: (role: string, page: number) => string;
  readonly words: Words;
}

/** The buttons below what was found: to other pages, to look again, to go there. */
export function buttonsFor(
  { more, links = [] }: Pick<Sight, 'more' | 'links'>,
  { page, idOf, words: { lookups } }: ButtonsOptions,
): APIActionRowComponent<APIButtonComponent>[] {
  const { first, back, next, again } = lookups.buttons;
  const turn = (role: string, label: string, to: number, possible: boolean): APIButtonComponent => ({
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    custom_id: idOf(role, to),
    label,
    disabled: !possible,
  });
  const refresh = turn('again', again, page, true);
  const turns =
    page > 0 || more
      ? [
          turn('first', first, 0, page > 0),
          turn('back', back, Math.max(0, page - 1), page > 0),
          turn('page', String(page + 1), page, false),
          turn('next', next, page + 1, more),
          refresh,
        ]
      : [refresh];
  const ways = links.flatMap(({ label, url }): APIButtonComponent[] => {
    const address = addressOf(url, LONGEST_ADDRESS);
    return address === undefined
      ? []
      : [{ type: ComponentType.Button, style: ButtonStyle.Link, label: label.slice(0, LONGEST_LABEL), url: address }];
  });
  const rows = turns.length === 1 ? [[...ways, ...turns]] : [turns, ways];
  return rows.filter((row) => row.length > 0).map((components) => ({ type: ComponentType.ActionRow, components }));
}
