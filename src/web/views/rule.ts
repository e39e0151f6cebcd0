import { ApiProblem } from '../client/client.ts';
import type { Decision, Delivery, Episode, Problem, Rule, RuleDetails } from '../client/records.ts';
import { OUTCOME_TONES } from '../page/inline/tones.ts';
import { html } from './html.ts';
import { useTexts } from './language.ts';
import { listedDelivery } from './listed-delivery.ts';
import { RuleAbout } from './parts/rule-about.ts';
import { RuleDecisions, RuleDeliveries } from './parts/rule-lists.ts';
import { RuleDoes } from './parts/rule-does.ts';
import { RuleEpisodes } from './parts/rule-episodes.ts';
import { RuleTrial } from './parts/rule-trial.ts';
import { RuleGone } from './parts/rule-gone.ts';
import { RuleStateBadge } from './parts/rule-state-badge.ts';
import { VIEW_PATHS } from './paths.ts';
import { useState, type VNode } from './preact.mjs';
import { stateOfRule } from './rule-state.ts';
import { RULES_TEXTS } from './texts/rules.ts';
import type { Address, BodyProps, View } from './view.ts';

const DECISIONS_SHOWN = 50;
const DELIVERIES_SHOWN = 20;
const EPISODES_SHOWN = 20;

interface RuleData {
  /** Absent for a rule that is gone. */
  readonly rule?: Rule | undefined;
  /** Why there is no rule. */
  readonly problem?: Problem | undefined;
  readonly details?: RuleDetails | undefined;
  readonly decisions: readonly Decision[];
  /** The start of the next page of decisions. */
  readonly cursor?: string | undefined;
  readonly episodes: readonly Episode[];
  /** The start of the next page of episodes. */
  readonly episodeCursor?: string | undefined;
  readonly deliveries: readonly Delivery[];
}

/** One rule, also a deleted one or one whose file has errors: its state, its decisions and its deliveries. */
export const rule: View<RuleData> = {
  path: VIEW_PATHS.rule,
  title: ({ address }) => idIn(address),
  refreshOn: ['decision', 'delivery', 'rules'],
  Body,
  async load(client, address) {
    const id = idIn(address);
    const [found, { items: decisions, cursor }, episodes, { items: deliveries }, details] = await Promise.all([
      findOr404(client.call('getRule', { rule: id })),
      client.call('listDecisions', {
        rule: id,
        outcome: outcomeIn(address),
        text: textIn(address),
        cursor: address.query['cursor'] || undefined,
        limit: DECISIONS_SHOWN,
      }),
      client.call('listEpisodes', { rule: id, cursor: address.query['episodes'] || undefined, limit: EPISODES_SHOWN }),
      client.call('listDeliveries', { rule: id, limit: DELIVERIES_SHOWN }),
      findOr404(client.call('explainRule', { rule: id })),
    ]);
    const hasHistory = decisions.length + episodes.items.length + deliveries.length > 0;
    if (found instanceof ApiProblem && !hasHistory && !hasErrors(found.problem)) throw found;
    return {
      rule: found instanceof ApiProblem ? undefined : found,
      problem: found instanceof ApiProblem ? found.problem : undefined,
      details: details instanceof ApiProblem ? undefined : details,
      decisions,
      cursor,
      episodes: episodes.items,
      episodeCursor: episodes.cursor,
      deliveries: deliveries.map(listedDelivery),
    };
  },
};

function idIn({ parameters }: Address): string {
  return parameters['rule'] ?? '';
}

/** People edit addresses, so that any other value counts as no filter. */
function outcomeIn({ query }: Address): Decision['outcome'] | undefined {
  return (Object.keys(OUTCOME_TONES) as Decision['outcome'][]).find((outcome) => outcome === query['outcome']); // the keys of a record are its names
}

function textIn({ query }: Address): string | undefined {
  return query['text']?.trim().slice(0, 200) || undefined;
}

/** Whether there is no rule because its file has errors. */
function hasErrors(problem: Problem | undefined): boolean {
  return problem?.code === 'ruleFileHasErrors';
}

/** An answer, or the problem that no loaded rule has this id. */
async function findOr404<T>(answer: Promise<T>): Promise<T | ApiProblem> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.status === 404) return error;
    throw error;
  }
}

function Body({
  data: { rule: found, problem, details, decisions, cursor, episodes, episodeCursor, deliveries },
  address,
  reader,
}: BodyProps<RuleData>): VNode {
  const id = idIn(address);
  // An edited text must not disappear with the rule.
  const [wasLoaded] = useState(found !== undefined);
  return html`<div class="view">
    <p><a href=${VIEW_PATHS.rules}>${useTexts(RULES_TEXTS).title}</a></p>
    <div class="rule-head">
      <h1><bdi>${id}</bdi></h1>
      <${RuleStateBadge} state=${found ? stateOfRule(found) : hasErrors(problem) ? 'broken' : 'deleted'} />
    </div>
    ${found ? html`<${RuleAbout} rule=${found} canAct=${reader.canAct} />` : html`<${RuleGone} problem=${problem} />`}
    ${details && html`<${RuleDoes} details=${details} rule=${found} />`}
    ${(found || wasLoaded) && html`<${RuleTrial} id=${id} source=${details?.source} canAct=${reader.canAct} />`}
    <${RuleEpisodes} id=${id} episodes=${episodes} cursor=${episodeCursor} isLater=${Boolean(address.query['episodes'])} />
    <${RuleDecisions}
      id=${id}
      decisions=${decisions}
      cursor=${cursor}
      outcome=${outcomeIn(address)}
      text=${textIn(address)}
      address=${address}
    />
    <${RuleDeliveries} id=${id} deliveries=${deliveries} />
  </div>`;
}
