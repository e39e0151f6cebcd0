import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/operation/json.ts';
import type { Journal } from '../../journal.ts';
import { SELF } from '../../social/people.ts';

const COLLECTION = 'mastodon.tokens';
/** Opens nothing but a sandbox. */
export const SELF_TOKEN = 'sandbox-mastodon-token';

const Token = z.object({
  value: z.string(),
  /** Absent for one that was made in the preferences. */
  appId: z.string().optional(),
  /** Absent: the app's own. */
  userId: z.string().optional(),
  scopes: z.array(z.string()),
  createdAtMs: z.number(),
  isRevoked: z.boolean(),
});

/** What opens the API. */
export interface Token extends Readonly<z.output<typeof Token>> {}

/** The tokens that were given out; they do not expire. */
export class Tokens {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #byValue = new Map<string, Token>();

  constructor({ journal, clock }: { readonly journal: Journal; readonly clock: Clock }) {
    this.#journal = journal;
    this.#clock = clock;
    const own = { value: SELF_TOKEN, userId: SELF.id, scopes: ['read', 'write', 'follow', 'push'], createdAtMs: 0, isRevoked: false };
    this.#byValue.set(SELF_TOKEN, own);
    for (const document of journal.all(COLLECTION)) {
      const token = Token.parse(document);
      this.#byValue.set(token.value, token);
    }
  }

  issue(facts: Pick<Token, 'appId' | 'userId' | 'scopes'>): Token {
    const token = { ...facts, value: randomBytes(32).toString('base64url'), createdAtMs: this.#clock.nowMs(), isRevoked: false };
    this.#put(token);
    return token;
  }

  find(value: string): Token | undefined {
    return this.#byValue.get(value);
  }

  revoke(token: Token): void {
    this.#put({ ...token, isRevoked: true });
  }

  /** How many there were. */
  revokeAll(): number {
    const standing = [...this.#byValue.values()].filter(({ isRevoked }) => !isRevoked);
    for (const token of standing) this.revoke(token);
    return standing.length;
  }

  #put(token: Token): void {
    this.#journal.put(COLLECTION, token.value, { ...token });
    this.#byValue.set(token.value, token);
  }
}

/** A token as whoever asked for it gets it. */
export function toTokenAnswer({ value, scopes, createdAtMs }: Token): JsonObject {
  return { access_token: value, token_type: 'Bearer', scope: scopes.join(' '), created_at: Math.floor(createdAtMs / 1000) };
}
