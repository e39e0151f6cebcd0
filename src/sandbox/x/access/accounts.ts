import { createHash } from 'node:crypto';
import type { People } from '../../social/people.ts';
import { SELF } from '../../social/people.ts';
import type { WorldPerson } from '../../world/world.ts';
import { findById, SELF_ID, userId } from '../ids/user-ids.ts';
import { credentials } from './credentials.ts';

/** A token of OAuth 1.0a, with its secret. */
export interface AccountToken {
  readonly person: WorldPerson;
  readonly token: string;
  readonly secret: string;
}

/** The token with which the sandbox's own account signs. */
export const SELF_TOKEN = `${SELF_ID}-sandboxXAccessToken`;

/** The token that speaks for somebody by OAuth 1.0a: the same at every call, and it does not run out. */
export function accountTokenOf(person: WorldPerson): AccountToken {
  if (person.id === SELF.id) return { person, token: SELF_TOKEN, secret: credentials.accessSecret };
  const [token, secret] = ['token', 'secret'].map((kind) => createHash('sha256').update(`${kind} ${person.id}`).digest('base64url'));
  return { person, token: `${userId(person)}-${token}`, secret: secret ?? '' };
}

/** Whose token this is. */
export function findAccountToken(token: string, people: People): AccountToken | undefined {
  const person = findById(token.slice(0, token.indexOf('-')), people);
  const found = person && accountTokenOf(person);
  return found?.token === token ? found : undefined;
}
