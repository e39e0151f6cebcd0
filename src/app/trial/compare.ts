import type { ReplayEvent } from '#src/cli/replay-view.ts';
import { sayingLines } from '#src/cli/saying-lines.ts';
import { canonical, type Json, type JsonObject } from '#src/operation/json.ts';
import type { Delivery } from '#src/outbox/delivery.ts';
import { sayingOf } from './saying.ts';

/** What would be said at an instant. */
export interface Would {
  readonly atMs: number;
  /** When what it belongs to began. */
  readonly sinceMs: number;
  readonly about: string;
  /** The same for the same step of the same item through the same account. */
  readonly place: string;
  readonly step: string;
  readonly do: string;
  readonly account: string;
  readonly params: readonly JsonObject[];
  readonly failure?: string | undefined;
}

/** What was said, and about whom. */
export interface Did {
  readonly delivery: Delivery;
  readonly atMs: number;
  readonly place: string;
  readonly about: string;
  readonly step: string;
}

export interface CompareOptions {
  /** No further apart than this they are one and the same. */
  readonly withinMs: number;
  /** The oldest trace of the rule: what was not said before that is no matter of an edit. */
  readonly beganMs?: number | undefined;
}

/** Pairs what would be said with what was: of the same place, the nearest in time first. Both stand in the order of time. */
export function compare(would: readonly Would[], did: readonly Did[], { withinMs, beganMs }: CompareOptions): readonly ReplayEvent[] {
  const said = Map.groupBy(did, ({ place }) => place);
  const pairs = new Map<Would, Did>();
  for (const [place, ones] of Map.groupBy(would, (one) => one.place)) {
    for (const [one, other] of nearest(ones, said.get(place) ?? [], withinMs)) pairs.set(one, other);
  }
  const paired = new Set(pairs.values());
  const events = would.map((one) => eventOf(one, pairs.get(one), beganMs));
  const rest = did
    .filter((one) => !paired.has(one))
    .map(({ delivery, about, step }): ReplayEvent => {
      const { createdAt, do: verb, account, params = {} } = delivery;
      return { kind: 'fewer', at: createdAt, about, step, do: verb, account, did: linesOf(verb, params) };
    });
  return [...events, ...rest].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** Pairs no further apart than `withinMs`; none of them could be paired with one that is nearer and still free. */
function nearest(would: readonly Would[], did: readonly Did[], withinMs: number): readonly (readonly [Would, Did])[] {
  const close: { readonly one: Would; readonly other: Did; readonly apartMs: number }[] = [];
  let from = 0;
  for (const one of would) {
    while ((did[from]?.atMs ?? Infinity) < one.atMs - withinMs) from++;
    for (let at = from; (did[at]?.atMs ?? Infinity) <= one.atMs + withinMs; at++) {
      const other = did[at];
      if (other) close.push({ one, other, apartMs: Math.abs(other.atMs - one.atMs) });
    }
  }
  const [ones, others] = [new Set<Would>(), new Set<Did>()];
  return close
    .toSorted((a, b) => a.apartMs - b.apartMs)
    .flatMap(({ one, other }) => {
      if (ones.has(one) || others.has(other)) return [];
      ones.add(one);
      others.add(other);
      return [[one, other] as const];
    });
}

function eventOf(
  { atMs, sinceMs, about, step, do: verb, account, params, failure }: Would,
  pair: Did | undefined,
  beganMs = -Infinity,
): ReplayEvent {
  const would = params.flatMap((one) => linesOf(verb, one));
  const did = pair && linesOf(verb, pair.delivery.params ?? {});
  const isSame = did !== undefined && canonical(comparable(would)) === canonical(comparable(did));
  const kind = did ? (isSame ? 'same' : 'other') : sinceMs < beganMs ? 'early' : 'more';
  return { kind, at: new Date(atMs), about, step, do: verb, account, would, did, failure };
}

/** Where something was sent to and what a picture's address ends with differ each time. */
function comparable(lines: readonly string[]): Json {
  return lines.map((line) => line.replace(/https?:\/\/\S+/gu, 'https://'));
}

function linesOf(verb: string, params: JsonObject): readonly string[] {
  return sayingLines(sayingOf(verb, params));
}
