import { capabilities as kick } from '#adapters/kick/capabilities.ts';
import { capabilities as twitch } from '#adapters/twitch/capabilities.ts';
import { PlatformError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import { namesIn, unionOf } from '#src/rules/named-users.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import type { ListEntry, Lists } from '#src/rules/lists.ts';
import { attemptBind } from '#src/rules/people/bind-lists.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { accounts as known, check } from '../../support/rule-language.ts';
import { MINUTE, START_MS, stream } from '../evaluate/fixture.ts';
import { storedAndLoaded, withChange } from '../evaluate/run-polls.ts';

/** Two platforms. */
export const ACCOUNTS = {
  ...known,
  streaming: {
    all: ['twitch', 'kick'],
    defaults: ['twitch'],
    platforms: { twitch: { name: 'twitch', capabilities: twitch }, kick: { name: 'kick', capabilities: kick } },
  },
};

/** A rule with `people`. Its card names the person. */
export function peopleRule(when = 'people: team', rest = ''): Rule {
  const { rules, diagnostics } = check(
    `
id: team
when: { every: 1m, ${when} }
then: [{ id: post, do: discord.send, with: { channel: live, content: "\${{ item.person.id }}" } }]
while: [{ do: discord.edit, with: { message: "\${{ steps.post.id }}", content: "\${{ item.title }}" } }]
finally:
  - { do: discord.edit, with: { message: "\${{ steps.post.id }}", content: over } }
  - { do: discord.send, with: { channel: live, content: bye } }
${rest}
`,
    { accounts: ACCOUNTS },
  );
  const [rule] = rules;
  if (!rule) throw new Error(JSON.stringify(diagnostics));
  return rule;
}

/** An entry of the list `team`: `ada`, or `1/ada` in the server 1. */
export function entry(name: string, fields: JsonObject = {}): ListEntry {
  const [id = '', server] = name.split('/').toReversed();
  return { id, list: 'team', server, fields };
}

let revisions = 0;

/** Lists with the entries of `team`. */
export function listsOf(entries: readonly ListEntry[]): Lists {
  return {
    revision: String(++revisions),
    entries: (list) => entries.filter((one) => one.list === list),
    names: () => [...new Set(entries.map(({ list }) => list))],
  };
}

/** The results of one poll of a stage. */
export interface PolledOnce {
  /** For example `then 1/ada twitch kick`, with the server and the accounts of the item. A step that creates nothing else is left out. */
  readonly lines: readonly string[];
  readonly advanced: Advance;
}

/** A rule with `people` over platforms on which channels are live. The state is stored and loaded between polls. */
export class PeopleStage {
  /** The names of live channels with the number of their stream, by account, for example `{ twitch: { ada: 1 } }`. */
  live: Readonly<Record<string, Readonly<Record<string, number>>>> = {};
  entries: readonly ListEntry[] | undefined = [];
  /** The accounts that fail, or names as `twitch/ada`. */
  failing: ReadonlySet<string> = new Set();
  readonly requests: (readonly [account: string, names: readonly string[]])[] = [];
  state: RuleState = NEW_STATE;
  #minute = 0;
  rule: Rule;
  #lists: Lists = listsOf([]);
  #listed: readonly ListEntry[] | undefined = [];

  constructor(rule: Rule = peopleRule()) {
    this.rule = rule;
  }

  async poll(requested?: ReadonlySet<string>): Promise<PolledOnce> {
    const slotMs = START_MS + this.#minute++ * MINUTE;
    if (this.entries !== this.#listed) {
      this.#listed = this.entries;
      this.#lists = listsOf(this.entries ?? []);
    }
    const bound = this.entries ? attemptBind(this.rule, this.#lists) : { failure: 'the lists cannot be read' };
    const poll = 'failure' in bound ? bound : await this.#read(bound, slotMs);
    const rule = 'failure' in bound ? this.rule : bound;
    const advanced = advance({ rule, state: this.state, poll, slotMs, requested });
    if (advanced.change) this.state = storedAndLoaded(withChange(this.state, advanced.change));
    return { lines: advanced.firings.map(lineOf), advanced };
  }

  /** The lines of the next polls, one list each. */
  async polls(count: number): Promise<readonly (readonly string[])[]> {
    const all: (readonly string[])[] = [];
    for (let number = 0; number < count; number++) all.push((await this.poll()).lines);
    return all;
  }

  async #read(rule: Rule, slotMs: number): Promise<Poll> {
    let result: Poll = { failure: 'there was no result' };
    const planner = createPlanner({
      poll: async ({ verb, account, params }) => {
        const union = unionOf({ verb, params });
        const names = union ? namesIn(params, union) : [];
        this.requests.push([account, names]);
        if (this.failing.has(account)) throw new PlatformError(`${account} is down`, { platform: account, fault: 'unavailable' });
        const lost = names.filter((name) => this.failing.has(`${account}/${name}`));
        const items = names.flatMap((name) => {
          const number = lost.includes(name) ? undefined : this.live[account]?.[name];
          return number === undefined ? [] : [stream(name, { platform: account, id: `${account}-${name}-${number}` })];
        });
        const partialErrors = lost.length === 0 ? [] : [{ message: 'a batch failed', fault: 'unavailable' as const, values: lost }];
        return { items, approximate: false, partialErrors };
      },
      log: silentLog,
    });
    await planner.read([{ rule, slotMs }], async (_rule, poll) => void (result = poll));
    return result;
  }
}

function lineOf({ section, scope: { item }, steps }: Advance['firings'][number]): string {
  const { person, accounts } = item ?? {};
  const named = isJsonObject(person) ? [person['server'], person['id']].filter((part) => typeof part === 'string').join('/') : '?';
  const on = Array.isArray(accounts)
    ? accounts.map((one) => (isJsonObject(one) && typeof one['account'] === 'string' ? one['account'] : '?'))
    : [];
  const skipped = steps.some(({ suppressed }) => suppressed) ? ['without announcements'] : [];
  return [section, named, ...on, ...skipped].join(' ');
}
