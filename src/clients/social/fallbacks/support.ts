import type { Capability } from '#src/clients/operation/capability.ts';

/** The capability of an operation that Fanfare provides. */
export function composed(detail: string): Capability {
  return { support: 'composed', detail };
}

/** The capability of an operation whose provider is missing. */
export function missing(what: string): Capability {
  return { support: 'unsupported', reason: 'PROVIDER_MISSING', detail: `Give SocialAsync ${what}.` };
}
