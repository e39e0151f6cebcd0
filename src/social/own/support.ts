import type { Capability } from '#src/operation/capability.ts';

/** Done by us. */
export function composed(detail: string): Capability {
  return { support: 'composed', detail };
}

/** Could be done, with what is named. */
export function missing(what: string): Capability {
  return { support: 'unsupported', reason: 'PROVIDER_MISSING', detail: `Give SocialAsync ${what}.` };
}
