import type { Fault } from '#src/errors.ts';

/** Why Fanfare is not ready, or a remark while it is ready. Texts of platforms are in English. */
export type ReadinessReason =
  /** `code`: the error of the connection. */
  | { readonly kind: 'databaseLost'; readonly lostAtMs: number; readonly code?: string | undefined }
  /** The database answers, and accepts no write. `code`: the event of PostgreSQL that a write waits for, or its error. */
  | { readonly kind: 'databaseBlocked'; readonly blockedAtMs: number; readonly code?: string | undefined }
  | { readonly kind: 'discordConnecting' }
  /** The problem of the connection to Discord, with its remedy. */
  | { readonly kind: 'discordProblem'; readonly problem: string }
  | { readonly kind: 'discordLost' }
  | { readonly kind: 'discordRestoring' }
  | { readonly kind: 'accountRefused'; readonly fault: Fault; readonly problem: string }
  | { readonly kind: 'noRuleLoaded'; readonly files: number }
  /** `rules` is empty if there are more than a message names. `count` is the number of all. */
  | { readonly kind: 'rulesNotRun'; readonly rules: readonly string[]; readonly count: number };
