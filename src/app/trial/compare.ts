import type { ReplayEvent } from '#src/cli/replay-view.ts';
import { sayingLines } from '#src/cli/saying-lines.ts';
import { canonical, type Json, type JsonObject } from '#src/operation/json.ts';
import { isSaid, type Did } from './did.ts';
import { pairing } from './pairing.ts';
import { sayingOf } from './saying.ts';
import type { Would } from './would.ts';

export interface CompareOptions {
  /** No further apart than this they are one and the same. */
  readonly withinMs: number;
  /** The oldest trace of the rule: what was not said before that is no matter of an edit. */
  readonly beganMs?: number | undefined;
}

/** Pairs what would be said with what was: of the same place, the nearest in time first. Both stand in the order of time. */
export function compare(would: readonly Would[], did: readonly Did[], { withinMs, beganMs }: CompareOptions): readonly ReplayEvent[] {
  const said = did.filter(isSaid);
  const pairs = pairing(said, withinMs).pairs(would);
  // What came to nothing, or not to its end yet.
  const tried = pairing(
    did.filter((one) => !isSaid(one)),
    0,
  );
  const events = would.flatMap((one) => {
    const pair = pairs.get(one);
    return !pair && isAsTried(one, tried.nearest(one)) ? [] : [eventOf(one, pair, beganMs)];
  });
  const paired = new Set(pairs.values());
  const rest = said
    .filter((one) => !paired.has(one))
    .map(({ delivery, atMs, about, step }): ReplayEvent => {
      const { do: verb, account, params = {} } = delivery;
      return { kind: 'fewer', at: new Date(atMs), about, step, do: verb, account, did: linesOf(verb, params) };
    });
  return [...events, ...rest].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

function eventOf({ atMs, sinceMs, about, step, do: verb, account, params, failure }: Would, pair: Did | undefined, beganMs = -Infinity) {
  const would = params ? linesOf(verb, params) : [];
  const did = pair && linesOf(verb, pair.delivery.params ?? {});
  const kind = did ? (areSame(would, did) ? 'same' : 'other') : sinceMs < beganMs ? 'early' : 'more';
  return { kind, at: new Date(atMs), about, step, do: verb, account, would, did, failure } as const;
}

/** Whether no edit is why it was not said: it is to come, or it was the same that was tried, or it could not be said then either. */
function isAsTried({ do: verb, params }: Would, tried: Did | undefined): boolean {
  if (!tried) return false;
  const { state, since, params: before } = tried.delivery;
  // What is not begun will be said, whatever of it is known.
  if (state === 'pending' && !since) return true;
  return params && before ? sayTheSame(verb, params, before) : !params && !before;
}

/** Whether two steps say the same, as far as people see it. */
export function sayTheSame(verb: string, params: JsonObject, others: JsonObject): boolean {
  return areSame(linesOf(verb, params), linesOf(verb, others));
}

/** Where something was sent to and what a picture's address ends with differ each time. */
function areSame(would: readonly string[], did: readonly string[]): boolean {
  return canonical(comparable(would)) === canonical(comparable(did));
}

function comparable(lines: readonly string[]): Json {
  return lines.map((line) => line.replace(/https?:\/\/\S+/gu, 'https://'));
}

function linesOf(verb: string, params: JsonObject): readonly string[] {
  return sayingLines(sayingOf(verb, params));
}
