import { createHash } from 'node:crypto';
import type { Journal } from '../journal.ts';
import type { WorldPerson } from '../world/world.ts';
import { type People, SELF } from './people.ts';

const COLLECTION = 'social.sessions';
/** This token is valid in sandboxes only. */
export const SELF_TOKEN = 'sandbox-social-token';

/** The accounts of tokens. */
export interface Sessions {
  find(token: string | undefined): WorldPerson | undefined;
  /** The token of a person. It is constant. */
  open(person: WorldPerson): string;
}

/** The sessions of an installation. They survive a restart if the sandbox has a file. */
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
