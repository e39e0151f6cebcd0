import type { VNode } from '../preact.mjs';
import type { ItemExplanation } from '../../client/records.ts';
import type { Toned } from '../../page/inline/tones.ts';
import { addressOfRule } from '../addresses.ts';
import { html } from '../html.ts';
import type { Entry } from '../item-history.ts';
import { Badge } from './badge.ts';
import { PlatformLink } from './platform-link.ts';
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
  const id = rule?.id ?? gone?.id ?? '';
  return html`<section class="panel padded" aria-label="Rule ${id}">
    <div class="rule-head">
      <h2>
        <a href=${addressOfRule(id)}><bdi>${id}</bdi></a>
      </h2>
      ${rule ? stateOf(rule) : html`<${Badge} word="deleted" tone="bad" title="No loaded rule has this id." />`}
    </div>
    ${
      rule &&
      html`<p class="meta">
        <span>${rule.isNamed ? 'names it' : 'has seen it'}</span><span><code>${rule.verb}</code></span
        >${rule.isOpen ? html`<span>an episode is open</span>` : ''}
      </p>`
    }
    ${
      gone &&
      html`<p class="meta">
        <span
          >${gone.goneAt ? html`Deleted or renamed <${TimeSince} at=${gone.goneAt} />` : 'Deleted, renamed, or its file has errors'}</span
        ><span>ran last <${TimeSince} at=${gone.lastRunAt} /></span>
      </p>`
    }
    ${rule && html`<${Obstacle} rule=${rule} />`}
    ${entries.length === 0 && html`<p class="muted">No decisions about <bdi>${name}</bdi> yet.</p>`}
    <${Entries} entries=${entries.slice(0, FIRST)} />
    ${
      entries.length > FIRST &&
      html`<details>
        <summary>${entries.length - FIRST} earlier</summary>
        <${Entries} entries=${entries.slice(FIRST)} />
      </details>`
    }
  </section>`;
}

function stateOf({ on, isPaused }: ItemRule): VNode {
  const [word, toned] = on ? (isPaused ? (['paused', PAUSED] as const) : (['on', ON] as const)) : (['off', OFF] as const);
  return html`<${Badge} word=${word} ...${toned} />`;
}

const ON: Toned = { tone: 'good', title: 'It runs.' };
const OFF: Toned = { tone: 'calm', title: 'It does not run.' };
const PAUSED: Toned = { tone: 'bad', title: 'It announces nothing new.' };

/** The state of the rule that suppresses every announcement of the item now. */
function Obstacle({ rule: { on, isPaused, belowTake } }: { readonly rule: ItemRule }): VNode | undefined {
  if (!on) return html`<p class="obstacle">The rule is off, so it announces nothing.</p>`;
  if (isPaused) return html`<p class="obstacle">The rule is paused, so it announces nothing new.</p>`;
  if (!belowTake) return undefined;
  const { place, take, at } = belowTake;
  return html`<p class="obstacle">
    It was #${place} of the list <${TimeSince} at=${at} />, and the rule counts the first ${take} (<code>take</code>).
  </p>`;
}

function Entries({ entries }: { readonly entries: readonly Entry[] }): VNode {
  return html`<ol class="history">
    ${entries.map(
      ({ key, at, word, tone, title, text, url, times }) =>
        html`<li key=${key}>
          <span class="when"><${Instant} at=${at} /></span>
          <${Badge} word=${word} tone=${tone} title=${title} />
          <p dir="auto">
            ${text}${times > 1 ? html` <span class="muted">${times} times</span>` : ''}${' '}
            <${PlatformLink} url=${url} text="open" of="it on the platform" />
          </p>
        </li>`,
    )}
  </ol>`;
}
