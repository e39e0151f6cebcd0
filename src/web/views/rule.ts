import { ApiProblem, type ApiClient } from '../client/client.ts';
import type { Decision, Delivery, Rule } from '../client/records.ts';
import { OUTCOMES, STATES, type Toned } from '../page/inline/tones.ts';
import { addressOfDelivery, addressOfItem, addressOfRule, addressWith } from './addresses.ts';
import { html } from './html.ts';
import { listedDelivery } from './listed-delivery.ts';
import { Badge } from './parts/badge.ts';
import { Instant, TimeSince } from './parts/time.ts';
import { VIEW_PATHS } from './paths.ts';
import type { VNode } from './preact.mjs';
import type { Address, BodyProps, View } from './view.ts';

const DECISIONS_SHOWN = 50;
const DELIVERIES_SHOWN = 20;

interface RuleData {
  /** Absent for a rule that is gone. */
  readonly rule?: Rule | undefined;
  readonly decisions: readonly Decision[];
  /** The start of the next page of decisions. */
  readonly cursor?: string | undefined;
  readonly deliveries: readonly Delivery[];
}

/** One rule, also a deleted one: its state, its decisions and its deliveries. */
export const rule: View<RuleData> = {
  path: VIEW_PATHS.rule,
  title: idIn,
  refreshOn: ['decision', 'delivery', 'rules'],
  Body,
  async load(client, address) {
    const id = idIn(address);
    const [found, { items: decisions, cursor }, { items: deliveries }] = await Promise.all([
      findRule(id, client),
      client.call('listDecisions', {
        rule: id,
        outcome: outcomeIn(address),
        cursor: address.query['cursor'] || undefined,
        limit: DECISIONS_SHOWN,
      }),
      client.call('listDeliveries', { rule: id, limit: DELIVERIES_SHOWN }),
    ]);
    if (found instanceof ApiProblem && decisions.length + deliveries.length === 0) throw found;
    return { rule: found instanceof ApiProblem ? undefined : found, decisions, cursor, deliveries: deliveries.map(listedDelivery) };
  },
};

function idIn({ parameters }: Address): string {
  return parameters['rule'] ?? '';
}

/** People edit addresses, so that any other value counts as no filter. */
function outcomeIn({ query }: Address): Decision['outcome'] | undefined {
  return (Object.keys(OUTCOMES) as Decision['outcome'][]).find((outcome) => outcome === query['outcome']); // the keys of a record are its names
}

/** The rule, or the problem that no loaded rule has this id. */
async function findRule(id: string, client: ApiClient): Promise<Rule | ApiProblem> {
  try {
    return await client.call('getRule', { rule: id });
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.status === 404) return error;
    throw error;
  }
}

function Body({ data: { rule: found, decisions, cursor, deliveries }, address, reader }: BodyProps<RuleData>): VNode {
  const id = idIn(address);
  return html`<div class="view">
    <div class="rule-head">
      <h1><bdi>${id}</bdi></h1>
      ${found ? html`<${State} rule=${found} />` : html`<${Badge} word="deleted" tone="bad" title="No loaded rule has this id." />`}
    </div>
    ${found ? html`<${About} rule=${found} canAct=${reader.canAct} />` : html`<p class="obstacle">No loaded rule has this id: it was deleted or renamed, or its file has errors.</p>`}
    <${Decisions} id=${id} decisions=${decisions} cursor=${cursor} outcome=${outcomeIn(address)} />
    <${Deliveries} id=${id} deliveries=${deliveries} />
  </div>`;
}

function State({ rule: { on, paused, diagnostics } }: { readonly rule: Rule }): VNode {
  const isBroken = diagnostics.some(({ severity }) => severity === 'error');
  const [word, toned]: readonly [string, Toned] = !on
    ? ['off', { tone: 'calm', title: 'It does not run.' }]
    : paused
      ? ['paused', { tone: 'bad', title: 'It announces nothing new.' }]
      : isBroken
        ? ['on, as before', { tone: 'doubt', title: 'Its file has errors. The last version without errors runs.' }]
        : ['on', { tone: 'good', title: 'It runs.' }];
  return html`<${Badge} word=${word} ...${toned} />`;
}

function About({ rule: found, canAct }: { readonly rule: Rule; readonly canAct: boolean }): VNode {
  const { id, about, file, on, schedule, nextRunAt, paused, plannedPauses = [], diagnostics } = found;
  return html`<section class="panel padded" aria-label="About the rule">
    ${about !== undefined && html`<p dir="auto">${about}</p>`}
    <p class="meta">
      ${schedule !== undefined && html`<span>${schedule}</span>`}
      ${on && nextRunAt !== undefined && html`<span>next <${TimeSince} at=${nextRunAt} /></span>`}
      <span><code>${file}</code></span>
    </p>
    ${
      paused &&
      html`<p class="obstacle">
        ${paused.by === undefined ? 'Paused automatically, because it announced too often: ' : html`<span><bdi>${paused.by}</bdi> paused it: </span>`}
        <${Instant} at=${paused.at} />${paused.until !== undefined && html`<span>, until <${Instant} at=${paused.until} /></span>`}
      </p>`
    }
    ${plannedPauses.map(
      ({ by, from, until }) =>
        html`<p key=${`pause ${from}`} class="meta">
          <span>
            <bdi>${by}</bdi> planned a pause from
            <${Instant} at=${from} /> ${until === undefined ? 'until a person resumes the rule' : html`until <${Instant} at=${until} />`}
          </span>
        </p>`,
    )}
    ${diagnostics.map(
      ({ severity, line, column, message, hint }) =>
        html`<p key=${`${line}:${column} ${message}`} class="obstacle" dir="auto">
          ${severity}: <code>${file}:${line}:${column}</code> ${message} ${hint}
        </p>`,
    )}
    ${canAct && on && html`<${Actions} id=${id} isPaused=${paused !== undefined} isPlanned=${plannedPauses.length > 0} />`}
  </section>`;
}

interface ActionsProps {
  readonly id: string;
  readonly isPaused: boolean;
  /** Whether a pause is planned. */
  readonly isPlanned: boolean;
}

function Actions({ id, isPaused, isPlanned }: ActionsProps): VNode {
  const of = html`<span class="unseen"> ${id}</span>`;
  return html`<p class="actions" data-path="/api/rules/${encodeURIComponent(id)}/" data-name=${id}>
    ${!isPaused && html`<button key="run" data-act="run">Run now${of}</button>`}
    <button key="pause" data-act=${isPaused ? 'resume' : 'pause'}>${isPaused ? 'Resume' : 'Pause'}${of}</button>
    <button key="plan" data-act="pause" data-dialog="plan">Plan a pause<span class="unseen"> of ${id}</span></button>
    ${isPlanned && html`<button key="unplan" data-act="resume" data-planned="true">Cancel planned pauses<span class="unseen"> of ${id}</span></button>`}
  </p>`;
}

interface DecisionsProps {
  readonly id: string;
  readonly decisions: readonly Decision[];
  readonly cursor: string | undefined;
  readonly outcome: Decision['outcome'] | undefined;
}

function Decisions({ id, decisions, cursor, outcome }: DecisionsProps): VNode {
  const here = addressOfRule(id);
  return html`<section class="panel padded" aria-labelledby="decisions">
    <h2 id="decisions">Decisions</h2>
    <form class="filters" action=${here} role="search">
      <label>
        Outcome
        <select name="outcome">
          <option value="">any</option>
          ${Object.keys(OUTCOMES).map((name) => html`<option key=${name} value=${name} selected=${name === outcome}>${name}</option>`)}
        </select>
      </label>
      <p class="submit"><button>Filter</button></p>
    </form>
    ${decisions.length === 0 && html`<p class="muted">No decisions${outcome === undefined ? ' yet' : ' with this outcome'}.</p>`}
    <ol class="history">
      ${decisions.map(
        ({ at, item, outcome: word, message }) =>
          html`<li key=${`${at} ${item ?? ''} ${word}`}>
            <span class="when"><${Instant} at=${at} /></span>
            <${Badge} word=${word} ...${OUTCOMES[word]} />
            <p dir="auto">
              ${message}${' '} ${item !== undefined && html`<a href=${addressOfItem(item)}>why?<span class="unseen"> ${item}</span></a>`}
            </p>
          </li>`,
      )}
    </ol>
    ${cursor !== undefined && html`<p><a href=${addressWith(here, { outcome, cursor })} rel="next">Older decisions</a></p>`}
  </section>`;
}

function Deliveries({ id, deliveries }: { readonly id: string; readonly deliveries: readonly Delivery[] }): VNode {
  return html`<section class="panel padded" aria-labelledby="deliveries">
    <h2 id="deliveries"><a href=${addressWith(VIEW_PATHS.deliveries, { rule: id })}>Deliveries</a></h2>
    ${deliveries.length === 0 && html`<p class="muted">No deliveries yet.</p>`}
    <ol class="history">
      ${deliveries.map(
        ({ id: key, state, do: verb, account, text, sentAt, createdAt }) =>
          html`<li key=${key}>
            <span class="when"><${Instant} at=${sentAt ?? createdAt} /></span>
            <${Badge} word=${state} ...${STATES[state]} />
            <p dir="auto">
              <a href=${addressOfDelivery(key)}><code>${verb}</code> → <bdi>${account}</bdi></a> ${text}
            </p>
          </li>`,
      )}
    </ol>
  </section>`;
}
