import type { UsageDay } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { useNumbers } from '../numbers.ts';
import type { VNode } from '../preact.mjs';
import { ACCOUNTS_TEXTS } from '../texts/accounts.ts';
import { Sparkline } from './sparkline.ts';
import { Day } from './time.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;

interface UsageProps {
  readonly account: string;
  /** Oldest first. */
  readonly days: readonly UsageDay[];
}

/** The spending and the rate limits of an account on the last days: bars, and the same as a list. */
export function AccountUsage({ account, days }: UsageProps): VNode | undefined {
  const t = useTexts(ACCOUNTS_TEXTS);
  const { usd, percent } = useNumbers();
  const known = days.filter(({ spentUsd, leastLeftRatio }) => spentUsd !== undefined || leastLeftRatio !== undefined);
  if (known.length === 0) return undefined;
  const spent = known.flatMap(({ spentUsd }) => spentUsd ?? []);
  const left = known.flatMap(({ leastLeftRatio }) => leastLeftRatio ?? []);
  const mostUsd = Math.max(...spent);
  return html`<details class="usage">
    <summary>${t.usage}<span class="unseen"> ${t.of(account)}</span></summary>
    ${
      spent.length > 0 &&
      html`<${Bars} days=${known} valueOf=${({ spentUsd }: UsageDay) => spentUsd && spentUsd / mostUsd} text=${t.spending(usd(mostUsd))} />`
    }
    ${left.length > 0 && html`<${Bars} days=${known} valueOf=${({ leastLeftRatio }: UsageDay) => leastLeftRatio} text=${t.leastLeft(percent(Math.min(...left)))} />`}
    <ul class="usage-days">
      ${known.toReversed().map(
        ({ day, spentUsd, leastLeftRatio }) =>
          html`<li key=${day}>
            <${Day} day=${day} />
            ${spentUsd !== undefined && html`<span>${t.daySpent(usd(spentUsd))}</span>`}
            ${leastLeftRatio !== undefined && html`<span>${t.dayLeft(percent(leastLeftRatio))}</span>`}
          </li>`,
      )}
    </ul>
  </details>`;
}

interface BarsProps {
  readonly days: readonly UsageDay[];
  /** From 0 to 1; undefined: unknown. */
  readonly valueOf: (day: UsageDay) => number | undefined;
  /** What the bars show. */
  readonly text: string;
}

/** A bar for each of the 30 days up to the last one. A day without a value keeps its place. */
function Bars({ days, valueOf, text }: BarsProps): VNode {
  const values = new Map(days.map((one) => [one.day, valueOf(one)]));
  const last = Date.parse(days.at(-1)?.day ?? '');
  const dayAt = (index: number): string => new Date(last - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
  const counts = Array.from({ length: DAYS }, (_, index) => values.get(dayAt(index)));
  return html`<div class="usage-bars">
    <p class="muted">${text}</p>
    <${Sparkline} counts=${counts} text=${text} />
  </div>`;
}
