import type { VNode } from '../preact.mjs';
import type { ItemExplanation } from '../../client/records.ts';
import { addressOfRule } from '../addresses.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { WHY_TEXTS } from '../texts/why.ts';
import type { Entry } from '../item-history.ts';
import type { RuleState } from '../rule-state.ts';
import { Badge } from './badge.ts';
import { PlatformLink } from './platform-link.ts';
import { RuleStateBadge } from './rule-state-badge.ts';
import { Instant, TimeSince } from './time.ts';

type ItemRule = ItemExplanation['rules'][number];
type GoneRule = ItemExplanation['gone'][number];

/** The entries that are visible without a click. */
const FIRST = 12;

interface RuleHistoryProps {
  /** The name that was searched. */
  readonly name: string;
  /** A loaded rule; absent for a rule that is gone. */
  readonly rule?: ItemRule | undefined;
  readonly gone?: GoneRule | undefined;
  readonly entries: readonly Entry[];
}

/** What one rule knows about an item, newest first. */
export function RuleHistory({ name, rule, gone, entries }: RuleHistoryProps): VNode {
  const t = useTexts(WHY_TEXTS);
  const id = rule?.id ?? gone?.id ?? '';
  return html`<section class="panel padded" aria-label=${`${t.rule} ${id}`}>
    <div class="rule-head">
      <h2>
        <a href=${addressOfRule(id)}><bdi>${id}</bdi></a>
      </h2>
      <${RuleStateBadge} state=${stateOf(rule)} />
    </div>
    ${
      rule &&
      html`<p class="meta">
        <span>${rule.isNamed ? t.names : t.hasSeen}</span><span><code>${rule.verb}</code></span
        >${rule.isOpen ? html`<span>${t.isOpen}</span>` : ''}
      </p>`
    }
    ${
      gone &&
      html`<p class="meta">
        <span>${gone.goneAt ? html`${t.gone} <${TimeSince} at=${gone.goneAt} />` : t.goneUnknown}</span
        ><span>${t.ranLast} <${TimeSince} at=${gone.lastRunAt} /></span>
      </p>`
    }
    ${rule && html`<${Obstacle} rule=${rule} />`}
    ${entries.length === 0 && html`<p class="muted">${t.noDecisions} <bdi>${name}</bdi>. ${t.kept}</p>`}
    <${Entries} entries=${entries.slice(0, FIRST)} />
    ${
      entries.length > FIRST &&
      html`<details>
        <summary>${t.earlier(entries.length - FIRST)}</summary>
        <${Entries} entries=${entries.slice(FIRST)} />
      </details>`
    }
  </section>`;
}

function stateOf(rule: ItemRule | undefined): RuleState {
  if (!rule) return 'deleted';
  if (!rule.on) return 'off';
  return rule.isPaused ? 'paused' : 'on';
}

/** The state of the rule that suppresses every announcement of the item now. */
function Obstacle({ rule: { on, isPaused, belowTake } }: { readonly rule: ItemRule }): VNode | undefined {
  const t = useTexts(WHY_TEXTS);
  if (!on) return html`<p class="obstacle">${t.offObstacle}</p>`;
  if (isPaused) return html`<p class="obstacle">${t.pausedObstacle}</p>`;
  if (!belowTake) return undefined;
  const { place, take, at } = belowTake;
  return html`<p class="obstacle">${t.place(place)} <${TimeSince} at=${at} />${t.counts(take)} (<code>take</code>).</p>`;
}

function Entries({ entries }: { readonly entries: readonly Entry[] }): VNode {
  const t = useTexts(WHY_TEXTS);
  return html`<ol class="history">
    ${entries.map(
      ({ key, at, word, tone, title, text, lang, url, times }) =>
        html`<li key=${key}>
          <span class="when"><${Instant} at=${at} /></span>
          <${Badge} word=${word} tone=${tone} title=${title} />
          <p dir="auto">
            <span lang=${lang}>${text}</span>${times > 1 ? html` <span class="muted">${t.times(times)}</span>` : ''}${' '}
            <${PlatformLink} url=${url} text=${t.open} of=${t.onPlatform} />
          </p>
        </li>`,
    )}
  </ol>`;
}
