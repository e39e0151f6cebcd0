import type { NotBeyond, PreviewView, SceneKind, SceneView } from '#src/cli/preview-view.ts';
import type { Log } from '#src/log.ts';
import type { Clock } from '#src/clock.ts';
import { createPlanner } from '#src/planner/planner.ts';
import { nameOf } from '#src/rules/episodes/telling/item-words.ts';
import { siftItems } from '#src/rules/episodes/turns/sift-items.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Item, Poll } from '#src/rules/poll.ts';
import type { Because } from '#src/rules/reasons/because.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';
import { numeral } from '#src/rules/wording/numbers.ts';
import { falsehoodText } from '#src/rules/wording/reasons/falsehood-text.ts';
import { catalogue } from '../catalogue.ts';
import type { Clients } from '../clients.ts';
import { pollPlatform } from '../poll-platform.ts';
import { textLimitOf } from '../quote-as-link.ts';
import { performStep } from '../steps.ts';
import { madeUpItem } from './made-up-item.ts';
import { madeUpResult } from './made-up-result.ts';
import { Rehearsal, type RehearsalOptions, type RehearsedStep } from './rehearsal.ts';
import { sceneViews } from './scene-views.ts';
import { eager, pollOf, scenesOf, type Scene } from './scenes.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** At so many looks at the most something is awaited that is not said at each of them. */
const LATER_LOOKS = 12;

export interface PreviewRuleOptions {
  readonly clients: Clients;
  /** How many items are shown. */
  readonly items: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a rule would say right now of the first items that it sees: everything is read, and nothing written. */
export async function previewRule(rule: Rule, options: PreviewRuleOptions): Promise<PreviewView> {
  const slotMs = options.clock.nowMs();
  if (!rule.watched) return { rule, scenes: await play(rule, { now: undefined, kind: 'time', slotMs, options }) };
  const poll = await read(rule, slotMs, options);
  if ('failure' in poll) return { rule, read: { ...poll, count: 0, counted: 0, madeUp: false, refused: [] }, scenes: [] };
  const sifted = siftItems(poll.items, { rule, watched: rule.watched, slotMs });
  const counted = sifted?.present.map(({ item }) => item) ?? [];
  const scenes: SceneView[] = [];
  // Nobody is there to show it with; a whole list that is empty shows as it is.
  const madeUp = poll.items.length === 0 && rule.watched.per === 'item' ? madeUpItem(rule.watched, slotMs) : undefined;
  const played = madeUp ? { ...rule, watched: { ...rule.watched, where: undefined } } : rule;
  for (const scene of scenesOf(rule.watched, madeUp ? [madeUp] : counted, options.items))
    scenes.push(...(await playScene(played, scene, { slotMs, options })));
  scenes.push(...(await playQuiet(rule, counted, { slotMs, options })));
  return {
    rule,
    read: {
      count: poll.items.length,
      counted: counted.length,
      madeUp: madeUp !== undefined,
      refused:
        sifted?.named.map(({ item, key, because }) => ({ name: nameOf(item, key), reason: falsehoodText(because), why: because })) ?? [],
    },
    scenes,
  };
}

async function read(rule: Rule, slotMs: number, { clients, clock, log }: PreviewRuleOptions): Promise<Poll> {
  const planner = createPlanner({ poll: (query, signal) => pollPlatform(clients, query, signal), clock, log });
  let told: Poll = { failure: 'nothing was answered' };
  await planner.read([{ rule, slotMs }], async (_rule, poll) => void (told = poll));
  return told;
}

interface Setting {
  readonly slotMs: number;
  readonly options: PreviewRuleOptions;
}

async function playScene(rule: Rule, { change, before, now }: Scene, setting: Setting): Promise<readonly SceneView[]> {
  const { watched } = rule;
  if (!watched) return [];
  const isOfItem = watched.per === 'item';
  const kind = watched.per === 'slot' ? 'slot' : change.kind === 'entered' ? NEWS[watched.kind] : VERBS[change.kind];
  const scenes = await play(isOfItem || watched.per === 'poll' ? only(rule, watched, change) : rule, {
    ...setting,
    before,
    now,
    kind,
    // What follows an item is shown for the first one.
    follows: isOfItem && change.kind === 'entered',
  });
  return scenes.length > 0 || !('lines' in change) || now.length === 0 ? scenes : [{ kind, silence: whyNot(change), steps: [] }];
}

function whyNot({ kind, field, lines }: Extract<Scene['change'], { kind: 'rose' | 'fell' }>): Because<NotBeyond> {
  const at = lines.map((line) => line.at);
  const why: NotBeyond =
    kind === 'rose' ? { kind: 'notAbove', field, line: Math.min(...at) } : { kind: 'notBelow', field, line: Math.max(...at) };
  return { reason: `none of them has ${field} ${kind === 'rose' ? 'above' : 'below'} ${numeral(why.line)} now`, why };
}

const NEWS = { live: 'goesLive', ranking: 'enters', feed: 'isNew', set: 'comes', one: 'isThere' } as const;
const VERBS = { left: 'leaves', moved: 'moves', changed: 'changes', rose: 'rises', fell: 'falls' } as const;

function only(rule: Rule, watched: Watched, change: Scene['change']): Rule {
  return { ...rule, watched: { ...watched, changes: [change] } };
}

async function play(
  rule: Rule,
  {
    before,
    now,
    kind,
    follows = false,
    slotMs,
    options,
  }: Setting & {
    readonly before?: readonly Item[] | undefined;
    readonly now: readonly Item[] | undefined;
    readonly kind: SceneKind;
    readonly follows?: boolean | undefined;
  },
): Promise<readonly SceneView[]> {
  const rehearsal = new Rehearsal({ rule: eager(rule), ...worldOf(options) });
  const first = (firings: readonly Firing[]): readonly Firing[] => firings.slice(0, options.items);
  if (before) await rehearsal.slot({ slotMs: slotMs - SECOND_MS, poll: pollOf(before) }, () => []);
  const { steps, decisions } = await rehearsal.slot({ slotMs, poll: now && pollOf(now) }, first);
  const shown = { rule, clients: options.clients };
  const scenes = [...(await sceneViews(steps, kind, shown))];
  const silences = decisions.filter(({ outcome }) => outcome === 'refused').slice(0, options.items);
  if (follows && scenes.length > 0 && now) {
    const still = await later(rehearsal, { now, slotMs });
    const over = await rehearsal.slot({ slotMs: slotMs + (LATER_LOOKS + 1) * SECOND_MS, poll: pollOf([]) }, one);
    scenes.push(...(await sceneViews(still, 'stays', shown)), ...(await sceneViews(over.steps, 'ends', shown)));
  }
  return [...scenes, ...silences.map(({ reason, why }): SceneView => ({ kind, silence: { reason, why }, steps: [] }))];
}

function one(firings: readonly Firing[]): readonly Firing[] {
  return firings.slice(0, 1);
}

/** What is done at the first later look at which anything is: a rule may ask for every third. */
async function later(
  rehearsal: Rehearsal,
  { now, slotMs }: { readonly now: readonly Item[]; readonly slotMs: number },
): Promise<readonly RehearsedStep[]> {
  let steps: readonly RehearsedStep[] = [];
  for (let look = 1; look <= LATER_LOOKS; look++) {
    ({ steps } = await rehearsal.slot({ slotMs: slotMs + look * SECOND_MS, poll: pollOf(now) }, one));
    if (steps.some(({ outcome }) => outcome.kind !== 'skipped')) break;
  }
  return steps;
}

/** What the steps of quiet hours would say if these were over now. */
async function playQuiet(rule: Rule, items: readonly Item[], { slotMs, options }: Setting): Promise<readonly SceneView[]> {
  const { quiet } = rule;
  if (!quiet || typeof quiet.then === 'string') return [];
  const minute = Math.floor(slotMs / MINUTE_MS) % 1440;
  const night = { ...quiet, fromMinute: minute, toMinute: (minute + 1) % 1440, timezone: 'UTC' };
  const rehearsal = new Rehearsal({ rule: { ...eager(rule), quiet: night }, ...worldOf(options) });
  const shown = pollOf(items.slice(0, options.items));
  await rehearsal.slot({ slotMs, poll: shown });
  const { steps } = await rehearsal.slot({ slotMs: (Math.floor(slotMs / MINUTE_MS) + 1) * MINUTE_MS, poll: shown }, (firings) =>
    firings.filter(({ section }) => section === 'quiet'),
  );
  return sceneViews(steps, 'quietEnds', { rule, clients: options.clients });
}

/** Reading is done, writing is made up. */
function worldOf({ clients }: PreviewRuleOptions): Pick<RehearsalOptions, 'textLimitOf' | 'resultOf'> {
  return {
    textLimitOf: (account, step) => textLimitOf(clients.social.get(account), step),
    async resultOf({ planned, params, slotMs }) {
      const { step, account, key } = planned;
      if (catalogue.get(step.do)?.kind === 'write') return madeUpResult(planned, { params, slotMs });
      return performStep(clients, { do: step.do, account, params, key, since: new Date(slotMs), signal: new AbortController().signal });
    },
  };
}
