import type { Role } from '#src/admin/actions/actor.ts';
import { Refused } from '#src/errors.ts';
import type { Person } from '#src/admin/actions/people.ts';

/** The id of a person with a password. */
export function idOfName(name: string): string {
  return `password:${name.trim().normalize('NFKC').toLowerCase()}`;
}

/** A new person with a password. Throws a {@link Refused} for an unusable name. */
export function personNamed(typed: string, role: Role): Person {
  const name = typed.trim().normalize('NFKC');
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u.test(name))
    throw new Refused('unusableName', 'The name is not usable: use at most 64 letters, digits, spaces and the characters . _ @ -');
  return { id: idOfName(name), name, kind: 'password', role };
}
