import type { JsonObject } from '#src/operation/json.ts';

/** A step as its author wrote it, checked; it is kept with each firing, so that an edit cannot change what was decided. */
export interface Step {
  /** Its name in `steps.<id>`. */
  readonly id?: string | undefined;
  /** The verb, as `social.createPost`. */
  readonly do: string;
  /** Whether it makes something new each time: then an episode that ends twice does it once. */
  readonly creates: boolean;
  /** Parameters; texts may hold `${{ }}`. */
  readonly with: JsonObject;
  /** A condition, asked when the step is due. */
  readonly if?: string | undefined;
  /** The accounts that do it, each for itself. */
  readonly as: readonly string[];
  /** The results that it reads: `post` (of the step's first account), `post.own` (of the same account), `post.on.<account>`. */
  readonly reads: readonly string[];
}

/** What the expressions of a step can name: the verb whose records are `item`, and the verb behind each `steps.<id>`. */
export interface StepNames {
  readonly watch?: string | undefined;
  readonly steps: Readonly<Record<string, string>>;
}
