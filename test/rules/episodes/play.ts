import { advance, type Advance } from '#src/rules/episodes/advance.ts';
import { NEW_STATE, type Episode, type RuleState, type StateChange } from '#src/rules/episode.ts';
import { isJsonList, isJsonObject, type Json } from '#src/operation/json.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Item, Poll } from '#src/rules/poll.ts';
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

export interface Play {
  /** One line a firing or withdrawal, as `10m then entered grace` or `12m withdraw while grace`. */
  readonly lines: readonly string[];
  /** One line a decision, as `10m fired grace: grace entered at #2`. */
  readonly decisions: readonly string[];
  readonly advances: readonly Advance[];
  readonly state: RuleState;
}

/** Plays polls to a rule; between two of them everything is written down and read back. A function may edit the rule on the way. */
export function play(rule: Rule, polls: readonly (PollLine | ((rule: Rule) => Rule))[], from: RuleState = NEW_STATE): Play {
  const advances: Advance[] = [];
  const lines: string[] = [];
  const decisions: string[] = [];
  let playing = rule;
  let state = from;
  for (const line of polls) {
    if (typeof line === 'function') {
      playing = line(playing);
      continue;
    }
    const { at, slotMs, poll } = readLine(line);
    const one = advance({ rule: playing, state, poll, slotMs });
    advances.push(one);
    lines.push(...one.withdrawals.map(({ section, of }) => `${at} withdraw ${section} ${'episode' in of ? keyOf(of.episode) : of.queue}`));
    lines.push(...one.firings.map((firing) => words(at, firing.section, lineOf(firing))));
    decisions.push(...one.decisions.map(({ outcome, item, reason }) => `${words(at, outcome, item)}: ${reason}`));
    state = writtenDown(one.change ? applied(state, one.change) : state);
  }
  return { lines, decisions, advances, state };
}

/** The lines of {@link play} that are firings. */
export function firings(...args: Parameters<typeof play>): readonly string[] {
  return play(...args).lines.filter((line) => !line.includes('withdraw'));
}

/** What a firing is about: a change of an item, all changes of a poll, or what was held. */
function lineOf(firing: Firing): string {
  const { held, changes, item } = firing.scope;
  if (held) return held.map((change) => words(changeText(change), change['open'] === false ? 'over' : undefined)).join(', ');
  if (item === undefined && changes) {
    const lists = Object.values(changes).flatMap((list) => (isJsonList(list) ? list : []));
    return lists.map(changeText).join(', ');
  }
  return item === undefined ? firing.episode : words(kindOf(firing), keyOf(firing.episode));
}

function changeText(change: Json): string {
  if (!isJsonObject(change)) return '?';
  const owner = isJsonObject(change['item']) ? change['item']['owner'] : undefined;
  return [change['kind'], isJsonObject(owner) ? owner['id'] : '?'].filter((word) => typeof word === 'string').join(' ');
}

/** Which change a firing is about; while an episode lasts, none. */
function kindOf({ scope }: Firing): string | undefined {
  const kind = scope.change?.['kind'];
  return typeof kind === 'string' ? kind : undefined;
}

/** The state with a change in it. */
export function applied(state: RuleState, { memory, put, drop }: StateChange): RuleState {
  const episodes = new Map(state.episodes);
  for (const id of drop) episodes.delete(id);
  for (const episode of put) episodes.set(episode.id, episode);
  return { memory, episodes };
}

/** The state as it comes back from where it was written down. */
export function writtenDown({ memory, episodes }: RuleState): RuleState {
  const read = JSON.parse(JSON.stringify({ memory, episodes: [...episodes.values()] })) as {
    memory: RuleState['memory'];
    episodes: Episode[];
  };
  return { memory: read.memory, episodes: new Map(read.episodes.map((episode) => [episode.id, episode])) };
}

function readLine(line: PollLine): { readonly at: string; readonly slotMs: number; readonly poll: Poll } {
  const [at = '', ...words] = line.split(' ');
  const slotMs = START_MS + offset(at);
  if (words[0] === '!') return { at, slotMs, poll: { failure: 'unavailable' } };
  const [complete, more] = [!words.includes('...'), words.includes('+++')];
  return { at, slotMs, poll: { complete, more, items: words.filter((word) => word !== '...' && word !== '+++').map(readItem) } };
}

function readItem(word: string): Item {
  if (word === '?') return { id: 'nobody' };
  const [, handle = '', broadcast = '1', viewers = '100', title, began] =
    /^(\w+)(?:\/(\w+))?(?:=(\d+|\?))?(?::(\w+))?(?:@(-?\w+))?$/.exec(word) ?? [];
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

function words(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(' ');
}
