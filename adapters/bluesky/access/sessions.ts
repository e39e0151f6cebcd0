import type { Clock } from '#src/clock.ts';
import { coalesce } from '#src/http/coalesce.ts';
import type { KeptTokens } from '#src/secrets/kept-tokens.ts';
import { failure, isFault } from '../platform.ts';
import type { Binding } from './binding.ts';
import { isOf, Session } from './session.ts';

/** A wrong password stays wrong, and sign-ins are few: the refusal is remembered. */
const REFUSED_MS = 5 * 60_000;

export interface SessionsOptions {
  readonly tokens: KeptTokens;
  /** The handle, DID or e-mail address that was configured. */
  readonly identifier: string;
  readonly binding: Binding;
  /** Absent where there is no password to sign in with. */
  readonly signIn: ((signal: AbortSignal) => Promise<Session>) | undefined;
  /** The session with new tokens; refused, they are no longer good. */
  readonly refresh: (session: Session) => Promise<Session>;
  readonly account: string;
  readonly clock: Clock;
}

/** The one session of an account: kept across starts, renewed when it is refused. */
export interface Sessions {
  current(signal: AbortSignal | undefined): Promise<Session>;
  /** Another session than the one that was refused. */
  renewed(refused: Session, signal: AbortSignal | undefined): Promise<Session>;
}

export function sessions({ tokens, identifier, binding, signIn, refresh, account, clock }: SessionsOptions): Sessions {
  let held: Session | undefined;
  let refusal: { readonly error: unknown; readonly untilMs: number } | undefined;

  async function kept(): Promise<Session | undefined> {
    // With a password there is a way on without what was kept.
    const { data } = Session.safeParse(await (signIn ? tokens.load().catch(unlessRefused) : tokens.load()));
    return data && isOf(data, identifier) && binding.holds(data) ? data : undefined;
  }

  async function hold(opened: Session): Promise<Session> {
    const session = binding.bind(opened);
    // A token that was used and not saved would be lost with a crash, and the one before it is used up.
    await tokens.save(session);
    held = session;
    return session;
  }

  async function signedIn(signal: AbortSignal): Promise<Session> {
    if (!signIn) {
      throw failure('unauthorized', `nobody is signed in: run \`fanfare auth ${account}\`, or give an app password.`);
    }
    if (refusal && clock.nowMs() < refusal.untilMs) throw refusal.error;
    try {
      return await signIn(signal);
    } catch (error) {
      if (isFault(error, 'unauthorized', 'forbidden', 'rejected')) refusal = { error, untilMs: clock.nowMs() + REFUSED_MS };
      throw error;
    }
  }

  const open = coalesce((signal) =>
    tokens.alone(async () => {
      const found = await kept();
      if (!found) return hold(await signedIn(signal));
      // Kept by an earlier version, it would hold for any address.
      if (!found.bound) return hold(found);
      held = found;
      return found;
    }, signal),
  );

  const renew = coalesce((signal) =>
    tokens.alone(async () => {
      const found = await kept();
      if (found && found.accessJwt !== held?.accessJwt) {
        // Somebody else was faster.
        held = found;
        return found;
      }
      // Whoever asked for it may go away: a token that was exchanged and not saved would be lost.
      const next = found && (await refresh(found).catch(unlessRefused));
      return hold(next ?? (await signedIn(signal)));
    }, signal),
  );

  return {
    async current(signal) {
      // Who signs in anew is heard at once: the session before it may be good for hours.
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
