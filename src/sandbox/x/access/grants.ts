import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Journal } from '../../journal.ts';

const FAMILIES = 'x.grants';
const TOKENS = 'x.tokens';
/** How long an access token opens something. */
export const ACCESS_MS = 2 * 3_600_000;
const REFRESH_MS = 182 * 24 * 3_600_000;
const CODE_MS = 30_000;

const Family = z.object({
  id: z.string(),
  clientId: z.string(),
  userId: z.string(),
  scopes: z.array(z.string()),
  /** Whether it was taken back: then none of its tokens opens anything. */
  ended: z.boolean(),
});
/** What one person once allowed one app, with all tokens that came of it. */
export interface Family extends Readonly<z.output<typeof Family>> {}

const Token = z.object({
  value: z.string(),
  kind: z.enum(['access', 'refresh']),
  familyId: z.string(),
  expiresAtMs: z.number(),
  /** Whether it was already exchanged for the next one. */
  spent: z.boolean(),
});
type Token = z.output<typeof Token>;

/** A code that waits to be exchanged. */
export interface Code {
  readonly clientId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly challenge: string;
  readonly method: 'S256' | 'plain';
}

/** What the token endpoint hands out. */
export interface Pair {
  readonly access: string;
  readonly refresh: string | undefined;
  readonly family: Family;
}

/** What people have allowed; it survives a restart where the sandbox has a file. */
export class Grants {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #families = new Map<string, Family>();
  readonly #tokens = new Map<string, Token>();
  readonly #codes = new Map<string, Code & { readonly expiresAtMs: number }>();

  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
    for (const document of journal.all(FAMILIES)) this.#rememberFamily(Family.parse(document));
    for (const document of journal.all(TOKENS)) this.#rememberToken(Token.parse(document));
  }

  /** A code that is good once, and for half a minute. */
  issueCode(code: Code): string {
    const value = secret();
    this.#codes.set(value, { ...code, expiresAtMs: this.#clock.nowMs() + CODE_MS });
    return value;
  }

  /** What the code stands for; from then on it stands for nothing. */
  takeCode(value: string): Code | undefined {
    const code = this.#codes.get(value);
    this.#codes.delete(value);
    return code && this.#clock.nowMs() < code.expiresAtMs ? code : undefined;
  }

  open(grant: Pick<Family, 'clientId' | 'userId' | 'scopes'>): Pair {
    const family = { ...grant, id: secret(), ended: false };
    this.#putFamily(family);
    return this.#issue(family);
  }

  /** The next pair; a refresh token that was exchanged before ends all that came of the same grant. */
  refresh(value: string, clientId: string): Pair | undefined {
    const token = this.#find(value, 'refresh');
    const family = token && this.#families.get(token.familyId);
    if (!token || !family || family.ended || family.clientId !== clientId) return undefined;
    if (token.spent) {
      this.#putFamily({ ...family, ended: true });
      return undefined;
    }
    this.#putToken({ ...token, spent: true });
    return this.#issue(family);
  }

  /** Whose access token this is, and what it opens. */
  find(value: string): Family | undefined {
    const token = this.#find(value, 'access');
    const family = token && this.#families.get(token.familyId);
    return family?.ended ? undefined : family;
  }

  /** Ends the grant that a token of either kind came of. */
  revoke(value: string): boolean {
    const token = this.#tokens.get(value);
    const family = token && this.#families.get(token.familyId);
    if (!family || family.ended) return false;
    this.#putFamily({ ...family, ended: true });
    return true;
  }

  /** Ends every grant; how many there were. */
  revokeAll(): number {
    const standing = [...this.#families.values()].filter(({ ended }) => !ended);
    for (const family of standing) this.#putFamily({ ...family, ended: true });
    return standing.length;
  }

  #find(value: string, kind: Token['kind']): Token | undefined {
    const token = this.#tokens.get(value);
    return token?.kind === kind && this.#clock.nowMs() < token.expiresAtMs ? token : undefined;
  }

  #issue(family: Family): Pair {
    const nowMs = this.#clock.nowMs();
    const make = (kind: Token['kind'], lifetimeMs: number): string => {
      const value = secret();
      this.#putToken({ value, kind, familyId: family.id, expiresAtMs: nowMs + lifetimeMs, spent: false });
      return value;
    };
    const refresh = family.scopes.includes('offline.access') ? make('refresh', REFRESH_MS) : undefined;
    return { access: make('access', ACCESS_MS), refresh, family };
  }

  #putFamily(family: Family): void {
    // First where it survives a kill.
    this.#journal.put(FAMILIES, family.id, { ...family });
    this.#rememberFamily(family);
  }

  #putToken(token: Token): void {
    this.#journal.put(TOKENS, token.value, { ...token });
    this.#rememberToken(token);
  }

  #rememberFamily(family: Family): void {
    this.#families.set(family.id, family);
  }

  #rememberToken(token: Token): void {
    this.#tokens.set(token.value, token);
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}
