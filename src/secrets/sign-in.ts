import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { PlatformError } from '#src/errors.ts';

/** A permission that Fanfare asks an account for. */
export interface Scope {
  /** The permission, as the platform names it. */
  readonly name: string;
  /** What Fanfare uses it for. */
  readonly why: string;
}

/** The parameters with which the platform redirects the browser back. */
export interface SentBack {
  readonly code: string;
  /** The state of the sign-in. It proves that the answer belongs to this sign-in. */
  readonly state: string;
}

/** A sign-in that waits for confirmation in a browser. */
interface OpenSignIn {
  /** The address of the confirmation. */
  readonly url: string;
  /** The state in that address. The answer must contain it. */
  readonly state: string;
  /** Exchanges the answer for tokens in the adapter's form, and the names of the granted permissions. */
  finish(answer: SentBack, signal?: AbortSignal): Promise<{ readonly tokens: object; readonly scopes: readonly string[] }>;
}

/** The browser sign-in of a platform. */
export interface BrowserSignIn {
  readonly scopes: readonly Scope[];
  /** Begins a sign-in whose answer goes to `redirectUri`. */
  begin(redirectUri: string, signal?: AbortSignal): Promise<OpenSignIn>;
}

/** Ties the answer of a browser to its sign-in with a state and a proof key (RFC 7636). */
export interface ProofKey {
  /** The parameters of the address for the confirmation. */
  readonly asked: Readonly<Record<'response_type' | 'state' | 'code_challenge' | 'code_challenge_method', string>>;
  /** The parameters of the token request; throws if the answer belongs to another sign-in. */
  exchange(answer: SentBack): Readonly<Record<'grant_type' | 'code' | 'code_verifier', string>>;
}

/** Creates the proof key of one sign-in. */
export function proofKey(platform: string): ProofKey {
  const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')];
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return {
    asked: { response_type: 'code', state, code_challenge: challenge, code_challenge_method: 'S256' },
    exchange({ code, state: received }) {
      if (!isSameState(received, state)) {
        const message = `${platform}: this answer belongs to another sign-in: run the command again, and use the newest address.`;
        throw new PlatformError(message, { platform, fault: 'rejected' });
      }
      return { grant_type: 'authorization_code', code, code_verifier: verifier };
    },
  };
}

/** Compares two states in constant time, so that no one can guess the state by characters. */
export function isSameState(received: string | undefined, state: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return received !== undefined && timingSafeEqual(digest(received), digest(state));
}
