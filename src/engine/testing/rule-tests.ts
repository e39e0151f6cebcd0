import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { GivenUse } from './world/sample-use.ts';
import type { TestLists } from './test-lists.ts';
import { UNITS } from '#src/rules/messages/format.ts';

export interface RuleTests {
  readonly file: string;
  /** The id of the rule. */
  readonly rule: string;
  readonly startMs: number;
  readonly cases: readonly TestCase[];
}

export interface TestCase {
  readonly it: string;
  /** Its line in the file, from 1. */
  readonly line: number;
  /** The instance of `each`, by name and value id. Empty for the first one. */
  readonly each: Readonly<Record<string, string>>;
  /** The lists at the start. */
  readonly lists?: TestLists | undefined;
  /** Stored values at the start; those that are missing have their start value. */
  readonly keep?: JsonObject | undefined;
  /** In the order of time. */
  readonly polls: readonly TestPoll[];
  readonly expect: readonly Expectation[];
  /** Expected stored values at the end. */
  readonly kept?: JsonObject | undefined;
}

/** The input of a case at one instant. */
export interface TestPoll {
  /** Since the start of the case. */
  readonly atMs: number;
  readonly line: number;
  /** The items of the poll; undefined for a rule that watches nothing. */
  readonly items?: readonly JsonObject[] | undefined;
  /** The error of a failed poll. */
  readonly error?: string | undefined;
  readonly command?: GivenUse | undefined;
  /** The payload of a request to the webhook of the rule. */
  readonly webhook?: JsonObject | undefined;
  /** The lists from this poll on; undefined: as before. */
  readonly lists?: TestLists | undefined;
  /** Whether the engine restarts. */
  readonly restart: boolean;
  /** The results of reading steps and the answers to questions, by step id. */
  readonly answers: Readonly<Record<string, Json>>;
  /** Failing steps, for example `card`, and failing targets, for example `card.discord`. */
  readonly fail: readonly string[];
}

/** An expected delivery. */
export interface Expectation {
  readonly atMs: number;
  readonly line: number;
  readonly do: string;
  /** The accounts, with one delivery each. Empty for all accounts of the step. */
  readonly as: readonly string[];
  /** The relevant parameters. A text between slashes is a regular expression. */
  readonly with: JsonObject;
}

/** Formats a time since the start exactly, as test files have it: `1h30m`. */
export function formatOffset(atMs: number): string {
  let restMs = atMs;
  let text = '';
  for (const [unit, unitMs] of [...UNITS, ['ms', 1] as const]) {
    const count = Math.floor(restMs / unitMs);
    if (count > 0) text += `${count}${unit}`;
    restMs -= count * unitMs;
  }
  return text || '0m';
}
