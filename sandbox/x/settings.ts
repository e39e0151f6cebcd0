import type { Vocabulary } from './fields.ts';

/** The setup of the simulated X, which the control API changes. It lasts as long as the sandbox. */
export interface Settings {
  /** The plan of the app. */
  tier: 'selfServe' | 'enterprise';
  /** X refuses the names of the other vocabulary. */
  names: Vocabulary;
  /** Fields and expansions that X does not know, in the accepted vocabulary. */
  refusedFields: readonly string[];
  /** How many posts the app may read in a month; absent without a cap. */
  usageCap: number | undefined;
  postsRead: number;
  creditsDepleted: boolean;
  /** Replace the limit of the routes that contain `route`. */
  limits: readonly { readonly route: string; readonly most: number }[];
  /** How many rules the filtered stream has at most. */
  mostStreamRules: number;
  /** The age at which a search without an end shows a post. */
  searchLagMs: number;
  /** The ids of suspended accounts. */
  readonly suspended: Set<string>;
  /** The ids of the accounts that may edit. */
  readonly premium: Set<string>;
  /** Revoked tokens of OAuth 1.0a and of the app. */
  readonly revoked: Set<string>;
}

export function newSettings(): Settings {
  return {
    tier: 'selfServe',
    names: 'post',
    refusedFields: [],
    usageCap: undefined,
    postsRead: 0,
    creditsDepleted: false,
    limits: [],
    mostStreamRules: 1_000,
    searchLagMs: 30_000,
    suspended: new Set(),
    premium: new Set(),
    revoked: new Set(),
  };
}
