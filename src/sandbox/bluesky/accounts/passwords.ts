import { createHash } from 'node:crypto';
import { toBase32 } from '../data/base32.ts';
import type { WorldPerson } from '../../world/world.ts';

/** What a session may do: all, all but what is the owner's alone, or that without messages. */
export type Scope = 'com.atproto.access' | 'com.atproto.appPassPrivileged' | 'com.atproto.appPass';

/** A way into an account. It opens nothing but a sandbox. */
export interface Password {
  readonly scope: Scope;
  readonly value: string;
  /** The code that comes by e-mail, where the password alone does not do. */
  readonly factor?: string | undefined;
}

/** An account as its owner knows it. */
export interface Account {
  readonly person: WorldPerson;
  readonly email: string;
  readonly passwords: readonly Password[];
}

/** The ways into somebody's account: the same at every start. */
export function accountOf(person: WorldPerson): Account {
  const secret = (purpose: string): string => toBase32(createHash('sha256').update(`${purpose} of ${person.id}`).digest()).slice(0, 16);
  const inFours = (purpose: string): string => (secret(purpose).match(/.{4}/g) ?? []).join('-');
  return {
    person,
    email: `${person.handle}@sandbox.test`,
    passwords: [
      { scope: 'com.atproto.appPassPrivileged', value: inFours('privileged app password') },
      { scope: 'com.atproto.appPass', value: inFours('app password') },
      { scope: 'com.atproto.access', value: secret('password'), factor: `${secret('code').slice(0, 5)}-${secret('code').slice(5, 10)}` },
    ],
  };
}

/** The one of an account with this scope. */
export function passwordOf(person: WorldPerson, scope: Scope): Password {
  const found = accountOf(person).passwords.find((password) => password.scope === scope);
  if (!found) throw new Error(`no account has a password of ${scope}`);
  return found;
}
