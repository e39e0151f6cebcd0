import type { DecisionView, PauseView, RuleView } from '#src/admin/queries/records.ts';
import { isFailing } from '#src/admin/queries/rule-view.ts';
import { html } from 'hono/html';
import { limitText } from '#src/rules/messages/format-suppression.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { badge, type Html, instant } from '../inline/elements.ts';
import { OUTCOMES } from '../inline/tones.ts';
import { empty } from '../panel.ts';
import { actionButtons, instead, ruleTarget } from './actions.ts';

/** The rules with their last decision, in the given order. */
export function ruleCards(rules: readonly RuleView[], { canAct }: { readonly canAct: boolean }): Html {
  if (rules.length === 0) {
    return empty('No rules yet.', 'Put a YAML file into the rules folder. Fanfare loads it as soon as you save it.');
  }
  return html`<ul class="rules">
    ${rules.map((rule) => card(rule, canAct))}
  </ul>`;
}

function isOut({ on, diagnostics }: RuleView): boolean {
  return !on && diagnostics.some(({ severity }) => severity === 'error');
}

function isPaused({ on, paused }: RuleView): boolean {
  return on && paused !== undefined;
}

function card(rule: RuleView, canAct: boolean): Html {
  return html`<li class="rule" data-key="${rule.file}:${rule.id}">
    <div class="rule-head">
      <h3>${name(rule)}</h3>
      ${state(rule)}
    </div>
    ${rule.about ? html`<p class="about" dir="auto">${rule.about}</p>` : ''} ${rule.on ? html`<p class="meta">${runs(rule)}</p>` : ''}
    ${rule.on && rule.paused ? pause(rule.id, rule.paused, canAct) : ''} ${rule.on ? plans(rule) : ''}
    ${rule.lastDecision ? decision(rule.lastDecision, rule.lastUndelivered) : ''} ${missingText(rule)} ${problemList(rule.diagnostics)}
    ${canAct && rule.on ? actionButtons(ruleTarget(rule.id), rule.paused ? ['resume'] : ['run', 'pause']) : ''}
  </li>`;
}

/** The id, as a link to the view of the rule. A file with errors has none. */
function name({ id, schedule }: RuleView): Html {
  return schedule === undefined ? html`<bdi>${id}</bdi>` : html`<a href="/rules/${encodeURIComponent(id)}"><bdi>${id}</bdi></a>`;
}

function plans({ plannedPauses = [] }: RuleView): readonly Html[] {
  return plannedPauses.map(
    ({ by, from, until }) =>
      html`<p class="hint">
        <bdi>${by}</bdi> planned a pause: it begins ${instant(from)}${until ? html` and ends ${instant(until)}` : ''}.
      </p>`,
  );
}

function pause(id: string, { at, by, fuse, until }: PauseView, canAct: boolean): Html {
  const why =
    by === undefined
      ? html`Paused automatically ${instant(at)}: ${limitText({ limit: fuse?.firings, perMs: fuse?.perMs })}`
      : html`<bdi>${by}</bdi> paused it ${instant(at)}${until ? html`, and it resumes ${instant(until)}` : ''}`;
  return html`<p class="hint">${why}. ${instead(html`To resume it: <code>fanfare resume ${id}</code>`, canAct)}</p>`;
}

function runs({ schedule, nextRunAt }: RuleView): readonly (Html | string)[] {
  return [schedule ? html`<span>${schedule}</span>` : '', nextRunAt ? html`<span>next ${instant(nextRunAt)}</span>` : ''];
}

function state(rule: RuleView): Html {
  const broken = rule.diagnostics.some(({ severity }) => severity === 'error');
  if (isOut(rule)) return badge('out', { tone: 'bad', title: 'It has errors and does not run.' });
  if (isPaused(rule)) return badge('paused', { tone: 'bad', title: 'It announces nothing new.' });
  if (broken) return badge('on, as before', { tone: 'doubt', title: 'Its file has errors. The last version without errors runs.' });
  if (isFailing(rule)) return badge('on, failing', { tone: 'doubt', title: 'It runs, but it cannot send everything.' });
  if (rule.on) return badge('on', { tone: 'good', title: 'It runs.' });
  const title = rule.enabled === 'sandbox' ? 'It runs only in the sandbox.' : 'It is switched off in its file.';
  return badge('off', { tone: 'calm', title });
}

function missingText({ undelivered }: RuleView): Html | string {
  if (!undelivered || undelivered.failed + undelivered.unknown === 0) return '';
  const { failed, unknown } = undelivered;
  const texts = [failed > 0 ? `${failed} failed in the last 24 hours` : '', unknown > 0 ? `${unknown} unknown` : ''];
  return html`<p class="error">Deliveries: ${texts.filter((text) => text !== '').join(', ')}.</p>`;
}

function decision({ outcome, message, at }: DecisionView, undelivered = 0): Html {
  const isMissing = outcome === 'fired' && undelivered > 0;
  const title = `${undelivered} of its deliveries failed or are unknown.`;
  const shown = isMissing ? badge('not sent', { tone: 'bad', title }) : badge(outcome, OUTCOMES[outcome]);
  return html`<p class="decision" dir="auto" title="${message}" tabindex="0">
    <span class="reason">${shown} ${message}</span> <span class="muted when">${instant(at)}</span>
  </p>`;
}

function problemList(problems: readonly Diagnostic[]): Html | string {
  if (problems.length === 0) return '';
  return html`<ul class="problems">
    ${problems.map(problem)}
  </ul>`;
}

function problem({ severity, file, line, column, message, hint, excerpt }: Diagnostic): Html {
  return html`<li class="problem ${severity}">
    <p><span class="unseen">${severity}: </span><code class="place">${file}:${line}:${column}</code> ${message}</p>
    ${excerpt.trim() === '' ? '' : html`<pre><code>${excerpt.trim()}</code></pre>`} ${hint ? html`<p class="hint">${hint}</p>` : ''}
  </li>`;
}
