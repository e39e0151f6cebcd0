import { runOf, type ChaosAccount, type ChaosRule, type HistoryLine } from '../history.ts';
import { arrivalsIn, readAnnouncement, type Snapshot } from './arrivals.ts';
import { checkItem, type Limits } from './check-item.ts';
import { checkSlots } from './check-slots.ts';
import { createOutages } from './outages.ts';
import { stepsIn, type Step } from './steps.ts';
import type { Violation } from './violations.ts';
import { streamsOf, type WorldEvents } from './world.ts';

/** The input of the checker. */
export interface Observed {
  readonly history: readonly HistoryLine[];
  readonly events: WorldEvents;
  readonly snapshot: Snapshot;
  /** Whether nothing more can arrive. Otherwise, announcements that are not late yet are not missing. */
  readonly isFinal?: boolean | undefined;
}

export interface Verdict {
  readonly violations: readonly Violation[];
  /** The number of messages, posts and edits that were compared. */
  readonly compared: number;
  /** Their number for each account. */
  readonly arrived: Readonly<Record<string, number>>;
  /** The time from each event to its announcement without outages, in ascending order. */
  readonly delaysMs: readonly number[];
}

/** Compares the events of the world with everything that arrived on the platforms. */
export function check({ history, events, snapshot, isFinal = false }: Observed): Verdict {
  const { rules, accounts, requiredMs, lateMs } = runOf(history);
  const limits: Limits = { requiredMs, lateMs, nowMs: isFinal ? Infinity : snapshot.takenAtMs };
  const untilMs = history.find(({ kind }) => kind === 'calm')?.atMs ?? snapshot.takenAtMs;
  const sinceMs = history.find(({ kind }) => kind === 'rulesRun')?.atMs ?? Infinity;
  const outagesOf = createOutages(history, snapshot.takenAtMs);
  const streams = streamsOf(events.filter(({ at }) => at.getTime() >= (history[0]?.atMs ?? 0)));
  const { steps, violations } = sort(snapshot, rules, accounts);
  violations.push(...crashes(history));
  const delaysMs: number[] = [];
  const onDelay = (delayMs: number): void => void delaysMs.push(delayMs);

  for (const rule of rules) {
    for (const name of rule.accounts) {
      const account = accounts.find((one) => one.name === name);
      if (!account) throw new Error(`the history has no account "${name}"`);
      const shared = { rule, account, outages: outagesOf(account), limits, onDelay };
      const mine = steps.get(`${rule.id} ${name}`) ?? [];
      if (rule.shape === 'slot') {
        violations.push(...checkSlots({ ...shared, sinceMs, untilMs, steps: mine }));
        continue;
      }
      const byPerson = Map.groupBy(mine, ({ item }) => item);
      for (const handle of new Set([...rule.people, ...byPerson.keys()])) {
        const watched = rule.people.includes(handle) ? (streams.get(handle) ?? []) : [];
        violations.push(...checkItem({ ...shared, handle, streams: watched, steps: byPerson.get(handle) ?? [] }));
      }
    }
  }
  return {
    violations: violations.toSorted((a, b) => a.fromMs - b.fromMs),
    arrived: Object.fromEntries(accounts.map(({ name }) => [name, countArrived(steps, name)])),
    compared: [...steps.values()].reduce((sum, list) => sum + list.length, 0),
    delaysMs: delaysMs.toSorted((a, b) => a - b),
  };
}

function countArrived(steps: ReadonlyMap<string, readonly Step[]>, name: string): number {
  return [...steps.values()].flat().filter(({ arrival }) => arrival.account === name).length;
}

/** Running workers wait for their dependencies during every fault. A start may fail: its supervisor repeats it. */
function crashes(history: readonly HistoryLine[]): readonly Violation[] {
  const running = new Set<string>();
  return history.flatMap((line) => {
    if (line.kind === 'started') running.delete(line.worker);
    if (line.kind === 'ready') running.add(line.worker);
    return line.kind === 'crashed' && running.delete(line.worker)
      ? [{ kind: 'unexpected', what: `${line.worker} ended by itself with ${line.code}`, fromMs: line.atMs, toMs: line.atMs, evidence: [] }]
      : [];
  });
}

/** The steps by rule and account in the order in which they arrived. */
function sort(
  snapshot: Snapshot,
  rules: readonly ChaosRule[],
  accounts: readonly ChaosAccount[],
): { readonly steps: ReadonlyMap<string, readonly Step[]>; readonly violations: Violation[] } {
  const steps = new Map<string, Step[]>();
  const violations: Violation[] = [];
  for (const arrival of arrivalsIn(snapshot, accounts)) {
    const [{ text, atMs } = { text: '', atMs: 0 }] = arrival.versions;
    const ruleId = readAnnouncement(text)?.rule;
    const rule = rules.find(({ id }) => id === ruleId);
    const read = rule?.accounts.includes(arrival.account) ? stepsIn(arrival, rule) : undefined;
    if (!rule || !read) {
      const evidence = [
        `${arrival.account}: ${arrival.versions.map((version) => JSON.stringify(version.text)).join(' → ')} (${arrival.id})`,
      ];
      violations.push({ kind: 'unexpected', account: arrival.account, what: 'no rule sends this', fromMs: atMs, toMs: atMs, evidence });
      continue;
    }
    const key = `${rule.id} ${arrival.account}`;
    const list = steps.get(key) ?? [];
    list.push(...read);
    steps.set(key, list);
  }
  // Platforms other than Discord list posts in the order of their creation, and Bluesky takes its times from the client.
  const isDiscord = new Set(accounts.filter(({ platform }) => platform === 'discord').map(({ name }) => name));
  for (const list of steps.values()) if (list.some(({ arrival }) => isDiscord.has(arrival.account))) list.sort((a, b) => a.atMs - b.atMs);
  return { steps, violations };
}
