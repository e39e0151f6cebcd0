import { ButtonStyle, ComponentType, type APIActionRowComponent, type APIButtonComponent } from 'discord.js';
import type { Reader } from '../cards/card.ts';
import { numeral } from './text.ts';

export type Row = APIActionRowComponent<APIButtonComponent>;

type Style = 'plain' | 'good' | 'danger';

const STYLES = { plain: ButtonStyle.Secondary, good: ButtonStyle.Success, danger: ButtonStyle.Danger } as const;

/** A button that leads to the command of its id. */
export function button(
  id: string,
  label: string,
  { style = 'plain', disabled = false }: { style?: Style; disabled?: boolean } = {},
): APIButtonComponent {
  return { type: ComponentType.Button, style: STYLES[style], custom_id: id, label, disabled };
}

/** The rows that have a button. */
export function rows(...all: readonly (readonly APIButtonComponent[])[]): Row[] {
  return all.filter((row) => row.length > 0).map((components) => ({ type: ComponentType.ActionRow, components: [...components] }));
}

export interface PageTurn {
  /** From 0. */
  readonly page: number;
  readonly more: boolean;
  /** The custom id of a button to a page; `role` keeps those of one message apart. */
  readonly idOf: (role: string, page: number) => string;
}

/** The buttons to other pages; none where there is only one. */
export function pageButtons({ page, more, idOf }: PageTurn, { words: { controls }, locale }: Reader): readonly APIButtonComponent[] {
  if (page === 0 && !more) return [];
  return [
    button(idOf('first', 0), controls.buttons.first, { disabled: page === 0 }),
    button(idOf('back', Math.max(0, page - 1)), controls.buttons.back, { disabled: page === 0 }),
    button(idOf('page', page), numeral(page + 1, { locale }), { disabled: true }),
    button(idOf('next', page + 1), controls.buttons.next, { disabled: !more }),
  ];
}

/** A page as it stands in a custom id; the first for what is none. */
export function pageIn(text: string | undefined): number {
  return /^\d{1,6}$/u.test(text ?? '') ? Number(text) : 0;
}
