import { z } from 'zod';
import { idText, type IdValue } from '#src/operation/id.ts';
import { Language } from './enumerations.ts';
import type { Game, User } from './records.ts';

/** A game as a parameter: its name, or its id. */
export const GameChoice = z.union([z.string().min(1), z.strictObject({ id: z.string().min(1) })]);

/** A game as a call names it. */
export function gameChoice(game: IdValue | Pick<Game, 'id'>, path = 'game'): z.input<typeof GameChoice> {
  return typeof game === 'object' ? { id: game.id } : idText(game, path);
}

/** A user as a call names it: a handle or an id. */
export function userName(user: IdValue | User, path = 'user'): string {
  return typeof user === 'object' ? user.id : idText(user, path);
}

/** Languages as a parameter: one, several parted by commas, or a list; in any case, as `EN`, `en` or `zh-hk`. */
export const languages = z
  .union([z.string(), z.array(z.string())])
  .transform((given) =>
    (typeof given === 'string' ? given.split(',') : given).map((name) => name.trim().toUpperCase().replaceAll('-', '_')),
  )
  .pipe(z.array(z.enum(Language)))
  .describe('The languages to keep, as `en` or `en, fr`.');
