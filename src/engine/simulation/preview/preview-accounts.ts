import type { Perform } from '#src/engine/delivery/attempt.ts';
import type { RoundOptions } from '#src/clients/operation/call.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Omission } from '#src/clients/operation/part.ts';
import type { PostDefaults } from '#src/clients/operation/post-defaults.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import type { PollResult, Query } from '#src/engine/planner/query.ts';
import type { ReplyFacts } from '#src/rules/audience/widening.ts';
import type { Step } from '#src/rules/step.ts';

/** The parameters that a platform gets, or why a write fails before its first request. */
export type DryRun = { readonly params: JsonObject } | { readonly refusal: string };

/** The accounts that a preview reads through. */
export interface PreviewAccounts {
  readonly poll: (query: Query, options: RoundOptions) => Promise<PollResult>;
  readonly perform: Perform;
  /** The longest text of a post through an account. */
  readonly textLimitOf: (account: string, step: Step) => TextLimit | undefined;
  readonly postDefaultsOf?: ((account: string) => PostDefaults | undefined) | undefined;
  /** The replies of an account, if it is a social account. */
  readonly replyFactsOf?: ((account: string) => ReplyFacts | undefined) | undefined;
  /** What a write would send, or why it would fail, as far as its parameters tell; absent: each is sent without changes. */
  readonly dryRun?: ((verb: string, account: string, params: JsonObject, signal: AbortSignal) => Promise<DryRun>) | undefined;
  /** The parts of a write that are not available now. */
  readonly missingParts: (verb: string, account: string, params: JsonObject, signal: AbortSignal) => Promise<readonly Omission[]>;
  /** Why a step cannot use its Discord channel or role: it does not exist, or the bot does not have a permission. */
  readonly targetProblems: (verb: string, account: string, params: JsonObject) => Promise<readonly string[]>;
}
