import { createHash, hash } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { Journal } from '../journal.ts';
import type { People } from '../social/people.ts';
import type { WorldPerson } from '../world/world.ts';
import { toBase32 } from './encoding.ts';

/** A key of the curve that repositories are signed with. Nothing here is signed with it. */
const PUBLIC_KEY = 'zQ3shXjHeiBuRCKmM36cuYnm7YEMzhGnCmCyW92sRJ9pribSF';

export interface Identified {
  readonly did: string;
  readonly handle: string;
  /** The address of the repository, such as `http://127.0.0.1:8081`. */
  readonly pds: string;
}

/** What a DID stands for, as the directory answers. */
export function didDocument({ did, handle, pds }: Identified): JsonObject {
  return {
    '@context': [
      'https://www.w3.org/ns/did/v1',
      'https://w3id.org/security/multikey/v1',
      'https://w3id.org/security/suites/secp256k1-2019/v1',
    ],
    id: did,
    alsoKnownAs: [`at://${handle}`],
    verificationMethod: [{ id: `${did}#atproto`, type: 'Multikey', controller: did, publicKeyMultibase: PUBLIC_KEY }],
    service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: pds }],
  };
}

/** The DID of a server by its address. */
export function serverDid(origin: string): string {
  return `did:web:${new URL(origin).host.replace(':', '%3A')}`;
}

/** The domain of all handles. Nobody can register it. */
const HANDLE_DOMAIN = '.sandbox.test';
const DID_LETTERS = 24;

/** Who has which DID and which handle. */
export interface Directory {
  didOf(person: Pick<WorldPerson, 'id'>): string;
  handleOf(person: Pick<WorldPerson, 'handle'>): string;
  /** By DID, or by handle whatever the case. */
  find(actor: string): WorldPerson | undefined;
}

/** The accounts of a world: the same DID for the same person at every start. */
export function directoryOf({ all }: People): Directory {
  const dids = new Map<string, string>();
  let byName: ReadonlyMap<string, WorldPerson> | undefined;

  function didOf({ id }: Pick<WorldPerson, 'id'>): string {
    const known = dids.get(id) ?? didFor(id);
    dids.set(id, known);
    return known;
  }

  function handleOf({ handle }: Pick<WorldPerson, 'handle'>): string {
    return handle.replaceAll('_', '-') + HANDLE_DOMAIN;
  }

  return {
    didOf,
    handleOf,
    find(actor) {
      // Thousands of hashes: a sandbox that nobody asks for this platform does without.
      byName ??= new Map(all.flatMap((person) => [didOf(person), handleOf(person)].map((name) => [name, person])));
      return byName.get(actor.startsWith('did:') ? actor : actor.toLowerCase());
    },
  };
}

/** A DID as the directory of such DIDs gives them out: made from a hash. */
export function didFor(id: string): string {
  return `did:plc:${toBase32(hash('sha256', `sandbox account ${id}`, 'buffer')).slice(0, DID_LETTERS)}`;
}

/** The scope of a session: everything, everything without account settings, or the latter without messages. */
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

const COLLECTION = 'standings';

const Standing = z.object({
  takenDown: z.boolean().default(false),
  /** Whether the app passwords are revoked. */
  passwordsRevoked: z.boolean().default(false),
});
type Standing = Readonly<z.output<typeof Standing>>;

/** What the platform or its owner did to an account, by DID. */
export class AccountStates {
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  of(did: string): Standing {
    return Standing.parse(this.#journal.get(COLLECTION, did) ?? {});
  }

  set(did: string, change: Partial<Standing>): void {
    this.#journal.put(COLLECTION, did, { ...this.of(did), ...change });
  }
}
