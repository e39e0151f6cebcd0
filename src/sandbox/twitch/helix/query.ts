import { Refusal } from '../../refusal.ts';

const MOST_VALUES = 100;

/** The parameters of one request. What does not fit is refused as Helix does. */
export class Query {
  readonly #parameters: URLSearchParams;

  constructor(url: string) {
    this.#parameters = new URL(url).searchParams;
  }

  one(name: string): string | undefined {
    return this.#parameters.get(name) ?? undefined;
  }

  required(name: string): string {
    const value = this.one(name);
    if (!value) throw new Refusal(400, `Missing required parameter "${name}"`);
    return value;
  }

  /** All values of a parameter that may be given a hundred times. */
  all(name: string): readonly string[] {
    const values = this.#parameters.getAll(name);
    if (values.length > MOST_VALUES) throw malformed(name, `the number of values must be less than or equal to ${MOST_VALUES}`);
    return values;
  }

  ids(name: string): readonly string[] {
    const values = this.all(name);
    if (!values.every((value) => /^[0-9]*$/.test(value))) throw malformed(name, 'the value must match the regular expression /^[0-9]*$/');
    return values;
  }

  /** How many items a page has. */
  first(): number {
    const text = this.one('first');
    if (text === undefined) return 20;
    const count = Number(text);
    if (!Number.isInteger(count) || count < 1) throw malformed('first', 'the value must be greater than or equal to 1');
    if (count > 100) throw malformed('first', 'the value must be less than or equal to 100');
    return count;
  }

  choice<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
    const value = this.one(name);
    if (value === undefined) return choices[0];
    const choice = choices.find((each) => each === value);
    if (!choice) throw malformed(name, `the value must be one of ${choices.join(', ')}`);
    return choice;
  }

  flag(name: string): boolean | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    if (value !== 'true' && value !== 'false') throw malformed(name, 'the value must be true or false');
    return value === 'true';
  }

  /** In milliseconds since 1970. */
  instant(name: string): number | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    const atMs = Date.parse(value);
    if (Number.isNaN(atMs)) throw malformed(name, 'the value must be a RFC3339 date');
    return atMs;
  }
}

export function malformed(name: string, reason: string): Refusal {
  return new Refusal(400, `The parameter "${name}" was malformed: ${reason}`);
}
