import { z } from 'zod';
import { roleText, webAddress } from '#src/clients/operation/parameters.ts';
import { shortHash } from '#src/clients/paging/cursor.ts';

const label = z.string().trim().min(1).max(80).describe('The text of the button, without Markdown.');

/** A button below a message. */
const Button = z.union([
  z.strictObject({
    label,
    url: webAddress().describe(
      'The address that the button opens. Without an address, or with one of more than 512 characters, the button is left out.',
    ),
  }),
  z.strictObject({
    label,
    role: z
      .string()
      .min(1)
      .describe(
        'A role below the role of the bot, without permissions of moderators: its name or its id. A member gets the role at the first press, and loses it at the second one.',
      ),
  }),
  z.strictObject({
    label,
    mute: z.literal('item').describe('Suppresses further announcements of the item until its episode ends.'),
    allow: z
      .array(roleText())
      .min(1)
      .describe(
        'The roles whose members may press the button, by name or id; `@everyone`: all members. Administrators may always press it.',
      ),
  }),
]);
export type Button = z.output<typeof Button>;

/** The buttons of a message. */
export const buttons = z
  .array(Button)
  .max(25)
  .optional()
  .describe('The buttons below the message: links, roles that members choose, and `mute`.');

const ID = /^press:(.{1,80}):(\d{1,2})(?::([\w-]{8}))?$/s;

/** The longest key that fits into a custom id. */
export const LONGEST_KEY = 80;

/** A button of a rule with an effect: it is not a link. */
export type PressButton = Exclude<Button, { readonly url: string }>;

/** The parts of the custom id of a button of a rule. */
export interface PressButtonId {
  /** The key of the write. */
  readonly key: string;
  /** The position of the button. */
  readonly place: number;
  /** A short hash of its effect; undefined for a button that an earlier version of Fanfare sent. */
  readonly effect: string | undefined;
}

/** The custom id of a button of a rule. The hash of its effect shows whether a sent message has the current effect. */
export function pressButtonId(button: PressButton, key: string, place: number): string {
  const effect = 'role' in button ? ['role', button.role] : ['mute', button.mute, ...button.allow];
  return `press:${key}:${place}:${shortHash(JSON.stringify(effect))}`;
}

/** The parts of a custom id; undefined for another button. */
export function parsePressButtonId(id: string): PressButtonId | undefined {
  const [, key, place, effect] = ID.exec(id) ?? [];
  return key === undefined || place === undefined ? undefined : { key, place: Number(place), effect };
}
