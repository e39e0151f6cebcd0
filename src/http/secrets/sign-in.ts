import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
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
  /** What `finish` needs, with secrets. */
  readonly kept: object;
}

/** The browser sign-in of a platform. */
export interface BrowserSignIn {
  readonly scopes: readonly Scope[];
  /** Begins a sign-in whose answer goes to `redirectUri`. */
  begin(redirectUri: string, signal?: AbortSignal): Promise<OpenSignIn>;
  /** Exchanges the answer for tokens in the adapter's form, and the names of the granted permissions. */
  finish(answer: SentBack, kept: unknown, signal?: AbortSignal): Promise<{ readonly tokens: object; readonly scopes: readonly string[] }>;
}

/** A sign-in that waits until a person enters its code in a browser, on any machine. */
export interface OpenDeviceSignIn {
  /** The address of the page. */
  readonly url: string;
  /** The code for the page, if its address does not contain it. */
  readonly code: string;
  /** When the code expires. */
  readonly expiresAt: Date;
  /** Resolves after the confirmation with tokens in the adapter's form, the granted permissions, and the name of the user. */
  readonly finish: (signal?: AbortSignal) => Promise<{ readonly tokens: object; readonly scopes: readonly string[]; readonly who: string }>;
}

/** The sign-in of a platform by device code (RFC 8628), which needs no address of this machine. */
export interface DeviceSignIn {
  readonly scopes: readonly Scope[];
  /** Whether a rule needs it. */
  readonly isNeeded: boolean;
  begin(signal?: AbortSignal): Promise<OpenDeviceSignIn>;
}

/** Ties the answer of a browser to its sign-in with a state and a proof key (RFC 7636). */
export interface ProofKey {
  /** The parameters of the address for the confirmation. */
  readonly asked: Readonly<Record<'response_type' | 'state' | 'code_challenge' | 'code_challenge_method', string>>;
  /** The parameters of the token request; throws if the answer belongs to another sign-in. */
  exchange(answer: SentBack): Readonly<Record<'grant_type' | 'code' | 'code_verifier', string>>;
}

/** The secrets of one sign-in. */
export const Proof = z.object({ state: z.string(), verifier: z.string() });
type Proof = z.output<typeof Proof>;

export function newProof(): Proof {
  return { state: randomBytes(16).toString('base64url'), verifier: randomBytes(32).toString('base64url') };
}

/** Creates the proof key of one sign-in. */
export function proofKey(platform: string, { state, verifier }: Proof = newProof()): ProofKey {
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
