import type { Rule } from '../../client/records.ts';
import { diagnosticText } from '../diagnostic-text.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { useReasons } from '../reasons.ts';
import { RESULT_TEXTS } from '../texts/results.ts';
import { RULE_TEXTS } from '../texts/rule.ts';
import { ActionForm } from './action-form.ts';
import { Instant, presentMinute, TimeSince } from './time.ts';

/** The state of a rule with its pauses, its problems and its buttons. */
export function RuleAbout({ rule: found, canAct }: { readonly rule: Rule; readonly canAct: boolean }): VNode {
  const t = useTexts(RULE_TEXTS);
  const { id, about, file, enabled, on, nextRunAt, paused, plannedPauses = [], diagnostics } = found;
  const schedule = useReasons().schedule(found);
  return html`<section class="panel padded" aria-label=${t.about}>
    ${about !== undefined && html`<p dir="auto">${about}</p>`}
    <p class="meta">
      ${schedule && html`<span lang=${schedule.lang}>${schedule.text}</span>`}
      ${on && nextRunAt !== undefined && html`<span>${t.next} <${TimeSince} at=${nextRunAt} /></span>`}
      <span><code>${file}</code></span>
    </p>
    ${
      !on &&
      enabled !== true &&
      html`<p class="muted">${t.fileSays} <code>enabled: ${String(enabled)}</code>. ${t.toRun} <code>enabled: true</code></p>`
    }
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
          ${t.severities[severity]}: <code>${file}:${line}:${column}</code> <span lang="en">${diagnosticText({ message, hint })}</span>
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
  const results = useTexts(RESULT_TEXTS);
  const of = html`<span class="unseen"> ${id}</span>`;
  const input = { rule: id };
  return html`<div class="actions">
    <${ActionForm} key="run" operation="runRule" input=${input} done=${results.wasRun(id)} isOff=${isPaused}>
      <button aria-disabled=${isPaused}>${t.run}${of}</button>
    <//>
    <${ActionForm} key="pause" operation="pauseRule" input=${input} done=${results.paused(id)} isOff=${isPaused}>
      <button aria-disabled=${isPaused}>${t.pause}${of}</button>
    <//>
    <${ActionForm} key="resume" operation="resumeRule" input=${input} done=${results.resumed(id)} isOff=${!isPaused}>
      <button aria-disabled=${!isPaused}>${t.resume}${of}</button>
    <//>
    ${
      isPlanned &&
      html`<${ActionForm} key="unplan" operation="resumeRule" input=${{ ...input, planned: true }} done=${results.unplanned(id)}>
        <button>${t.unplan}<span class="unseen"> ${t.of} ${id}</span></button>
      <//>`
    }
    <${PlanPause} key="plan" id=${id} />
  </div>`;
}

function PlanPause({ id }: { readonly id: string }): VNode {
  const t = useTexts(RULE_TEXTS);
  const results = useTexts(RESULT_TEXTS);
  return html`<details class="scripted closes">
    <summary>${t.plan}<span class="unseen"> ${t.of} ${id}</span></summary>
    <${ActionForm} operation="pauseRule" input=${{ rule: id }} done=${results.planned(id)} class="filters plain-form">
      <label>${t.pauseFrom} <input type="datetime-local" min=${presentMinute()} max="9999-12-31T23:59" name="from" required /></label>
      <label>${t.pauseUntil} <input type="datetime-local" max="9999-12-31T23:59" name="until" /></label>
      <p class="submit"><button>${t.submitPlan}</button></p>
    <//>
    <p class="muted">${t.planAbout}</p>
  </details>`;
}
