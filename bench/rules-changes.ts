import { catalogue } from '#src/clients/catalogue.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { toItem } from '#src/engine/planner/poll-results.ts';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { renderStep } from '#src/rules/render.ts';
import type { Rule } from '#src/rules/rule.ts';
import { accounts } from '../test/support/rule-language.ts';
import { Engine, type RuleProperties } from './peers/rules-engine.ts';
import type { Row } from './row.ts';
import { gameList } from './rules-world.ts';

const ROUNDS = 8;
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 10, 20, 18);
const RULES = [50, 1];
/** 7 of 7.8 us. */
const RATIO = 0.9;

export interface Result {
  /** The number of changes that the two conditions of a rule evaluated. */
  readonly asked: number;
  readonly held: number;
  readonly cpuMs: number;
}

/** Compares the CPU time of a change through conditions, gates and rendering with json-rules-engine and the same conditions. */
export async function changes(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const rules of RULES) {
    const { fanfare, peer } = await changesThrough({ rules, rounds: ROUNDS * Math.ceil(20 / rules) });
    rows.push({
      measure: `CPU per change, two conditions, ${rules} rule(s)`,
      figure: microsecondsOf(fanfare),
      unit: 'us',
      peer: { name: 'json-rules-engine', figure: microsecondsOf(peer) },
      aim: { ratioAtMost: RATIO },
    });
  }
  return rows;
}

interface Changes {
  readonly fanfare: Result;
  readonly peer: Result;
}

/** The fastest round of each engine. */
export async function changesThrough({ rules: count, rounds }: { readonly rules: number; readonly rounds: number }): Promise<Changes> {
  const polls = Array.from({ length: rounds + 1 }, (_, slot) => gameList('shared-1', slot).map(toItem));
  const rules = Array.from({ length: count }, (_, index) => changeRule(index));
  const engine = new Engine(Array.from({ length: count }, (_, index) => peerRule(index)));
  const ours: Result[] = [];
  const theirs: Result[] = [];
  const states = new Map(rules.map(({ id }) => [id, NEW_STATE]));
  // The first poll is the baseline. Then the engines alternate, so that other load on the machine affects both.
  for (const [slot, items] of polls.entries()) {
    const mine = await measured(() => Promise.resolve(engineRound(rules, { states, items, slotMs: START_MS + slot * MINUTE_MS })));
    if (slot === 0) continue;
    ours.push(mine);
    theirs.push(await measured(() => peerRound(engine, items)));
  }
  const isSame = ours.every(({ asked, held }, round) => asked === theirs[round]?.asked && held === theirs[round].held);
  if (!isSame) throw new Error('the engines disagree about which conditions hold');
  return { fanfare: fastest(ours), peer: fastest(theirs) };
}

function changeRule(index: number): Rule {
  const source = `
id: changes-${index}
when:
  every: 1m
  watch: streaming.getGameStreams
  with: { game: shared-1 }
  changes: [entered, { changed: [thumbnailUrl] }]
if: item.viewerCount >= ${leastOf(index)} && item.language == "en"
fuse: { firings: 100000, per: 1h }
then:
  - do: discord.send
    with: { channel: news, content: "\${{ item.owner.displayName }} has \${{ compact(item.viewerCount) }} viewers \${{ item.url }}" }
`;
  const { rules, diagnostics } = checkRule({ file: `${index}.yaml`, source, catalogue, accounts });
  const [rule] = rules;
  if (!rule) throw new Error(JSON.stringify(diagnostics));
  return rule;
}

function peerRule(index: number): RuleProperties {
  return {
    conditions: {
      all: [
        { fact: 'viewerCount', operator: 'greaterThanInclusive', value: leastOf(index) },
        { fact: 'language', operator: 'equal', value: 'en' },
      ],
    },
    event: { type: 'fires' },
  };
}

/** Fewer items match rules with a higher threshold. */
function leastOf(index: number): number {
  return 100 + index * 150;
}

function engineRound(
  rules: readonly Rule[],
  { states, items, slotMs }: { readonly states: Map<string, RuleState>; readonly items: readonly JsonObject[]; readonly slotMs: number },
): Omit<Result, 'cpuMs'> {
  let [asked, held] = [0, 0];
  for (const rule of rules) {
    const state = states.get(rule.id) ?? NEW_STATE;
    const next = advance({ rule, state, slotMs, poll: { items, complete: true } });
    states.set(rule.id, after(state, next));
    asked += next.decisions.filter(({ outcome }) => outcome === 'fired' || outcome === 'suppressed').length;
    held += next.firings.length;
    for (const { steps, names, scope, section } of next.firings) {
      for (const { step, account } of steps) {
        const rendered = renderStep({ step, names, scope, section, account, results: {}, catalogue });
        if (!('params' in rendered)) throw new Error(JSON.stringify(rendered));
      }
    }
  }
  return { asked, held };
}

function after(state: RuleState, { change }: Advance): RuleState {
  if (!change) return state;
  const episodes = new Map(state.episodes);
  for (const id of change.drop) episodes.delete(id);
  for (const episode of change.put) episodes.set(episode.id, episode);
  return { memory: change.memory, episodes };
}

async function peerRound(engine: Engine, items: readonly JsonObject[]): Promise<Omit<Result, 'cpuMs'>> {
  let [asked, held] = [0, 0];
  for (const item of items) {
    const { events, failureEvents } = await engine.run(item);
    asked += events.length + failureEvents.length;
    held += events.length;
  }
  return { asked, held };
}

async function measured(work: () => Promise<Omit<Result, 'cpuMs'>>): Promise<Result> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { ...result, cpuMs: (user + system) / 1000 };
}

function fastest(results: readonly Result[]): Result {
  const [first] = results.toSorted((a, b) => microsecondsOf(a) - microsecondsOf(b));
  if (!first) throw new Error('nothing was asked');
  return first;
}

/** The CPU time of one change. */
export function microsecondsOf({ asked, cpuMs }: Result): number {
  return (cpuMs * 1000) / asked;
}
