import type { Element } from '#src/rules/element.ts';
import type { Episode } from '#src/rules/episode.ts';
import { hash, planSteps, type Firing } from '#src/rules/firing.ts';
import type { Rendered } from '#src/rules/render.ts';
import type { Step } from '#src/rules/step.ts';
import type { Commit } from '#src/engine/scheduler/rule-states.ts';

export const SLOT_MS = Date.parse('2026-11-20T18:00:00Z');

/** A step that creates a post through the accounts `as`. */
export function creating(as: readonly string[], step: Partial<Step> = {}): Step {
  return { do: 'social.createPost', creates: true, with: { text: 'hello' }, as, reads: [], ...step };
}

/** A step that edits a message. */
export function setting(as: readonly string[], step: Partial<Step> = {}): Step {
  return { do: 'discord.edit', creates: false, with: { message: '1', content: 'hello' }, as, reads: [], ...step };
}

/** A firing of these steps. By default, it is the first firing of `then` of one episode. `multipleMs`: the multiple of steps with `every`. */
export function firing(steps: readonly Step[], { multipleMs, ...more }: Partial<Firing> & { readonly multipleMs?: number } = {}): Firing {
  const { rule = 'live', episode = 'ada@1', section = 'then', occasion = '1' } = more;
  const of = { rule, episode, section, occasion };
  return {
    ...of,
    id: hash(rule, episode, section, occasion),
    queue: `${rule}/${episode}`,
    atMs: SLOT_MS,
    scope: { rule: { id: rule }, now: new Date(SLOT_MS).toISOString() },
    names: { steps: {} },
    sees: [],
    evenIfUnchanged: false,
    steps: planSteps(steps, of, { multipleOf: () => multipleMs }),
    ...more,
  };
}

/** A commit of these firings, by default in the first slot. */
export function committing(firings: readonly Firing[], more: Partial<Commit> = {}): Commit {
  return { rule: 'live', slotMs: SLOT_MS, firings, withdrawals: [], decisions: [], ...more };
}

/** The keys of the steps of a firing, in order. */
export function keysOf({ steps }: Firing): readonly string[] {
  return steps.map(({ key }) => key);
}

/**
 * Renders the parameters of a step unchanged. `forEach: 'a,b'` makes an element for each name, and `fit: thread` splits the text at
 * each `|`.
 */
export function renderPlainly({ step, element }: { readonly step: Step; readonly element?: Element | undefined }): Rendered {
  const { forEach, fit, with: params } = step;
  if (forEach !== undefined && !element) return { each: forEach.split(',').map((key, index) => ({ key, it: key, index })) };
  const rendered = element ? { ...params, it: element.it } : params;
  const { text } = rendered;
  const [first = '', ...rest] = fit === 'thread' && typeof text === 'string' ? text.split('|') : [];
  return rest.length > 0 ? { thread: [{ ...rendered, text: first }, ...rest.map((part) => ({ text: part }))] } : { params: rendered };
}

/** An open episode. */
export function episodeOf(id: string): Episode {
  return {
    id,
    key: 'ada',
    itemId: '41',
    phase: 'open',
    item: { id: '41', title: 'Ä "quoted" \u{1F600} title', tags: ['a', 'b'], viewerCount: 9_007_199_254_740_991 },
    firstSeenMs: SLOT_MS,
    startedMs: SLOT_MS,
    lastSeenMs: SLOT_MS,
    hits: 1,
    misses: 0,
    openedMs: SLOT_MS,
    polls: 1,
    peak: { viewerCount: 12.5 },
    announcedBy: 'f1',
    closes: 0,
    evenIfUnchanged: true,
  };
}
