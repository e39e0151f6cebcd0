import { hash } from 'node:crypto';
import { toBase32 } from '../data/base32.ts';
import type { People } from '../../social/people.ts';
import type { WorldPerson } from '../../world/world.ts';

/** Handles end with it; nobody can register it, so nobody outside of a sandbox is meant. */
export const HANDLE_DOMAIN = '.sandbox.test';
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
