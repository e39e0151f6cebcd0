import { hash } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { People } from '../social/people.ts';
import { memoize } from '#src/clients/operation/memoize.ts';
import type { WorldPerson } from '../world/world.ts';
import { toBase32 } from './encoding.ts';

/** The domain of all handles. No one can register it. */
const HANDLE_DOMAIN = '.sandbox.test';

/** What a DID stands for, as the directory answers. `pds` is the address of the server of the account. */
export function didDocument({ did, handle, pds }: { readonly did: string; readonly handle: string; readonly pds: string }): JsonObject {
  return {
    '@context': ['https://www.w3.org/ns/did/v1'],
    id: did,
    alsoKnownAs: [`at://${handle}`],
    service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: pds }],
  };
}

/** The DID of a server. */
export function serverDid(origin: string): string {
  return `did:web:${new URL(origin).host.replace(':', '%3A')}`;
}

/** A `did:plc`, which is made from a hash. The same id gives the same DID. */
export function didFor(id: string): string {
  return `did:plc:${digest(`sandbox account ${id}`).slice(0, 24)}`;
}

function digest(text: string): string {
  return toBase32(hash('sha256', text, 'buffer'));
}

/** The DIDs and handles of the accounts. */
export interface Directory {
  didOf(person: Pick<WorldPerson, 'id'>): string;
  handleOf(person: Pick<WorldPerson, 'handle'>): string;
  /** By DID, or by handle in any case. */
  find(actor: string): WorldPerson | undefined;
}

/** The directory of a world. A person has the same DID after every start. */
export function directoryOf({ all }: Pick<People, 'all'>): Directory {
  return directoryAmong(all);
}

const directoryAmong = memoize((all: readonly WorldPerson[]): Directory => {
  const dids = new Map<string, string>();
  let byName: ReadonlyMap<string, WorldPerson> | undefined;

  function didOf({ id }: Pick<WorldPerson, 'id'>): string {
    const known = dids.get(id) ?? didFor(id);
    dids.set(id, known);
    return known;
  }

  const handleOf = ({ handle }: Pick<WorldPerson, 'handle'>): string => handle.replaceAll('_', '-') + HANDLE_DOMAIN;

  return {
    didOf,
    handleOf,
    find(actor) {
      // These are thousands of hashes. Sandboxes without requests for Bluesky do not compute them.
      byName ??= new Map(all.flatMap((person) => [didOf(person), handleOf(person)].map((name) => [name, person])));
      return byName.get(actor.startsWith('did:') ? actor : actor.toLowerCase());
    },
  };
});

export const SCOPES = ['com.atproto.appPassPrivileged', 'com.atproto.appPass'] as const;
/** The rights of an app password: with or without direct messages. */
export type Scope = (typeof SCOPES)[number];

/** The app password of an account with a scope. It is the same after every start. */
export function passwordOf(person: WorldPerson, scope: Scope): string {
  return (digest(`${scope} of ${person.id}`).match(/.{4}/g) ?? []).slice(0, 4).join('-');
}

/** Changes of an account by its owner or by the platform. */
export const AccountState = z.object({ did: z.string(), takenDown: z.boolean(), passwordsRevoked: z.boolean() });
export type AccountState = Readonly<z.output<typeof AccountState>>;
