import { untilAborted } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { KeptTokens } from '#src/secrets/kept-tokens.ts';
import { isGivenBy, isGivenFor, Kept } from './kept.ts';
import { refresh, type RefreshOptions } from './refresh.ts';
import { signInAgain } from './sign-in-again.ts';

/** A token is renewed when it has no more than this left. */
const SPARE_MS = 5 * 60_000;
/** A refusal is believed for so long. */
const REFUSED_MS = 15 * 60_000;

export interface UserTokenOptions extends RefreshOptions {
  readonly tokens: KeptTokens;
}

/** The token of a signed-in account, renewed when it is needed. */
export interface UserToken {
  /** Whether somebody signed in. */
  isThere(): Promise<boolean>;
  /** The number of the sign-in: the next one once somebody signed in anew, and the same while its tokens are renewed here. */
  signIn(): Promise<number>;
  /** Sends with the token, and once more with a new one if that is refused. */
  authorized<T>(signal: AbortSignal | undefined, send: (token: string) => Promise<T>): Promise<T>;
}

/** The token of the account, out of `tokens`. */
export function userToken(options: UserTokenOptions): UserToken {
  const { tokens, clientSecret, account, clock } = options;
  /** As it was last read or saved. */
  let held: Kept | undefined;
  let signIns = 0;
  /** Given out, and not saved yet. */
  let unsaved: Kept | undefined;
  /** The refresh token that X, or something in front of it, refused a short while ago. */
  let refused: { readonly token: string | undefined; readonly error: unknown; readonly untilMs: number } | undefined;
  let renewing: Promise<Kept> | undefined;

  async function load(): Promise<Kept | undefined> {
    const kept = await tokens.load();
    if (kept === undefined) return undefined;
    const parsed = Kept.safeParse(kept);
    if (!parsed.success) throw signInAgain(account, 'What is kept of the sign-in cannot be read');
    return isGivenBy(parsed.data, options) ? parsed.data : undefined;
  }

  /** What is kept by now; tokens that were not got here may be of another sign-in. */
  async function reload(): Promise<Kept | undefined> {
    const found = await load();
    if (found?.accessToken !== held?.accessToken) signIns += 1;
    held = found;
    return found;
  }

  /** Whether somebody signed in anew; what could not be saved is of the sign-in before then. */
  async function areOthers(): Promise<boolean> {
    const are = await tokens.areOthers();
    if (are) unsaved = undefined;
    return are;
  }

  async function save(kept: Kept): Promise<Kept> {
    unsaved = kept;
    await tokens.save({ ...kept, expiresAt: kept.expiresAt.toISOString() });
    unsaved = undefined;
    held = kept;
    return kept;
  }

  /** A token other than `bad`; it may be one that another process got meanwhile. */
  async function renew(bad: string | undefined): Promise<Kept> {
    // Whoever signed in anew in the meantime is not overwritten.
    if (unsaved && !(await areOthers())) return save(unsaved);
    const found = await reload();
    if (!found) throw signInAgain(account, 'Nobody signed in');
    if (isFresh(found) && found.accessToken !== bad) return found;
    if (refused && refused.token === found.refreshToken && clock.nowMs() < refused.untilMs) throw refused.error;
    const next = await refresh(found, options).catch((error: unknown) => {
      if (isRefusal(error)) refused = { token: found.refreshToken, error, untilMs: clock.nowMs() + REFUSED_MS };
      throw error;
    });
    // Kept before it is used: the one before it is spent.
    return save(next);
  }

  /** One exchange for all who wait. None of them aborts it: its answer would be lost, and the sign-in with it. */
  function renewed(bad: string | undefined, signal: AbortSignal | undefined): Promise<Kept> {
    renewing ??= tokens.alone(() => renew(bad)).finally(() => (renewing = undefined));
    renewing.catch(() => undefined);
    return untilAborted(renewing, signal);
  }

  /** Who signs in anew is heard at once: the sign-in before it may be good for hours. */
  async function current(): Promise<Kept | undefined> {
    return (await areOthers()) || !held ? reload() : held;
  }

  /** Good for a while; a changed client secret has to prove right first, which X tells at a renewal. */
  function isFresh(kept: Kept): boolean {
    return kept.expiresAt.getTime() - clock.nowMs() > SPARE_MS && isGivenFor(kept, clientSecret);
  }

  return {
    isThere: async () => (held ?? unsaved ?? (await load())) !== undefined,

    async signIn() {
      await current();
      return signIns;
    },

    async authorized(signal, send) {
      signal?.throwIfAborted();
      const found = await current();
      const before = found && isFresh(found) ? found : await renewed(undefined, signal);
      try {
        return await send(before.accessToken);
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
      const after = await renewed(before.accessToken, signal);
      return send(after.accessToken).catch((error: unknown) => {
        throw isRefusal(error) ? signInAgain(account, 'X refuses a sign-in that was just renewed', error) : error;
      });
    },
  };
}

function isRefusal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.fault === 'unauthorized';
}
