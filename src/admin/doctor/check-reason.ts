import type { Fault } from '#src/errors.ts';

/** The result of a check as data. Texts of platforms and of the system are in English. */
export type CheckReason =
  | { readonly kind: 'folderWritable'; readonly path: string; readonly freeBytes: number }
  | { readonly kind: 'folderFull'; readonly path: string; readonly freeBytes: number }
  | { readonly kind: 'folderMissing'; readonly path: string }
  /** `code`: the error of the system. */
  | { readonly kind: 'folderNotWritable'; readonly path: string; readonly code: string }
  | { readonly kind: 'keyInEnvironment' }
  | { readonly kind: 'keyPrivate' | 'keyReadable' | 'environmentReadable'; readonly path: string }
  /** `version`: the version of the schema. */
  | { readonly kind: 'databaseAnswers'; readonly server: string; readonly version: number }
  /** The clock is behind the last slot of a rule. */
  | { readonly kind: 'clockBehindSlot'; readonly byMs: number }
  | { readonly kind: 'clockSetBack'; readonly byMs: number; readonly atMs: number }
  | { readonly kind: 'clockAgrees'; readonly host: string }
  | { readonly kind: 'clockOff'; readonly host: string; readonly seconds: number; readonly isAhead: boolean }
  | { readonly kind: 'noAccounts' }
  | { readonly kind: 'readRefused'; readonly problem: string }
  /** `why`: the use of the scope. `command`: the command that signs in again. */
  | { readonly kind: 'scopeMissing'; readonly scope: string; readonly why: string; readonly command: string }
  /** `month`: for example `2026-11`. */
  | { readonly kind: 'noBudget'; readonly account: string; readonly spent: string; readonly month: string }
  | {
      readonly kind: 'budget';
      readonly account: string;
      readonly spent: string;
      readonly most: string;
      readonly left: string;
      readonly month: string;
      /** The day on which it resets; absent while much is left. */
      readonly resetsOn?: string | undefined;
    }
  /** `cost`: of all subscriptions of the application; absent if they cost nothing. `lastAtMs`: absent before the first notification. `webhookUrl`: the address that the application at the platform needs. */
  | {
      readonly kind: 'notifies';
      readonly subscriptions: number;
      readonly cost?: number | undefined;
      readonly maxCost?: number | undefined;
      readonly lastAtMs?: number | undefined;
      readonly webhookUrl?: string | undefined;
    }
  /** There is no public address, which the platform needs. */
  | { readonly kind: 'notifiesPublicly' }
  /** `fault`: of the failed request; absent if the connection was lost. */
  | { readonly kind: 'notifiesNot'; readonly account: string; readonly problem: string; readonly fault?: Fault | undefined }
  /** Some names have no notifications. `isLimited`: the application needs more than the platform allows. `fault`: of the failed request. */
  | {
      readonly kind: 'onlyPolled';
      readonly account: string;
      readonly count: number;
      readonly problem: string;
      readonly isLimited: boolean;
      readonly fault?: Fault | undefined;
    }
  /** `ageMs`: of the oldest event that the receiver has not accepted. */
  /** `isGone`: its receiver has deleted it, so that it gets no events until the next start. */
  | { readonly kind: 'webhookLate'; readonly webhook: string; readonly ageMs: number; readonly isGone: boolean }
  | { readonly kind: 'ruleErrors' | 'listErrors'; readonly count: number }
  /** `named`: the rules that are off, with the lines to change; empty if they are many. */
  | { readonly kind: 'rulesReady'; readonly on: number; readonly off: number; readonly named: readonly string[] }
  | { readonly kind: 'nonePublished' }
  | { readonly kind: 'published'; readonly number: number; readonly publishedAtMs: number; readonly by: string }
  /** A request to a platform failed. */
  | { readonly kind: 'failed'; readonly fault: Fault; readonly message: string };
