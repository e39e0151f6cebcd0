import type { JsonObject } from '#src/operation/json.ts';

/** What becomes of a text that a platform would refuse for its length. */
export type Fit = 'truncate' | 'thread' | 'error';

/** A step as its author wrote it, checked; it is kept with each firing, so that an edit cannot change what was decided. */
export interface Step {
  /** Its name in `steps.<id>`. */
  readonly id?: string | undefined;
  /** Its place in its list as the file has it, from 1: waits have one, too. Absent: it stands in no file, or an earlier version read it. */
  readonly number?: number | undefined;
  /** The verb, as `social.createPost`. */
  readonly do: string;
  /** Whether it makes something new each time: then an episode that ends twice does it once. */
  readonly creates: boolean;
  /** Parameters; texts may hold `${{ }}`. */
  readonly with: JsonObject;
  /** A condition, asked when the step is due. */
  readonly if?: string | undefined;
  /** An expression that gives a list: the step is done for each of its elements. */
  readonly forEach?: string | undefined;
  /** The accounts that do it, each for itself. */
  readonly as: readonly string[];
  /** The results that it reads: `post` (of the step's first account), `post.own` (of the same account), `post.on.<account>`. */
  readonly reads: readonly string[];
  /** How long after its firing it is due, in milliseconds: the sum of the `wait`s above it. Absent: at once. */
  readonly afterMs?: number | undefined;
  /** How long after it is due it may still be begun; for `discord.ask`, how long a person may take. Absent: always. */
  readonly maxAgeMs?: number | undefined;
  /** Absent: `truncate`. */
  readonly fit?: Fit | undefined;
  /** Whether the later steps of its list go on if it failed at any target. Absent: those that do not read its result, if it is a look-up. */
  readonly onError?: 'continue' | 'stop' | undefined;
  /** Whether it fails if a picture, a mention or a tag cannot be had. Absent: it is done without. */
  readonly strict?: boolean | undefined;
  /** How long it is tried, and how often at most. Absent: for 24 hours. */
  readonly retry?: { readonly forMs?: number | undefined; readonly attempts?: number | undefined } | undefined;
}

/** What the expressions of a step can name. */
export interface StepNames {
  /** The verb whose records are `item`. */
  readonly watch?: string | undefined;
  /** What a firing is about; absent: an item, where something is watched. */
  readonly per?: 'item' | 'poll' | 'slot' | undefined;
  /** Whether items have `account`, as several accounts read. */
  readonly byAccount?: boolean | undefined;
  /** The verb behind each `steps.<id>`. */
  readonly steps: Readonly<Record<string, string>>;
  /** The accounts of those steps, by id. */
  readonly accounts?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The ids of those that are done for each element of a list. */
  readonly lists?: readonly string[] | undefined;
  /** What `vars` and `each` stand for. */
  readonly constants?: { readonly vars: JsonObject; readonly each: JsonObject } | undefined;
}
