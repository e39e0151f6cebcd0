import type { Episode } from '../../client/records.ts';
import { addressOfItem, addressOfRule, addressWith } from '../addresses.ts';
import { lastInstantOf, partsOf, type EpisodePart } from '../episode-parts.ts';
import { html } from '../html.ts';
import { useLanguage, useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { useReasons } from '../reasons.ts';
import { EPISODE_TEXTS } from '../texts/episodes.ts';
import { Badge } from './badge.ts';
import { MessageText } from './message-text.ts';
import { Instant } from './time.ts';

const WIDTH = 1000;
const ROW = 12;
const LEAST_WIDTH = 4;
const KINDS = ['waiting', 'open', 'suppressed', 'grace'] as const;

/** The top and the height of a part in its row: the parts differ by their form, not by their colour alone. */
const FORMS: Readonly<Record<EpisodePart['kind'], readonly [top: number, height: number]>> = {
  waiting: [5, 2],
  open: [1, 10],
  suppressed: [1.5, 9],
  grace: [4, 4],
};

interface EpisodesProps {
  readonly id: string;
  readonly episodes: readonly Episode[];
  /** The start of the next page. */
  readonly cursor: string | undefined;
  /** Whether it is not the first page. */
  readonly isLater: boolean;
}

/** The episodes of a rule: bars over time, and the same as a list. */
export function RuleEpisodes({ id, episodes, cursor, isLater }: EpisodesProps): VNode {
  const t = useTexts(EPISODE_TEXTS);
  const here = addressOfRule(id);
  const untilMs = lastInstantOf(episodes);
  return html`<section class="panel padded" aria-labelledby="episodes">
    <h2 id="episodes">${t.title}</h2>
    ${episodes.length === 0 ? html`<p class="muted">${t.none}</p>` : html`<${Chart} episodes=${episodes} untilMs=${untilMs} />`}
    <ol class="history">
      ${episodes.map((episode) => html`<${Row} key=${episode.id} episode=${episode} untilMs=${untilMs} />`)}
    </ol>
    <nav class="pager" aria-label=${t.title}>
      ${isLater ? html`<a href=${`${here}#episodes`}>${t.newest}</a>` : html`<span></span>`}
      ${cursor === undefined ? html`<span></span>` : html`<a href=${`${addressWith(here, { episodes: cursor })}#episodes`} rel="next">${t.older}</a>`}
    </nav>
  </section>`;
}

interface RowProps {
  readonly episode: Episode;
  /** The last known instant, in milliseconds since 1970. */
  readonly untilMs: number;
}

function Row({ episode, untilMs }: RowProps): VNode {
  const t = useTexts(EPISODE_TEXTS);
  const duration = useDuration();
  const reasons = useReasons();
  const { key, name, firstSeenAt, closedAt, phase, suppression } = episode;
  const [{ word, title }, tone] = standingOf(episode, t);
  const spans = partsOf(episode, untilMs).filter(({ fromMs, toMs }) => toMs > fromMs);
  return html`<li>
    <span class="when"><${Instant} at=${firstSeenAt} /></span>
    <${Badge} word=${word} tone=${tone} title=${title} />
    <div>
      <p>
        <a href=${addressOfItem(key)}><bdi>${name}</bdi></a>
        ${' '}${t.phases[phase]}${closedAt !== undefined && html`: <${Instant} at=${closedAt} />`}
      </p>
      <${MessageText} message=${suppression && reasons.suppressed(suppression, closedAt !== undefined)} />
      <p class="meta">
        ${spans.map(({ kind, fromMs, toMs }) => html`<span key=${kind}>${t.spans[kind === 'suppressed' ? 'open' : kind]} ${duration(toMs - fromMs)}</span>`)}
      </p>
    </div>
  </li>`;
}

function standingOf({ phase, announced, suppression }: Episode, t: (typeof EPISODE_TEXTS)['en']) {
  if (announced) return [t.announced, 'good'] as const;
  if (phase === 'pending') return [t.waiting, 'busy'] as const;
  return suppression ? ([t.suppressed, 'doubt'] as const) : ([t.unannounced, 'calm'] as const);
}

/** Formats durations with their two largest units. */
function useDuration(): (ms: number) => string {
  const locale = useLanguage();
  const format = (value: number, unit: string): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: 0 }).format(value);
  return (ms) => {
    const seconds = Math.round(ms / 1000);
    const parts = [
      ['day', Math.floor(seconds / 86_400)],
      ['hour', Math.floor(seconds / 3600) % 24],
      ['minute', Math.floor(seconds / 60) % 60],
      ['second', seconds % 60],
    ] as const;
    const first = parts.findIndex(([, value]) => value > 0);
    const shown = first === -1 ? parts.slice(-1) : parts.slice(first, first + 2).filter(([, value]) => value > 0);
    return shown.map(([unit, value]) => format(value, unit)).join(' ');
  };
}

/** The list has the same, so screen readers skip the bars. Sizes are in attributes, because the page forbids inline styles. */
function Chart({ episodes, untilMs }: { readonly episodes: readonly Episode[]; readonly untilMs: number }): VNode {
  const t = useTexts(EPISODE_TEXTS);
  const fromMs = Math.min(...episodes.map(({ firstSeenAt }) => Date.parse(firstSeenAt)));
  const lengthMs = Math.max(1, untilMs - fromMs);
  const at = (ms: number) => Math.round(((ms - fromMs) / lengthMs) * (WIDTH - LEAST_WIDTH));
  const height = episodes.length * ROW;
  return html`<div>
    <svg class="episodes" viewBox="0 0 ${WIDTH} ${height}" preserveAspectRatio="none" height=${height} aria-hidden="true">
      ${episodes.map((episode, row) =>
        partsOf(episode, untilMs).map(({ kind, fromMs: begin, toMs: end }) => {
          const [top, size] = FORMS[kind];
          return html`<rect
            key=${`${episode.id} ${kind}`}
            class=${kind}
            x=${at(begin)}
            y=${row * ROW + top}
            width=${Math.max(LEAST_WIDTH, at(end) - at(begin))}
            height=${size}
            vector-effect="non-scaling-stroke"
          >
            <title>${`${episode.name}: ${t.parts[kind]}`}</title>
          </rect>`;
        }),
      )}
    </svg>
    <p class="episode-times"><${Instant} at=${new Date(fromMs).toISOString()} /><${Instant} at=${new Date(untilMs).toISOString()} /></p>
    <ul class="episode-legend" aria-hidden="true">
      ${KINDS.map((kind) => {
        const [top, size] = FORMS[kind];
        return html`<li key=${kind}>
          <svg class="episodes" viewBox="0 0 24 12" width="24" height="12">
            <rect class=${kind} x="1" y=${top} width="22" height=${size} />
          </svg>
          ${t.parts[kind]}
        </li>`;
      })}
    </ul>
  </div>`;
}
