import { PlatformError } from '#src/errors.ts';
import { withoutName } from '#src/queries/accounts.ts';

/** What the doctor found about one thing. */
export interface CheckResult {
  /** The thing, as `x` or `the clock`. */
  readonly about: string;
  /** `bad`: something does not work; `warning`: something will not, or not well. */
  readonly state: 'good' | 'warning' | 'bad';
  /** What was seen. */
  readonly what: string;
  /** What somebody can do about it. */
  readonly remedy?: string | undefined;
}

/** What a failure says, for people: what we throw is written for them, anything else is a defect. */
export function bad(about: string, error: unknown): CheckResult {
  const said = error instanceof Error ? error.message : String(error);
  const what = error instanceof PlatformError ? withoutName(said, about) : said;
  const remedy = error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
  return { about, state: 'bad', what, remedy };
}
