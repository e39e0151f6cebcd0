import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { PlatformError } from '#src/errors.ts';
import type { SentBack } from './sign-in.ts';

/** What ties the answer to a sign-in in a browser to the sign-in that it was begun by: a state, and a proof key (RFC 7636). */
export interface ProofKey {
  /** Goes into the address where the person says yes. */
  readonly asked: Readonly<Record<'response_type' | 'state' | 'code_challenge' | 'code_challenge_method', string>>;
  /** What the server takes for the answer, beside the names of the app; the answer to another sign-in is refused. */
  exchange(answer: SentBack): Readonly<Record<'grant_type' | 'code' | 'code_verifier', string>>;
}

/** A new one, for one sign-in. */
export function proofKey(platform: string): ProofKey {
  const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')];
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return {
    asked: { response_type: 'code', state, code_challenge: challenge, code_challenge_method: 'S256' },
    exchange({ code, state: given }) {
      if (!isSameState(given, state)) {
        const message = `${platform}: this answer belongs to another sign-in: begin again, and use the newest address.`;
        throw new PlatformError(message, { platform, fault: 'rejected' });
      }
      return { grant_type: 'authorization_code', code, code_verifier: verifier };
    },
  };
}

/** Compares in constant time, so that nobody finds the state out character by character. */
export function isSameState(given: string | undefined, state: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return given !== undefined && timingSafeEqual(digest(given), digest(state));
}
