import type { ReplayEvent } from '#src/engine/simulation/replay/replay-view.ts';
import { messageLines, targetText } from '#src/engine/simulation/preview/message-lines.ts';
import { canonical, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { isPublished, type ActualDelivery } from './actual-deliveries.ts';
import { pairing } from './pairing.ts';
import { messagePreview } from '../preview/message-preview.ts';
import type { ExpectedDelivery } from './expected-deliveries.ts';

export interface CompareOptions {
  /** Deliveries that are farther apart in time are not the same. */
  readonly withinMs: number;
  /** The oldest trace of the rule. Before it, a missing delivery is not the effect of an edit. */
  readonly beganMs?: number | undefined;
}

/** Pairs expected with actual deliveries of the same slot key, the nearest in time first. Both are in the order of time. */
export function compare(
  expected: readonly ExpectedDelivery[],
  actual: readonly ActualDelivery[],
  { withinMs, beganMs }: CompareOptions,
): readonly ReplayEvent[] {
  const published = actual.filter(isPublished);
  const pairs = pairing(published, withinMs).pairs(expected);
  // Deliveries that could not be rendered, that were skipped, or that are not settled yet.
  const tried = pairing(
    actual.filter((one) => !isPublished(one) && !isRefused(one)),
    withinMs,
  ).pairs(expected.filter((one) => !pairs.has(one)));
  const waiting = new Set(
    actual.flatMap(({ delivery, slotKey, atMs }) => (isNotBegun(delivery) ? [`${slotKey} ${delivery.do} ${atMs}`] : [])),
  );
  const events = expected.flatMap((one) => {
    const pair = pairs.get(one);
    // A list or a thread has its elements or parts when it begins.
    const isAsBefore = isAsTried(one, tried.get(one)) || waiting.has(`${one.stepKey} ${one.do} ${one.atMs}`);
    return !pair && isAsBefore ? [] : [eventOf(one, pair, beganMs)];
  });
  const paired = new Set(pairs.values());
  const rest = published
    .filter((one) => !paired.has(one))
    .map(({ delivery, atMs, about, position }): ReplayEvent => {
      const { do: verb, account, params = {} } = delivery;
      return { kind: 'fewer', at: new Date(atMs), about, position, do: verb, account, actual: linesOf(verb, params) };
    });
  return [...events, ...rest].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

function eventOf(
  { atMs, sinceMs, about, position, do: verb, account, params, failure }: ExpectedDelivery,
  pair: ActualDelivery | undefined,
  beganMs = -Infinity,
): ReplayEvent {
  const event = { at: new Date(atMs), about, position, do: verb, account, failure };
  const now = params && contentOf(verb, params);
  const expected = now?.lines ?? [];
  if (!pair) return { ...event, kind: sinceMs < beganMs ? 'early' : 'more', expected };
  const then = contentOf(verb, pair.delivery.params ?? {});
  const paired = { ...event, actualAt: new Date(pair.atMs) };
  if (!now || areSame(now, then)) return { ...paired, kind: now ? 'same' : 'other', expected, actual: then.lines };
  const isElsewhere = canonical(now.place) !== canonical(then.place);
  const [shownNow, shownThen] = [now, then].map(({ place, lines }) => (isElsewhere ? [...place, ...lines] : lines));
  return { ...paired, kind: 'other', expected: shownNow, actual: shownThen };
}

/** Whether a platform refused it. The world of the replay refuses it too, so it is not among the expected deliveries. */
function isRefused({ delivery: { state, params } }: ActualDelivery): boolean {
  return state === 'failed' && params !== undefined;
}

/** Whether an edit of the rule does not explain the missing delivery: it is still pending, or the same attempt failed before. */
function isAsTried({ do: verb, params }: ExpectedDelivery, tried: ActualDelivery | undefined): boolean {
  if (!tried) return false;
  const { do: triedVerb, params: before } = tried.delivery;
  // Steps without an id have the key of their position, so the step there can be another one.
  if (triedVerb !== verb) return false;
  if (isNotBegun(tried.delivery)) return true;
  return params && before ? haveSameContent(verb, params, before) : !params && !before;
}

/** Whether it will be sent, with a content that is not known yet. */
function isNotBegun({ state, since }: ActualDelivery['delivery']): boolean {
  return state === 'pending' && !since;
}

/** Whether two steps produce the same message for its readers. */
export function haveSameContent(verb: string, params: JsonObject, others: JsonObject): boolean {
  return areSame(contentOf(verb, params), contentOf(verb, others));
}

interface Content {
  /** The channel and the pings of a message in Discord. */
  readonly place: readonly string[];
  readonly lines: readonly string[];
}

/** Addresses differ each time, so the comparison ignores them. */
function areSame(expected: Content, actual: Content): boolean {
  return canonical(comparable(expected)) === canonical(comparable(actual));
}

function comparable({ place, lines }: Content): Json {
  return [place, lines.map((line) => line.replace(/https?:\/\/\S+/gu, 'https://'))];
}

function contentOf(verb: string, params: JsonObject): Content {
  const message = messagePreview(verb, params);
  const { target, isMarkdown, pings = [] } = message;
  // The pings of a post are in its text, and the id of an edited message differs each time.
  const place = [
    ...(target?.kind === 'channel' ? [targetText(target)] : []),
    ...(isMarkdown && pings.length > 0 ? [`mention: ${pings.join(', ')}`] : []),
  ];
  return { place, lines: messageLines(message) };
}

function linesOf(verb: string, params: JsonObject): readonly string[] {
  return contentOf(verb, params).lines;
}
