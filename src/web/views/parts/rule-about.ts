import type { Rule } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { RULE_TEXTS } from '../texts/rule.ts';
import { Instant, TimeSince } from './time.ts';

/** The state of a rule with its pauses, its problems and its buttons. */
export function RuleAbout({ rule: found, canAct }: { readonly rule: Rule; readonly canAct: boolean }): VNode {
  const t = useTexts(RULE_TEXTS);
  const { id, about, file, on, schedule, nextRunAt, paused, plannedPauses = [], diagnostics } = found;
  return html`<section class="panel padded" aria-label=${t.about}>
    ${about !== undefined && html`<p dir="auto">${about}</p>`}
    <p class="meta">
      ${schedule !== undefined && html`<span>${schedule}</span>`}
      ${on && nextRunAt !== undefined && html`<span>${t.next} <${TimeSince} at=${nextRunAt} /></span>`}
      <span><code>${file}</code></span>
    </p>
    ${
      paused &&
      html`<p class="obstacle">
        ${paused.by === undefined ? `${t.pausedAutomatically} ` : html`<span><bdi>${paused.by}</bdi> ${t.pausedIt} </span>`}
        <${Instant} at=${paused.at} />${paused.until !== undefined && html`<span>, ${t.until} <${Instant} at=${paused.until} /></span>`}
      </p>`
    }
    ${plannedPauses.map(
      ({ by, from, until }) =>
        html`<p key=${`pause ${from}`} class="meta">
          <span>
            <bdi>${by}</bdi> ${t.plannedPause}${' '}
            <${Instant} at=${from} /> ${until === undefined ? t.untilResumed : html`${t.until} <${Instant} at=${until} />`}
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
  const t = useTexts(RULE_TEXTS);
  const of = html`<span class="unseen"> ${id}</span>`;
  return html`<p class="actions" data-path="/api/rules/${encodeURIComponent(id)}/" data-name=${id}>
    ${!isPaused && html`<button key="run" data-act="run">${t.run}${of}</button>`}
    <button key="pause" data-act=${isPaused ? 'resume' : 'pause'}>${isPaused ? t.resume : t.pause}${of}</button>
    <button key="plan" data-act="pause" data-dialog="plan">${t.plan}<span class="unseen"> ${t.of} ${id}</span></button>
    ${isPlanned && html`<button key="unplan" data-act="resume" data-planned="true">${t.unplan}<span class="unseen"> ${t.of} ${id}</span></button>`}
  </p>`;
}
