import { z } from 'zod';
import { webAddress } from '#src/clients/operation/parameters.ts';

const label = z.string().trim().min(1).max(80).describe('The text of the button, without Markdown.');

/** A button below a message. */
const Button = z.union([
  z.strictObject({
    label,
    url: webAddress(z.string().max(512)).describe('The address that the button opens. Without an address, the button is left out.'),
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
      .array(z.string().min(1))
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

const ID = /^press:(.{1,80}):(\d{1,2})$/s;

/** The longest key that fits into a custom id. */
export const LONGEST_KEY = 80;

/** The custom id of a button of a rule: the key of the write, and the position of the button. */
export function pressButtonId(key: string, place: number): string {
  return `press:${key}:${place}`;
}

/** The write and the position in a custom id; undefined for another button. */
export function parsePressButtonId(id: string): { readonly key: string; readonly place: number } | undefined {
  const [, key, place] = ID.exec(id) ?? [];
  return key === undefined || place === undefined ? undefined : { key, place: Number(place) };
}
