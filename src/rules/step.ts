import type { Restriction } from '#src/clients/operation/audience.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { ListFields, ListShapes } from './expression/list-shapes.ts';

/** How a text that is too long for its platform is fitted. */
export type Fit = 'truncate' | 'thread' | 'error';

/** A checked step. Each firing stores it, so that an edit does not change decided steps. */
export interface Step {
  /** The name in `steps.<id>`. */
  readonly id?: string | undefined;
  /** The position in its list in the file, from 1. Waits count. Absent for steps without a file and for rows of earlier versions. */
  readonly number?: number | undefined;
  /** The verb, for example `social.createPost`. */
  readonly do: string;
  /** Whether it creates a record. An episode that closes twice creates it once. */
  readonly creates: boolean;
  /** Parameters; texts may hold `${{ }}`. */
  readonly with: JsonObject;
  /** A condition that is evaluated when the step is due. */
  readonly if?: string | undefined;
  /** An expression with a list. The step is delivered for each element. */
  readonly forEach?: string | undefined;
  /** The accounts. Each one delivers the step. */
  readonly as: readonly string[];
  /** Whether only the account that read the item delivers the step. `as`: those of the accounts whose platforms support it. */
  readonly asItem?: boolean | undefined;
  /**
   * The results that it reads: `post` (of the step's first account), `post.own` (of the same account), `post.on.<account>`; `@post` for the
   * result of an earlier firing of the episode.
   */
  readonly reads: readonly string[];
  /** Only for steps of `while`: the step runs once at each multiple of this time since the start of the episode. Absent: at each poll. */
  readonly everyMs?: number | undefined;
  /** The time from the firing until the step is due, in milliseconds: the sum of the `wait`s above it. Absent: at once. */
  readonly afterMs?: number | undefined;
  /** Whether it also runs if its episode ends during the wait above it. Absent: no, if it creates something. */
  readonly afterEnd?: boolean | undefined;
  /** How long after its due time, and after the results that it needs, it may begin. Absent: no limit. */
  readonly maxAgeMs?: number | undefined;
  /** The time for the answer to a question. Absent: as `maxAgeMs`. */
  readonly answerWithinMs?: number | undefined;
  /** Absent: `truncate`. */
  readonly fit?: Fit | undefined;
  /** Whether later steps of its list run after a failure. Absent: after a failed look-up, only the steps that do not read its result. */
  readonly onError?: 'continue' | 'stop' | undefined;
  /** Whether it reports failures: a failed step with `onError: stop` does not stop it, and the result of an incomplete thread is empty for it. */
  readonly reportsFailures?: boolean | undefined;
  /** Whether it fails if a picture, a mention or a tag is unavailable. Absent: it is sent without. */
  readonly strict?: boolean | undefined;
  /** Whether everyone may read it, even if it is made from records that not everyone can read. */
  readonly audience?: 'public' | undefined;
  /** The restricted audiences whose records are in its result. Only for look-ups. */
  readonly include?: readonly Restriction[] | undefined;
  /** The limits of retries. Absent: 24 hours. */
  readonly retry?: { readonly forMs?: number | undefined; readonly attempts?: number | undefined } | undefined;
}

/** Whether the end of the episode withdraws a step of `then`: it is behind a wait, and it would create something. */
export function endsWithEpisode({ afterMs, creates, afterEnd }: Step): boolean {
  return afterMs !== undefined && creates && afterEnd !== true;
}

/** An option of the slash command of a rule. */
export interface CommandOption {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'choice' | 'user' | 'channel';
  /** The description that Discord shows. */
  readonly about: string;
  readonly required: boolean;
  /** The texts of a `choice`. */
  readonly choices?: readonly string[] | undefined;
}

export const WEBHOOK_FIELD_TYPES = ['text', 'number', 'integer', 'boolean', 'time'] as const;

/** The type of a value in a webhook. */
export type WebhookType = (typeof WEBHOOK_FIELD_TYPES)[number] | { readonly list: WebhookType } | { readonly fields: WebhookFields };

/** The fields of a webhook, by name. */
export type WebhookFields = Readonly<Record<string, { readonly type: WebhookType; readonly optional: boolean }>>;

/** A stored value of a rule. */
export type KeptJson = number | boolean | string | readonly string[];
/** Stored values by name. */
export type KeptValues = Readonly<Record<string, KeptJson>>;
/** The type of a stored value. */
export type KeptType = 'whole' | 'number' | 'flag' | 'text' | 'texts';

/** The names that the expressions of a step can use. */
export interface StepNames {
  /** The verb whose records are `item`. */
  readonly watch?: string | undefined;
  /** What a firing announces. Absent: an item, if the rule watches a list. */
  readonly per?: 'item' | 'poll' | 'slot' | undefined;
  /** Whether items have `account` and `accounts`, because several accounts read. */
  readonly byAccount?: boolean | undefined;
  /** Whether items have `person`, the entry of a list. */
  readonly people?: boolean | undefined;
  /** The kinds of the fields of those entries; absent: they are unknown. */
  readonly personFields?: NonNullable<ListFields> | undefined;
  /** The options of the slash command that the rule answers; absent: it runs at a schedule. */
  readonly command?: readonly CommandOption[] | undefined;
  /** The fields of the webhook that starts the rule; absent: it runs at a schedule. */
  readonly webhook?: WebhookFields | undefined;
  /** The types of the stored values; absent: the rule has none. */
  readonly keep?: Readonly<Record<string, KeptType>> | undefined;
  /** The verb behind each `steps.<id>`. */
  readonly steps: Readonly<Record<string, string>>;
  /** The accounts of those steps, by id. */
  readonly accounts?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The choices of those steps that are questions, by id; absent: they are not fixed. */
  readonly choices?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The ids of the steps with `forEach`. */
  readonly lists?: readonly string[] | undefined;
  /** The lists of the installation, if the rule reads `lists`. */
  readonly listShapes?: ListShapes | undefined;
  /** The values of `vars` and `each`. */
  readonly constants?: { readonly vars: JsonObject; readonly each: JsonObject } | undefined;
}
