import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Journal } from '../../journal.ts';

const LIFETIME_MS = 60 * 24 * 3_600_000;
const MOST_TOKENS = 200;

const Token = z.object({ value: z.string(), clientId: z.string(), expiresAtMs: z.number() });
/** An app's token. */
export interface Token extends z.output<typeof Token> {}

export interface TokensOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Where the journal keeps them. */
  readonly collection: string;
}

/** The tokens that were given out and still open something. */
export class Tokens {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #collection: string;
  readonly #tokens: Map<string, Token>;

  constructor({ journal, clock, collection }: TokensOptions) {
    this.#journal = journal;
    this.#clock = clock;
    this.#collection = collection;
    this.#tokens = new Map(journal.all(collection).map((document) => [Token.parse(document).value, Token.parse(document)]));
  }

  issue(clientId: string): Token {
    const value = randomBytes(15).toString('hex');
    const token: Token = { value, clientId, expiresAtMs: this.#clock.nowMs() + LIFETIME_MS };
    this.#tokens.set(value, token);
    this.#journal.put(this.#collection, value, { ...token });
    const oldest = this.#tokens.keys().next().value;
    if (this.#tokens.size > MOST_TOKENS && oldest !== undefined) this.revoke(oldest);
    return token;
  }

  find(value: string): Token | undefined {
    const token = this.#tokens.get(value);
    return token && this.#clock.nowMs() < token.expiresAtMs ? token : undefined;
  }

  revoke(value: string): boolean {
    this.#journal.drop(this.#collection, value);
    return this.#tokens.delete(value);
  }

  /** How many there were. */
  revokeAll(): number {
    const values = [...this.#tokens.keys()];
    for (const value of values) this.revoke(value);
    return values.length;
  }

  secondsLeft({ expiresAtMs }: Token): number {
    return Math.floor((expiresAtMs - this.#clock.nowMs()) / 1000);
  }
}
