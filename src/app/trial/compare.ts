import type { ReplayEvent } from '#src/cli/replay-view.ts';
import { canonical, type Json, type JsonObject } from '#src/operation/json.ts';
import type { Delivery } from '#src/outbox/delivery.ts';
import { sayingOf } from './saying.ts';

/** What would be said at an instant. */
export interface Would {
  readonly atMs: number;
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
  readonly place: string;
  readonly about: string;
}

/** Pairs what would be said with what was: of the same place, and no further apart than `withinMs`. */
export function compare(would: readonly Would[], did: readonly Did[], { withinMs }: { readonly withinMs: number }): readonly ReplayEvent[] {
  const left = Map.groupBy(did, ({ place }) => place);
  const events = would.map((one) => {
    const candidates = left.get(one.place) ?? [];
    const pair = candidates.find(({ delivery }) => Math.abs(delivery.createdAt.getTime() - one.atMs) <= withinMs);
    if (pair) candidates.splice(candidates.indexOf(pair), 1);
    return eventOf(one, pair);
  });
  const rest = [...left.values()].flat().map(({ delivery, about }): ReplayEvent => {
    const { createdAt, step, do: verb, account, params = {} } = delivery;
    return { kind: 'fewer', at: createdAt, about, step, do: verb, account, did: linesOf(verb, params) };
  });
  return [...events, ...rest].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

function eventOf({ atMs, about, step, do: verb, account, params, failure }: Would, pair: Did | undefined): ReplayEvent {
  const would = params.flatMap((one) => linesOf(verb, one));
  const did = pair && linesOf(verb, pair.delivery.params ?? {});
  const isSame = did !== undefined && canonical(comparable(would)) === canonical(comparable(did));
  return { kind: !did ? 'more' : isSame ? 'same' : 'other', at: new Date(atMs), about, step, do: verb, account, would, did, failure };
}

/** Where something was sent to and what a picture's address ends with differ each time. */
function comparable(lines: readonly string[]): Json {
  return lines.map((line) => line.replace(/https?:\/\/\S+/gu, 'https://'));
}

function linesOf(verb: string, params: JsonObject): readonly string[] {
  return sayingOf(verb, params, undefined).lines;
}
