import type { RuleDetails } from '../../client/records.ts';
import { addressOfItem } from '../addresses.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { RULE_TEXTS } from '../texts/rule.ts';
import { Badge } from './badge.ts';
import { Instant } from './time.ts';

type Episode = RuleDetails['episodes'][number];

const WIDTH = 1000;
const ROW = 10;
const LEAST_WIDTH = 4;

/** The episodes of a rule: bars over time, and the same as a list. */
export function RuleEpisodes({ episodes }: { readonly episodes: readonly Episode[] }): VNode {
  const t = useTexts(RULE_TEXTS);
  return html`<section class="panel padded" aria-labelledby="episodes">
    <h2 id="episodes">${t.episodes}</h2>
    ${episodes.length === 0 ? html`<p class="muted">${t.noEpisodes}</p>` : html`<${Chart} episodes=${episodes} />`}
    <ol class="history">
      ${episodes.map(
        ({ id, key, name, startedAt, closedAt, phase, announced }) =>
          html`<li key=${id}>
            <span class="when"><${Instant} at=${startedAt} /></span>
            <${Badge} word=${announced ? t.announced : t.notAnnounced} tone=${announced ? 'good' : 'doubt'} title=${t.phases[phase]} />
            <p>
              <a href=${addressOfItem(key)}><bdi>${name}</bdi></a>
              ${' '}${t.phases[phase]}${closedAt !== undefined && html`: <${Instant} at=${closedAt} />`}
            </p>
          </li>`,
      )}
    </ol>
  </section>`;
}

/** The list has the same, so screen readers skip the bars. Sizes are in attributes, because the page forbids inline styles. */
function Chart({ episodes }: { readonly episodes: readonly Episode[] }): VNode {
  const spans = episodes.map(({ startedAt, lastSeenAt, closedAt }) => [Date.parse(startedAt), Date.parse(closedAt ?? lastSeenAt)] as const);
  const fromMs = Math.min(...spans.map(([begin]) => begin));
  const lengthMs = Math.max(1, Math.max(...spans.map(([, end]) => end)) - fromMs);
  const at = (ms: number) => Math.round(((ms - fromMs) / lengthMs) * (WIDTH - LEAST_WIDTH));
  const height = episodes.length * ROW;
  return html`<svg class="episodes" viewBox="0 0 ${WIDTH} ${height}" preserveAspectRatio="none" height=${height} aria-hidden="true">
    ${episodes.map(({ id, phase, announced }, index) => {
      const [begin = fromMs, end = fromMs] = spans[index] ?? [];
      return html`<rect
        key=${id}
        class="${announced ? 'announced' : 'suppressed'} ${phase}"
        x=${at(begin)}
        y=${index * ROW + 1}
        width=${Math.max(LEAST_WIDTH, at(end) - at(begin))}
        height=${ROW - 2}
      />`;
    })}
  </svg>`;
}
