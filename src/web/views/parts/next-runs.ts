import type { Status } from '../../client/records.ts';
import { addressOfRule } from '../addresses.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { OVERVIEW_TEXTS } from '../texts/overview.ts';
import { TimeSince } from './time.ts';

/** The rules that run next, earliest first. */
export function NextRuns({ runs }: { readonly runs: NonNullable<Status['nextRuns']> }): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  return html`<section class="panel padded" aria-labelledby="next">
    <h2 id="next">${t.next}</h2>
    ${runs.length === 0 && html`<p class="muted">${t.nextNone}</p>`}
    <ol class="next-runs">
      ${runs.map(
        ({ rule, at }) =>
          html`<li key=${rule}>
            <a href=${addressOfRule(rule)}><bdi>${rule}</bdi></a> <span class="muted"><${TimeSince} at=${at} /></span>
          </li>`,
      )}
    </ol>
  </section>`;
}
