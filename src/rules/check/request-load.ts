import { canonical, isJsonList, type JsonObject } from '#src/operation/json.ts';
import type { Rule } from '../rule.ts';

/** What all rules together ask of one account. */
export interface AccountLoad {
  /** The first word of its verbs. */
  readonly client: string;
  readonly account: string;
  readonly perMinute: number;
  /** The rule that asks most often, if it were alone. */
  readonly worst: RuleLoad;
}

interface RuleLoad {
  readonly rule: Rule;
  readonly everyMs: number;
  readonly perMinute: number;
}

/** Polls that one request can serve: they differ in names only. */
interface Group {
  readonly everyMs: number;
  readonly pages: number;
  readonly names: Set<string>;
}

/** As many names as one request of most platforms takes. */
const NAMES_A_REQUEST = 100;

/** How many requests a minute the polls of all rules take, account by account; cron rules are too rare to count. */
export function loadOf(rules: readonly Rule[]): readonly AccountLoad[] {
  const loads = new Map<
    string,
    { readonly client: string; readonly account: string; readonly groups: Map<string, Group>; worst: RuleLoad }
  >();
  for (const rule of rules) {
    const { watched, schedule } = rule;
    if (!watched || !('everyMs' in schedule) || rule.enabled === false) continue;
    const client = watched.verb.split('.')[0] ?? '';
    const alone = groupOf(watched.with, schedule.everyMs);
    const own: RuleLoad = { rule, everyMs: schedule.everyMs, perMinute: costOf(alone) };
    for (const account of watched.accounts) {
      const load = loads.get(`${client}/${account}`) ?? { client, account, groups: new Map<string, Group>(), worst: own };
      loads.set(`${client}/${account}`, load);
      if (own.perMinute > load.worst.perMinute) load.worst = own;
      const key = canonical([watched.verb, schedule.everyMs, fixedPart(watched.with)]);
      const group = load.groups.get(key) ?? groupOf(watched.with, schedule.everyMs);
      for (const name of alone.names) group.names.add(name);
      load.groups.set(key, group);
    }
  }
  return [...loads.values()].map(({ client, account, groups, worst }) => ({
    client,
    account,
    worst,
    perMinute: [...groups.values()].reduce((sum, group) => sum + costOf(group), 0),
  }));
}

function groupOf(params: JsonObject, everyMs: number): Group {
  const { pages } = params;
  const names = Object.values(params).flatMap((value) => (isJsonList(value) ? value.map(String) : []));
  return { everyMs, pages: typeof pages === 'number' ? pages : 1, names: new Set(names) };
}

function fixedPart(params: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => !isJsonList(value)));
}

function costOf({ everyMs, pages, names }: Group): number {
  return (Math.max(pages, Math.ceil(names.size / NAMES_A_REQUEST)) * 60_000) / everyMs;
}
