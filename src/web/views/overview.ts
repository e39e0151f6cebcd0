import type { Delivery, Status } from '../client/records.ts';
import { html } from './html.ts';
import { useTexts } from './language.ts';
import { listedDelivery } from './listed-delivery.ts';
import { Attention } from './parts/attention.ts';
import { FirstSteps } from './parts/first-steps.ts';
import { Health } from './parts/health.ts';
import { LiveStreams } from './parts/live-streams.ts';
import { NextRuns } from './parts/next-runs.ts';
import { VIEW_PATHS } from './paths.ts';
import type { VNode } from './preact.mjs';
import { useReasons } from './reasons.ts';
import { OVERVIEW_TEXTS } from './texts/overview.ts';
import type { BodyProps, View } from './view.ts';

const SHOWN = 10;
/** As in the numbers of the status. */
const FAILED_SHOWN_MS = 24 * 3_600_000;
/** A delivery can fail a day after its decision, after its retries. */
const SEARCHED_BEFORE_MS = 25 * 3_600_000;
const SEARCHED = 100;

interface OverviewData {
  readonly status: Status;
  readonly unknown: readonly Delivery[];
  /** The failed deliveries of the last 24 hours. */
  readonly failed: readonly Delivery[];
}

/** The work for people, the live streams, the next runs, and the health of the installation. */
export const overview: View<OverviewData> = {
  path: VIEW_PATHS.overview,
  title: (_, language) => OVERVIEW_TEXTS[language].title,
  refreshOn: ['delivery', 'decision', 'rules', 'accounts'],
  worksWithoutDatabase: true,
  async load(client) {
    const status = await client.call('getStatus', {});
    const { deliveries = { unknown: 0, failed: 0 } } = status;
    const sinceMs = Date.parse(status.at) - FAILED_SHOWN_MS;
    const since = new Date(sinceMs - SEARCHED_BEFORE_MS).toISOString();
    const [unknown, failed] = await Promise.all([
      deliveries.unknown === 0 ? undefined : client.call('listDeliveries', { state: 'unknown', limit: SHOWN }),
      deliveries.failed === 0 ? undefined : client.call('listDeliveries', { state: 'failed', since, limit: SEARCHED }),
    ]);
    const recent = (failed?.items ?? []).filter(({ createdAt, settledAt = createdAt }) => Date.parse(settledAt) >= sinceMs);
    return { status, unknown: (unknown?.items ?? []).map(listedDelivery), failed: recent.slice(0, SHOWN).map(listedDelivery) };
  },
  Body,
};

function Body({ data: { status, unknown, failed }, reader }: BodyProps<OverviewData>): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  return html`<div class="view overview">
    <h1>${t.title}</h1>
    <${State} status=${status} />
    <${WhySearch} />
    <${FirstSteps} status=${status} />
    <${Attention} status=${status} unknown=${unknown} failed=${failed} reader=${reader} />
    <${LiveStreams} streams=${status.live} />
    <div class="columns">
      ${status.nextRuns && html`<${NextRuns} runs=${status.nextRuns} />`}
      <${Health} status=${status} />
    </div>
  </div>`;
}

function State({ status: { readiness, accounts } }: { readonly status: Status }): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  const { ready } = readiness;
  const obstacle = useReasons().readiness(readiness);
  return html`<p class="state-line">
    <span class="readiness ${ready ? (obstacle ? 'doubt' : 'good') : 'bad'}" dir="auto"
      >${ready ? t.running : t.notReady}${obstacle && html`: <span lang=${obstacle.lang}>${obstacle.text}</span>`}</span
    >
    ${accounts.some(({ sandbox }) => sandbox) && html`<span class="sandbox">${t.sandbox}</span>`}
  </p>`;
}

/** The search for the history of a name. */
function WhySearch(): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  return html`<form class="search" action=${VIEW_PATHS.why} role="search">
    <input type="search" name="q" placeholder=${t.whyHint} aria-label=${t.why} maxlength="500" required />
    <button>${t.search}</button>
  </form>`;
}
