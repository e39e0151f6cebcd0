import type { Json, JsonObject } from '#src/operation/json.ts';

/** The tests beside a rule. */
export interface RuleTests {
  readonly file: string;
  /** The id of the rule. */
  readonly rule: string;
  readonly startMs: number;
  readonly cases: readonly TestCase[];
}

/** One thing that a rule promises. */
export interface TestCase {
  readonly it: string;
  /** Where it stands in the file, from 1. */
  readonly line: number;
  /** Which of the rules that `each` makes is meant, by name and value, or the value's id; none: the first one. */
  readonly each: Readonly<Record<string, string>>;
  /** In the order of time. */
  readonly polls: readonly TestPoll[];
  readonly expect: readonly Expectation[];
}

/** What happens at one instant of a case. */
export interface TestPoll {
  /** After the start. */
  readonly atMs: number;
  readonly line: number;
  /** What the poll reads; absent with everything else: a slot of a rule that watches nothing. */
  readonly items?: readonly JsonObject[] | undefined;
  /** Why nothing could be read. */
  readonly error?: string | undefined;
  /** The engine stops and starts. */
  readonly restart: boolean;
  /** What reading steps read, and what people answer, by the step's id. */
  readonly answers: Readonly<Record<string, Json>>;
  /** Targets that refuse, as `card.discord`. */
  readonly fail: readonly string[];
}

/** What must be sent. */
export interface Expectation {
  readonly atMs: number;
  readonly line: number;
  readonly do: string;
  /** The accounts, one delivery each; empty: all that the step has. */
  readonly as: readonly string[];
  /** As much of the parameters as matters; a text between slashes is a regular expression. */
  readonly with: JsonObject;
}
