import { z } from 'zod';
import { idOfChoice, type IdValue } from '#src/clients/operation/parameters.ts';
import { Language } from './enumerations.ts';
import type { Game, User } from './records.ts';

/** A game parameter: its name or its id. */
export const GameChoice = z.union([z.string().min(1), z.strictObject({ id: z.string().min(1) })]);

/** The parameter for a game in a call. */
export function gameChoice(game: IdValue | Pick<Game, 'id'>, path = 'game'): z.input<typeof GameChoice> {
  const id = idOfChoice(game, path);
  return typeof game === 'object' ? { id } : id;
}

/** The parameter for a user in a call. */
export function userName(user: IdValue | User, path = 'user'): string {
  return idOfChoice(user, path);
}

/** A language parameter: one, several with commas, or a list, in any case, for example `EN`, `en` or `zh-hk`. */
export const languages = z
  .union([z.string(), z.array(z.string())])
  .transform((value) =>
    (typeof value === 'string' ? value.split(',') : value).map((name) => name.trim().toUpperCase().replaceAll('-', '_')),
  )
  .pipe(z.array(z.enum(Language)))
  .describe('The languages to keep, for example `en` or `en, fr`.');

const LANGUAGE_CODE = /^(?:[a-z]{2,3}(?:[_-][a-z\d]+)*|other)$/iu;

/** A language code in a call. Streams have languages that `Language` lacks. */
export const languageCode = z.string().refine((code) => LANGUAGE_CODE.test(code), 'this is not a language code: write it as de or en');
