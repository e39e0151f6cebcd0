import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { coalesce } from '#src/http/coalesce.ts';
import type { AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { isFault } from '#src/http/errors.ts';
import { isDid, toHandle } from '../addresses.ts';
import { failure } from '../errors.ts';

/** The signed-in account, its server and its tokens, in the form that is stored across starts. */
export const Session = z.object({
  did: z.string().refine(isDid),
  handle: z.string().min(1),
  /** The e-mail address that opened the session, if one did. */
  email: z.string().optional(),
  /** The server of the account. */
  pds: z.url({ protocol: /^https?$/ }),
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
  /** The configured address and a keyed hash of the app password that opened the session. */
  bound: z.object({ url: z.string(), salt: z.string().optional(), hash: z.string().optional() }).optional(),
});
export type Session = z.output<typeof Session>;

/** Whether a kept session is of the account that `identifier` names: a handle, a DID or an e-mail address. */
function isOf({ did, handle, email }: Session, identifier: string): boolean {
  if (isDid(identifier)) return did === identifier;
  const wanted = toHandle(identifier);
  // Only the server knows the owner of an e-mail address. The session stores the address that opened it.
  return wanted === undefined ? email === emailIn(identifier) : wanted === handle;
}

/** An identifier that is neither a handle nor a DID, as servers compare it; undefined for those. */
export function emailIn(identifier: string): string | undefined {
  return isDid(identifier) || toHandle(identifier) !== undefined ? undefined : identifier.toLowerCase();
}

/** Binds a session to the address and the app password that opened it. */
interface Binding {
  bind(session: Session): Session;
  /** Whether a stored session belongs to the configuration. A session without a binding does so only without an app password. */
  holds(session: Session): boolean;
}

export function binding({ url, appPassword }: { readonly url: string; readonly appPassword: string | undefined }): Binding {
  const hashOf = (salt: string): string =>
    createHmac('sha256', Buffer.from(salt, 'base64url'))
      .update(appPassword ?? '')
      .digest('base64url');

  return {
    bind(session) {
      const salt = randomBytes(16).toString('base64url');
      const opened = appPassword === undefined ? session.bound : { url, salt, hash: hashOf(salt) };
      return { ...session, bound: opened ?? { url } };
    },
    holds({ bound }) {
      if (!bound) return appPassword === undefined;
      if (bound.url !== url) return false;
      const { salt, hash } = bound;
      if (appPassword === undefined || salt === undefined || hash === undefined) return true;
      return timingSafeEqual(Buffer.from(hashOf(salt)), Buffer.from(hash.padEnd(43).slice(0, 43)));
    },
  };
}

/**
 * The adapter does not repeat a refused sign-in for this time, which doubles with each refusal.
 *
 * Bluesky accepts 100 sign-ins of an account a day, of all processes together, and then also refuses the right password until the next day:
 * https://github.com/bluesky-social/bsky-docs/issues/183.
 */
const REFUSED_MS = { first: 5 * 60_000, longest: 60 * 60_000 } as const;

interface SessionsOptions {
  readonly tokens: AccountTokens;
  /** The handle, DID or e-mail address that was configured. */
  readonly identifier: string;
  readonly binding: Binding;
  /** Absent without a password. */
  readonly signIn: ((signal: AbortSignal) => Promise<Session>) | undefined;
  /** The session with new tokens. Rejects if the tokens are revoked. */
  readonly refresh: (session: Session) => Promise<Session>;
  readonly account: string;
  readonly clock: Clock;
}

/** The session of an account. It is stored across starts, and renewed when a server refuses it. */
export interface Sessions {
  current(signal: AbortSignal | undefined): Promise<Session>;
  /** A session that replaces the refused one. */
  renewed(refused: Session, signal: AbortSignal | undefined): Promise<Session>;
}

export function sessions({ tokens, identifier, binding, signIn, refresh, account, clock }: SessionsOptions): Sessions {
  let held: Session | undefined;
  /** Opened with the password, but not stored yet: another sign-in would count against the limit of the server. */
  let unsaved: Session | undefined;
  let refusal: { readonly error: unknown; readonly forMs: number; readonly untilMs: number } | undefined;

  async function loadStored(): Promise<Session | undefined> {
    // With a password, the adapter can sign in without the stored session.
    const { data } = Session.safeParse(await (signIn ? tokens.load().catch(unlessRefused) : tokens.load()));
    return data && isOf(data, identifier) && binding.holds(data) ? data : undefined;
  }

  async function store(opened: Session): Promise<Session> {
    const session = binding.bind(opened);
    // A crash must not lose a new token, because the previous one is used up.
    await tokens.save(session);
    unsaved = undefined;
    held = session;
    return session;
  }

  async function signedIn(signal: AbortSignal): Promise<Session> {
    if (!signIn) {
      throw failure('unauthorized', `no account is signed in: run \`npx fanfare auth ${account}\`, or set an app password.`);
    }
    if (unsaved) return unsaved;
    if (refusal && clock.nowMs() < refusal.untilMs) throw refusal.error;
    try {
      unsaved = await signIn(signal);
      refusal = undefined;
      return unsaved;
    } catch (error) {
      if (isFault(error, 'unauthorized', 'forbidden', 'rejected')) {
        const forMs = refusal ? Math.min(refusal.forMs * 2, REFUSED_MS.longest) : REFUSED_MS.first;
        refusal = { error, forMs, untilMs: clock.nowMs() + forMs };
      }
      throw error;
    }
  }

  const open = coalesce((signal) =>
    tokens.alone(async () => {
      const found = await loadStored();
      if (!found) return store(await signedIn(signal));
      // A session from an earlier version has no binding.
      if (!found.bound) return store(found);
      held = found;
      return found;
    }, signal),
  );

  const renew = coalesce((signal) =>
    tokens.alone(async () => {
      const found = await loadStored();
      if (found && found.accessJwt !== held?.accessJwt) {
        // Another process has refreshed the tokens.
        held = found;
        return found;
      }
      // An abort does not stop the refresh, because a new token that is not stored would be lost.
      const next = found && (await refresh(found).catch(unlessRefused));
      return store(next ?? (await signedIn(signal)));
    }, signal),
  );

  return {
    async current(signal) {
      // A new sign-in replaces the session at once, although the old one may be valid for hours.
      if (held && (await tokens.areOthers())) held = undefined;
      return held ?? (await open(signal));
    },
    async renewed(refused, signal) {
      return held && held.accessJwt !== refused.accessJwt ? held : renew(signal);
    },
  };
}

function unlessRefused(error: unknown): undefined {
  if (!isFault(error, 'unauthorized', 'rejected', 'missing')) throw error;
  return undefined;
}
