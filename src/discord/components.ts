import {
  ButtonStyle,
  ComponentType,
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIComponentInMessageActionRow,
  type APISelectMenuOption,
} from 'discord.js';
import type { Reader } from './caller.ts';
import { numeral } from '#src/discord/text/format.ts';

export type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

const STYLES = {
  primary: ButtonStyle.Primary,
  plain: ButtonStyle.Secondary,
  good: ButtonStyle.Success,
  danger: ButtonStyle.Danger,
} as const;

interface ButtonOptions {
  readonly style?: keyof typeof STYLES;
  readonly disabled?: boolean;
}

/** A button. The command whose name starts the custom id handles it. */
export function button(id: string, label: string, { style = 'plain', disabled = false }: ButtonOptions = {}): APIButtonComponent {
  return { type: ComponentType.Button, style: STYLES[style], custom_id: id, label, disabled };
}

/** The role of the button in a custom id that shows a private answer to everyone. */
export const SHARE = 'share';

/** The button that shows a private answer to everyone. */
export function shareButton(id: string, { texts }: Pick<Reader, 'texts'>): APIButtonComponent {
  return button(id, texts.share);
}

/** A button that opens an address. */
export function linkButton(url: string, label: string): APIButtonComponent {
  return { type: ComponentType.Button, style: ButtonStyle.Link, label, url };
}

interface MenuOptions {
  readonly placeholder: string;
  readonly options: APISelectMenuOption[];
  readonly max?: number;
}

/** A menu of texts, from which the user picks at least one. */
export function selectMenu(id: string, { placeholder, options, max = 1 }: MenuOptions): APIComponentInMessageActionRow {
  return { type: ComponentType.StringSelect, custom_id: id, placeholder, options, min_values: 1, max_values: max };
}

/** The rows that are not empty. */
export function rows(...all: readonly (readonly APIComponentInMessageActionRow[])[]): Row[] {
  return all.filter((row) => row.length > 0).map((components) => ({ type: ComponentType.ActionRow, components: [...components] }));
}

export interface Paging {
  /** From 0. */
  readonly page: number;
  readonly more: boolean;
  /** The custom id of a button to a page; `role` keeps the ids of one message unique. */
  readonly idOf: (role: string, page: number) => string;
}

/** The buttons to other pages; empty if there is only one page. */
export function pageButtons({ page, more, idOf }: Paging, { texts: { paging }, locale }: Reader): readonly APIButtonComponent[] {
  if (page === 0 && !more) return [];
  return [
    button(idOf('first', 0), paging.first, { disabled: page === 0 }),
    button(idOf('back', Math.max(0, page - 1)), paging.back, { disabled: page === 0 }),
    button(idOf('page', page), numeral(page + 1, { locale }), { disabled: true }),
    button(idOf('next', page + 1), paging.next, { disabled: !more }),
  ];
}

/** The page number in a custom id; the first page if the text is not a number. */
export function pageIn(text: string | undefined): number {
  return /^\d{1,6}$/u.test(text ?? '') ? Number(text) : 0;
}
