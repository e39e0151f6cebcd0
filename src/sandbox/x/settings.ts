import type { Names } from './wire/vocabulary.ts';

/** What the app has paid for. */
type Tier = 'selfServe' | 'enterprise';

/** How this X is, as far as the control API can change it. It begins anew at every start. */
export interface Settings {
  tier: Tier;
  /** A request in the names of another vocabulary is refused, as X does. */
  names: Names;
  /** How many posts may be read in the month; absent: as many as one likes. */
  usageCap: number | undefined;
  postsRead: number;
  creditsDepleted: boolean;
  /** Stands for the limit of every window of 15 minutes on routes that have this in them. */
  limits: readonly { readonly route: string; readonly most: number }[];
  /** How old a post is before a search without an end shows it. */
  searchLagMs: number;
  /** Ids of the stage, of accounts that X has closed. */
  readonly suspended: Set<string>;
  /** Ids of the stage, of accounts that pay for what X keeps for those who do: to edit. */
  readonly premium: Set<string>;
  /** Tokens of OAuth 1.0a and of the app that open nothing any more. */
  readonly revoked: Set<string>;
}

export function newSettings(): Settings {
  return {
    tier: 'selfServe',
    names: 'post',
    usageCap: undefined,
    postsRead: 0,
    creditsDepleted: false,
    limits: [],
    searchLagMs: 30_000,
    suspended: new Set(),
    premium: new Set(),
    revoked: new Set(),
  };
}
