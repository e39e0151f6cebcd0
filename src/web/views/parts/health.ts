import type { Status } from '../../client/records.ts';
import { addressWith } from '../addresses.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { useNumbers } from '../numbers.ts';
import { VIEW_PATHS } from '../paths.ts';
import type { VNode } from '../preact.mjs';
import { OVERVIEW_TEXTS } from '../texts/overview.ts';
import { Fact } from './fact.ts';
import { Instant, TimeSince } from './time.ts';

const MEGABYTE = 1_000_000;

interface HealthProps {
  readonly status: Status;
}

/** The numbers of rules and deliveries, the delays, the accounts with their budgets, and the process. */
export function Health({ status }: HealthProps): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  const { count, span, usd, percent } = useNumbers();
  const { rules, deliveries, delays, process } = status;
  return html`<section class="panel padded" aria-labelledby="health">
    <h2 id="health">${t.health}</h2>
    ${!deliveries && html`<p class="obstacle">${t.noDatabase}</p>`}
    <dl class="facts">
      <${Fact} name=${t.rules} text=${html`<${Rules} rules=${rules} />`} />
      ${deliveries && html`<${Fact} name=${t.deliveries} text=${html`<${Deliveries} deliveries=${deliveries} />`} />`}
      ${deliveries && html`<${Fact} name=${t.delay} text=${delays ? t.delays(span(delays.medianMs), span(delays.longestMs), delays.count) : t.noDelay} />`}
      <${Fact} name=${t.accounts} text=${html`<${Accounts} accounts=${status.accounts} />`} />
      ${budgetFacts(status, { t, usd, percent })}
      <${Fact}
        name=${t.process}
        text=${html`<p class="meta">
          <span>Fanfare ${process.version}</span><span>${t.started} <${TimeSince} at=${process.startedAt} /></span
          ><span>${t.memory(count(Math.round(process.memoryBytes / MEGABYTE)))}</span>
        </p>`}
      />
    </dl>
  </section>`;
}

function Rules({ rules: { on, paused, broken, version } }: Pick<Status, 'rules'>): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  return html`<div>
    <p><a href=${VIEW_PATHS.rules}>${t.rulesOn(useNumbers().count(on), paused, broken)}</a></p>
    ${
      version &&
      html`<p class="meta">
        <span>${t.version(version.number)} <bdi>${version.by}</bdi>, <${Instant} at=${version.publishedAt} /></span>
        ${version.repeats !== undefined && html`<span>${t.repeats(version.repeats)}</span>`}
        ${version.note !== undefined && html`<span dir="auto">${version.note}</span>`}
      </p>`
    }
  </div>`;
}

function Deliveries({
  deliveries: { open, sent, failed, lastFailedAt, unknown },
}: {
  readonly deliveries: NonNullable<Status['deliveries']>;
}): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  const { count } = useNumbers();
  const link = (state: string, text: string | VNode): VNode => html`<a href=${addressWith(VIEW_PATHS.deliveries, { state })}>${text}</a>`;
  return html`<p class="meta">
    <span>${t.waiting(count(open))}</span>${link('sent', t.sent(count(sent)))} ${failed > 0 && link('failed', t.failed(count(failed)))}
    ${failed === 0 && lastFailedAt !== undefined && link('failed', html`${t.lastFailed} <${TimeSince} at=${lastFailedAt} />`)}
    ${unknown > 0 && link('unknown', t.unknown(count(unknown)))}
  </p>`;
}

function Accounts({ accounts }: Pick<Status, 'accounts'>): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  return html`<ul class="accounts">
    ${accounts.map(
      ({ account, platform, state }) =>
        html`<li key=${account} class="account ${state}">
          <bdi>${account}</bdi>${account !== platform && html`<span class="muted"> ${t.on(platform)}</span>`}
          <span class=${state === 'connected' ? 'unseen' : undefined}>: ${t.states[state]}</span>
        </li>`,
    )}
  </ul>`;
}

/** Budgets of money, and rate limits of which less than half is left. A list of facts has no other elements between its rows. */
function budgetFacts(
  { budgets = [], rateLimits }: Status,
  { t, usd, percent }: { readonly t: (typeof OVERVIEW_TEXTS)['en'] } & Pick<ReturnType<typeof useNumbers>, 'usd' | 'percent'>,
): readonly VNode[] {
  const low = rateLimits.filter(({ leftRatio }) => leftRatio < 0.5);
  return [
    ...budgets.map(
      ({ account, spentUsd, monthUsd }) =>
        html`<${Fact}
          key=${`budget ${account}`}
          name=${t.budget(account)}
          text=${html`<p>
            ${monthUsd !== undefined && html`<meter aria-label=${t.budget(account)} max=${monthUsd} high=${monthUsd * 0.8} value=${spentUsd}></meter>`}
            ${' '}${monthUsd === undefined ? t.spentOnly(usd(spentUsd)) : t.spent(usd(spentUsd), usd(monthUsd))}
          </p>`}
        />`,
    ),
    ...low.map(
      ({ account, leftRatio }) =>
        html`<${Fact}
          key=${`limit ${account}`}
          name=${t.limit(account)}
          text=${html`<p><meter aria-label=${t.limit(account)} low="0.2" value=${leftRatio}></meter> ${t.limitLeft(percent(leftRatio))}</p>`}
        />`,
    ),
  ];
}
