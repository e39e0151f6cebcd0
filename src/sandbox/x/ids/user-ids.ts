import { SELF, type People } from '../../social/people.ts';
import type { WorldPerson } from '../../world/world.ts';
import { isId, snowflake } from './snowflake.ts';

/** The account that the sandbox's credentials sign in. */
export const SELF_ID = snowflake(SELF.createdAt.getTime(), 1);

/** An account's id as X has it: digits. */
export function userId({ id }: Pick<WorldPerson, 'id'>): string {
  return id === SELF.id ? SELF_ID : id;
}

/** The account with this id. */
export function findById(id: string, people: People): WorldPerson | undefined {
  if (id === SELF_ID) return SELF;
  const person = isId(id) ? people.find(id) : undefined;
  return person?.id === id ? person : undefined;
}

/** The account with this name, whatever the case. */
export function findByUsername(username: string, people: People): WorldPerson | undefined {
  const person = people.find(username);
  return person?.handle === username.toLowerCase() ? person : undefined;
}
