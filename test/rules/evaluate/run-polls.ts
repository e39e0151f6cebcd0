import { advance } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import { NEW_STATE, type Episode, type RuleState, type StateChange } from '#src/rules/episode.ts';
import { isJsonList, isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Item, Poll } from '#src/rules/poll.ts';
import { suppressionOf, type Suppression } from '#src/rules/reasons/reason.ts';
import type { Rule } from '#src/rules/rule.ts';
import { START_MS, stream } from './fixture.ts';

/**
 * One poll as a line: when, and what it read.
 *
 * `10m ada grace` read two channels; `ada/2` is ada's second broadcast, `ada=900` has that many viewers (`ada=?` does
 * not say), `ada:chess` has that title, `ada@-2h` began two hours before the start, `?` has no owner. `...` at the end says
 * that the list was cut short, `+++` that pages were left unread, and `!` alone that nothing could be read.
 */
export type PollLine = string;

export interface PollRun {
  /** One line a firing or withdrawal, for example `10m then entered grace` or `12m withdraw while grace`. */
  readonly lines: readonly string[];
  /** One line a decision, for example `10m fired grace: grace entered at #2`. */
  readonly decisions: readonly string[];
  /** The suppressions: the time, the item if there is one, and the reason. */
  readonly suppressions: readonly (readonly [at: string, item: string | undefined, suppression: Suppression])[];
  readonly advances: readonly Advance[];
  readonly state: RuleState;
}

/** Runs polls of a rule. The state is stored and loaded between polls. A function in `polls` edits the rule. */
export function runPolls(rule: Rule, polls: readonly (PollLine | ((rule: Rule) => Rule))[], from: RuleState = NEW_STATE): PollRun {
  const advances: Advance[] = [];
  const lines: string[] = [];
  const decisions: string[] = [];
  const suppressions: PollRun['suppressions'][number][] = [];
  let current = rule;
  let state = from;
  for (const line of polls) {
    if (typeof line === 'function') {
      current = line(current);
      continue;
    }
    const { at, slotMs, poll } = readLine(line);
    const one = advance({ rule: current, state, poll, slotMs });
    advances.push(one);
    lines.push(...one.withdrawals.map(({ section, of }) => `${at} withdraw ${section} ${'episode' in of ? keyOf(of.episode) : of.queue}`));
    lines.push(...one.firings.map((firing) => joined(at, firing.section, lineOf(firing))));
    decisions.push(...one.decisions.map(({ outcome, item, message }) => `${joined(at, outcome, item)}: ${message}`));
    for (const { item, reason } of one.decisions) {
      const suppression = reason && suppressionOf(reason);
      if (suppression) suppressions.push([at, item, suppression]);
    }
    state = storedAndLoaded(one.change ? withChange(state, one.change) : state);
  }
  return { lines, decisions, suppressions, advances, state };
}

/** The lines of {@link runPolls} that are firings. */
export function firings(...args: Parameters<typeof runPolls>): readonly string[] {
  return runPolls(...args).lines.filter((line) => !line.includes('withdraw'));
}

/** The subject of a firing: a change of an item, all changes of a poll, or the deferred changes. */
function lineOf(firing: Firing): string {
  const { held: deferred, changes, item } = firing.scope;
  if (deferred) return deferred.map((change) => joined(changeText(change), change['open'] === false ? 'over' : undefined)).join(', ');
  if (item === undefined && changes) {
    const lists = Object.values(changes).flatMap((list) => (isJsonList(list) ? list : []));
    return lists.map(changeText).join(', ');
  }
  return item === undefined ? firing.episode : joined(kindOf(firing), keyOf(firing.episode));
}

function changeText(change: Json): string {
  if (!isJsonObject(change)) return '?';
  const owner = isJsonObject(change['item']) ? change['item']['owner'] : undefined;
  return [change['kind'], isJsonObject(owner) ? owner['id'] : '?'].filter((word) => typeof word === 'string').join(' ');
}

/** The kind of the change of a firing. Undefined for `while`. */
function kindOf({ scope }: Firing): string | undefined {
  const kind = scope.change?.['kind'];
  return typeof kind === 'string' ? kind : undefined;
}

/** The state with a change in it. */
export function withChange(state: RuleState, { memory, put, drop }: StateChange): RuleState {
  const episodes = new Map(state.episodes);
  for (const id of drop) episodes.delete(id);
  for (const episode of put) episodes.set(episode.id, episode);
  return { memory, episodes };
}

/** The state after it was stored and loaded. */
export function storedAndLoaded({ memory, episodes }: RuleState): RuleState {
  const read = JSON.parse(JSON.stringify({ memory, episodes: [...episodes.values()] })) as {
    memory: RuleState['memory'];
    episodes: Episode[];
  };
  return { memory: read.memory, episodes: new Map(read.episodes.map((episode) => [episode.id, episode])) };
}

function readLine(line: PollLine): { readonly at: string; readonly slotMs: number; readonly poll: Poll } {
  const [at = '', ...joined] = line.split(' ');
  const slotMs = START_MS + offset(at);
  if (joined[0] === '!') return { at, slotMs, poll: { failure: 'unavailable' } };
  const [complete, more] = [!joined.includes('...'), joined.includes('+++')];
  return { at, slotMs, poll: { complete, more, items: joined.filter((word) => word !== '...' && word !== '+++').map(readItem) } };
}

function readItem(word: string): Item {
  if (word === '?') return { id: 'nobody' };
  const [, handle = '', broadcast = '1', viewers = '100', title, began] =
    /^(\w+)(?:\/(\w+))?(?:=(\d+|\?))?(?::([\w\p{Emoji_Presentation}]+))?(?:@(-?\w+))?$/u.exec(word) ?? [];
  const startedAt = began === undefined ? undefined : new Date(START_MS + offset(began)).toISOString();
  return stream(handle, {
    id: `${handle}-${broadcast}`,
    viewerCount: viewers === '?' ? undefined : Number(viewers),
    title: title ?? `${handle} plays`,
    startedAt,
  });
}

function offset(text: string): number {
  const [, sign, n, unit = ''] = /^(-?)(\d+)([smhd])$/.exec(text) ?? [];
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit];
  if (unitMs === undefined) throw new Error(`not a time: ${text}`);
  return (sign ? -1 : 1) * Number(n) * unitMs;
}

/** The key in an episode's id. */
export function keyOf(episode: string): string {
  return episode.split('@')[0] ?? episode;
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(' ');
}
