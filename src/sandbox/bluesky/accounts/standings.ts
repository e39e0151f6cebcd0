import { z } from 'zod';
import type { Journal } from '../../journal.ts';

const COLLECTION = 'standings';

const Standing = z.object({
  takenDown: z.boolean().default(false),
  /** Whether the passwords open nothing any more. */
  passwordsRevoked: z.boolean().default(false),
});
type Standing = Readonly<z.output<typeof Standing>>;

/** What the platform or its owner did to an account, by DID. */
export class Standings {
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
