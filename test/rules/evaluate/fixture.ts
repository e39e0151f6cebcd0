import type { Item } from '#src/rules/poll.ts';
import type { Suppression } from '#src/rules/reasons/reason.ts';
import type { Condition, Rule, Scope, Watched } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';

/** 18:00 of a Friday, on the grid of every schedule used here. */
export const START_MS = Date.parse('2026-11-20T18:00:00Z');

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export type RuleOptions = Partial<Omit<Rule, 'watched'>> & { readonly watched?: Partial<Watched> | undefined };

/** A rule with a card. It watches channels every minute and has a step for each section. */
export function cardRule({ watched, ...rule }: RuleOptions = {}): Rule {
  return makeRule({
    id: 'card',
    schedule: { everyMs: MINUTE },
    then: [aStep({ id: 'post', creates: true })],
    while: [aStep({ do: 'discord.edit' })],
    finally: [aStep({ do: 'discord.edit' })],
    names: { watch: 'streaming.getStreams', steps: { post: 'discord.send' } },
    ...rule,
    watched: makeWatched({ key: ownerOf, fingerprint: 'the first list', ...watched }),
  });
}

/** The rule after an edit of its query. */
export function otherQuery(rule: Rule): Rule {
  const { watched = makeWatched() } = rule;
  return { ...rule, watched: { ...watched, fingerprint: 'another list', definition: { ...watched.definition, query: 'another query' } } };
}

/** {@link cardRule} over a ranking. */
export function rankingRule({ watched, ...rule }: RuleOptions = {}): Rule {
  return cardRule({ ...rule, watched: { kind: 'ranking', verb: 'streaming.getTopStreams', ...watched } });
}

/** A rule that watches nothing. */
export function slotRule(rule: Partial<Omit<Rule, 'watched'>> = {}): Rule {
  return { ...cardRule({ while: [], finally: [], ...rule }), watched: undefined };
}

export function aStep(step: Partial<Step> = {}): Step {
  return { do: 'discord.send', creates: false, with: {}, as: ['discord'], reads: [], ...step };
}

/** The suppression by a false {@link condition}. */
export function falseIf(source: string): Suppression {
  return { kind: 'if', condition: { kind: 'false', clauses: [{ source, values: [] }] } };
}

/** A condition that is code. */
export function condition(source: string, holds: (scope: Scope) => boolean): Condition {
  return {
    source,
    test: (scope) => (holds(scope) ? { holds: true } : { holds: false, condition: { kind: 'false', clauses: [{ source, values: [] }] } }),
  };
}

/** A stream as a poll reads it. */
export function stream(handle: string, fields: Item = {}): Item {
  const person = { platform: 'twitch', id: handle, handle, displayName: handle };
  return { platform: 'twitch', id: `${handle}-1`, owner: person, title: `${handle} plays`, viewerCount: 100, tags: [], ...fields };
}

function ownerOf({ owner }: Item): string | undefined {
  return typeof owner === 'object' && owner !== null && 'id' in owner && typeof owner.id === 'string' ? owner.id : undefined;
}
