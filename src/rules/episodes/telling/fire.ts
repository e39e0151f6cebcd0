import type { Episode } from '../../episode.ts';
import { hash, planSteps, type Firing, type Occasion } from '../../firing.ts';
import type { Rule, Scope } from '../../rule.ts';

interface FireOptions {
  readonly rule: Rule;
  readonly episode: Episode;
  readonly slotMs: number;
  readonly scope: Scope;
}

/** The firing of `then` for one item; `number` counts those of the rule. */
export function fireThen({ rule, episode, slotMs, scope, number }: FireOptions & { readonly number: number }): Firing {
  return fire({ rule, episode: episode.id, key: episode.key, section: 'then', occasion: String(number), slotMs, scope });
}

/** The firing of a rule that watches nothing. */
export function fireSlot({ rule, slotMs, scope }: Omit<FireOptions, 'episode'>): Firing {
  return fire({ rule, episode: scope.now, section: 'then', occasion: scope.now, slotMs, scope });
}

/** What an episode that spoke does while it lasts; nothing where the rule says nothing. */
export function fireWhile({ rule, episode, slotMs, scope }: FireOptions): readonly Firing[] {
  if (episode.spokenBy === undefined || rule.while.length === 0) return [];
  const { id, key, spokenBy, afresh } = episode;
  return [fire({ rule, episode: id, key, section: 'while', occasion: scope.now, slotMs, scope, spokenBy, afresh })];
}

/** What an episode that spoke does at its end; nothing where the rule says nothing. */
export function fireFinally({ rule, episode, slotMs, scope }: FireOptions): readonly Firing[] {
  if (episode.spokenBy === undefined || rule.finally.length === 0) return [];
  const { id, key, spokenBy, closes } = episode;
  return [fire({ rule, episode: id, key, section: 'finally', occasion: String(closes), slotMs, scope, spokenBy })];
}

function fire({
  rule,
  key,
  spokenBy,
  slotMs,
  scope,
  afresh = true,
  ...named
}: Omit<Occasion, 'rule'> & {
  readonly rule: Rule;
  readonly key?: string;
  readonly spokenBy?: string;
  readonly slotMs: number;
  readonly scope: Scope;
  readonly afresh?: boolean;
}): Firing {
  const occasion: Occasion = { rule: rule.id, ...named };
  return {
    ...occasion,
    id: hash(rule.id, named.episode, named.section, named.occasion),
    queue: key === undefined ? rule.id : `${rule.id}/${key}`,
    atMs: slotMs,
    expiresMs: named.section === 'then' ? slotMs + rule.maxAgeMs : undefined,
    scope,
    names: rule.names,
    sees: spokenBy === undefined ? [] : [spokenBy],
    afresh,
    steps: planSteps(rule[named.section], occasion),
  };
}
