import { createHash } from 'node:crypto';
import type { Journal } from '../journal.ts';
import type { WorldPerson } from '../world/world.ts';
import { type People, SELF } from './people.ts';

const COLLECTION = 'social.sessions';
/** Opens nothing but a sandbox. */
export const SELF_TOKEN = 'sandbox-social-token';

/** Who is signed in with which token. */
export interface Sessions {
  find(token: string | undefined): WorldPerson | undefined;
  /** A token that speaks for somebody; the same at every call. */
  open(person: WorldPerson): string;
}

/** The sessions of an installation; they survive a restart where the sandbox has a file. */
export function createSessions(journal: Journal, people: People): Sessions {
  return {
    find(token) {
      if (token === undefined) return undefined;
      if (token === SELF_TOKEN) return SELF;
      const id = journal.get(COLLECTION, token);
      return typeof id === 'string' ? people.find(id) : undefined;
    },

    open(person) {
      if (person.id === SELF.id) return SELF_TOKEN;
      const token = `sandbox-social-${createHash('sha256').update(person.id).digest('base64url').slice(0, 16)}`;
      journal.put(COLLECTION, token, person.id);
      return token;
    },
  };
}
