import { catalogue } from '#src/clients/catalogue.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { slotsOf } from '#src/engine/scheduler/slots.ts';
import type { Expectation, TestCase, TestPoll } from '#src/engine/testing/rule-tests.ts';
import type { TestLists } from '#src/engine/testing/test-lists.ts';
import { allSteps, type Rule } from '#src/rules/rule.ts';

/** Parameters with the id of a record, which differs between the sandbox and a test. */
const RECORD_KEYS = new Set(['message', 'post', 'event', 'replyTo', 'channel', 'quote', 'thread']);
const MAX_SLOTS = 1_000;

/** What the engine did on the sandbox. */
export interface LiveRun {
  readonly deliveries: readonly Delivery[];
  /** The slots of each rule, in milliseconds since 1970. */
  readonly slots: ReadonlyMap<string, ReadonlySet<number>>;
  /** The slot of each firing, by id. */
  readonly firedMs: ReadonlyMap<string, number>;
  readonly lists: TestLists;
  readonly startMs: number;
  readonly endMs: number;
}

/** A run of a rule as a test case: its polls, the results of its steps, and everything that it wrote. */
export function recordedCase(
  rule: Rule,
  { deliveries, slots, firedMs, lists, startMs, endMs }: LiveRun,
  polls: readonly TestPoll[],
): TestCase {
  const ours = deliveries.filter((one) => one.rule === rule.id);
  const atMsOf = ({ beginsAt, firing }: Delivery): number => (beginsAt?.getTime() ?? firedMs.get(firing) ?? 0) - startMs;
  const isRun = (slotMs: number): boolean => slots.get(rule.id)?.has(slotMs) ?? false;
  const times = rule.watched
    ? []
    : slotsOf(rule.schedule)
        .lastOf(startMs - 1, endMs, MAX_SLOTS)
        .filter(isRun);
  const lines = [...polls, ...times.map((slotMs) => pollOf(slotMs - startMs))];
  const ids = new Set(ours.flatMap(({ result }) => (isJsonObject(result) && typeof result['id'] === 'string' ? [result['id']] : [])));
  const named = new Set(allSteps(rule).flatMap(({ id }) => id ?? []));
  return {
    it: 'does the same as on the sandbox',
    line: 1,
    each: {},
    lists,
    polls: lines.map((poll, index) => {
      const untilMs = lines[index + 1]?.atMs ?? Infinity;
      const results = ours.filter((one) => named.has(one.step) && isAnswerable(one) && atMsOf(one) >= poll.atMs && atMsOf(one) < untilMs);
      return { ...poll, answers: Object.fromEntries(results.map((one) => [one.step, answerOf(one)])) };
    }),
    expect: ours.filter(isWritten).map((one): Expectation => ({
      atMs: atMsOf(one),
      line: 1,
      do: one.do,
      as: [one.account],
      with: withStillPictures(withoutIds(one.params ?? {}, ids)),
    })),
  };
}

/** A line of a case. */
export function pollOf(atMs: number, { items, error }: Pick<TestPoll, 'items' | 'error'> = {}): TestPoll {
  return { atMs, line: 1, restart: false, answers: {}, fail: [], items: items?.map(withStillPictures), error };
}

/** Without the time in the addresses of pictures, which the recorder of polls does not keep. */
function withStillPictures(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value).replaceAll(/\?t=\d+/gu, '?t=0')) as JsonObject; // the replacement keeps the type
}

/** Whether a delivery changed a platform. */
export function isWritten({ do: verb, state }: Delivery): boolean {
  return catalogue.get(verb)?.kind === 'write' && (state === 'sent' || state === 'asked');
}

/** Whether a case can state the result: questions are answered later. */
function isAnswerable({ do: verb, result }: Delivery): boolean {
  const declared = catalogue.get(verb);
  return result !== undefined && !(declared?.kind === 'write' && declared.answered === 'later');
}

function answerOf({ result }: Delivery): Json {
  return isJsonObject(result) && isJsonList(result['items']) ? result['items'] : (result ?? null);
}

function withoutIds(params: JsonObject, ids: ReadonlySet<string>): JsonObject {
  const isId = (key: string, value: Json | undefined): boolean => RECORD_KEYS.has(key) && typeof value === 'string' && ids.has(value);
  return Object.fromEntries(Object.entries(params).filter(([key, value]) => !isId(key, value)));
}
