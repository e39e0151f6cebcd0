import type { Episode } from '../../episode.ts';
import { hash, planSteps, type Firing, type Occasion } from '../../firing.ts';
import type { Rule, Scope } from '../../rule.ts';
import type { Step } from '../../step.ts';

interface FireOptions {
  readonly rule: Rule;
  readonly slotMs: number;
  readonly scope: Scope;
}

/** What the gates gave a firing of `then`. */
interface Let {
  /** Counts those of the rule. */
  readonly number: number;
  readonly queue: string;
}

/** The firing of `then` for one item. */
export function fireThen({ episode, number, queue, ...options }: FireOptions & Let & { readonly episode: Episode }): Firing {
  return fire({ ...options, episode: episode.id, queue, section: 'then', occasion: String(number), steps: options.rule.then });
}

/** The firing of `then` for a slot, or for all that changed in one. */
export function fireSlot({ queue, ...options }: FireOptions & Pick<Let, 'queue'>): Firing {
  const { now } = options.scope;
  return fire({ ...options, episode: now, queue, section: 'then', occasion: now, steps: options.rule.then });
}

/** The steps that get what was held until the end of the quiet hours. */
export function fireQuiet({ endMs, steps, ...options }: FireOptions & { readonly endMs: number; readonly steps: readonly Step[] }): Firing {
  const end = new Date(endMs).toISOString();
  return fire({ ...options, episode: end, queue: options.rule.id, section: 'quiet', occasion: end, steps });
}

/** What an episode that spoke does while it lasts; nothing where the rule says nothing. */
export function fireWhile({ episode, ...options }: FireOptions & { readonly episode: Episode }): readonly Firing[] {
  const { rule, scope } = options;
  if (episode.spokenBy === undefined || rule.while.length === 0) return [];
  return [
    fire({ ...options, ...lasting(episode, rule), section: 'while', occasion: scope.now, afresh: episode.afresh, steps: rule.while }),
  ];
}

/** What an episode that spoke does at its end; nothing where the rule says nothing. */
export function fireFinally({ episode, ...options }: FireOptions & { readonly episode: Episode }): readonly Firing[] {
  const { rule } = options;
  if (episode.spokenBy === undefined || rule.finally.length === 0) return [];
  return [fire({ ...options, ...lasting(episode, rule), section: 'finally', occasion: String(episode.closes), steps: rule.finally })];
}

function lasting({ id, key, spokenBy }: Episode, rule: Rule): { episode: string; queue: string; spokenBy: string | undefined } {
  return { episode: id, queue: `${rule.id}/${key}`, spokenBy };
}

function fire({
  rule,
  queue,
  spokenBy,
  slotMs,
  scope,
  steps,
  afresh = true,
  episode,
  section,
  occasion,
}: FireOptions &
  Omit<Occasion, 'rule'> & {
    readonly queue: string;
    readonly spokenBy?: string | undefined;
    readonly steps: readonly Step[];
    readonly afresh?: boolean;
  }): Firing {
  const named: Occasion = { rule: rule.id, episode, section, occasion };
  return {
    ...named,
    id: hash(rule.id, episode, section, occasion),
    queue,
    atMs: slotMs,
    scope,
    names: rule.names,
    sees: spokenBy === undefined ? [] : [spokenBy],
    afresh,
    steps: planSteps(steps, named),
  };
}
