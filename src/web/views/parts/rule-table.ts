import type { Rule } from '../../client/records.ts';
import { addressOfRule } from '../addresses.ts';
import { diagnosticText } from '../diagnostic-text.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { ListedRule } from '../listed-rule.ts';
import type { VNode } from '../preact.mjs';
import { useReasons } from '../reasons.ts';
import { stateOfRule } from '../rule-state.ts';
import { RULES_TEXTS } from '../texts/rules.ts';
import type { Reader } from '../view.ts';
import { OutcomeBadge } from './badge.ts';
import { RuleStateBadge } from './rule-state-badge.ts';
import { Sparkline } from './sparkline.ts';
import { Instant, TimeSince } from './time.ts';

interface RuleTableProps {
  readonly items: readonly ListedRule[];
  readonly reader: Reader;
}

/** The rules as a table. Its roles are stated, because the style of narrow windows makes a list of it. */
export function RuleTable({ items, reader: { canAct } }: RuleTableProps): VNode {
  const t = useTexts(RULES_TEXTS);
  return html`<table class="rule-table" role="table">
    <thead role="rowgroup">
      <tr role="row">
        ${canAct && html`<td class="choose" role="cell"></td>`}
        ${[t.rule, t.state, t.lastDecision, t.nextRun, t.week].map((name) => html`<th key=${name} scope="col" role="columnheader">${name}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${items.map((one) => html`<${Row} key=${`${one.rule.file} ${one.rule.id}`} ...${one} canAct=${canAct} />`)}
    </tbody>
  </table>`;
}

function Row({ rule, moreProblems, canAct }: ListedRule & { readonly canAct: boolean }): VNode {
  const t = useTexts(RULES_TEXTS);
  const { id, about, on, schedule, nextRunAt, undelivered, announcements } = rule;
  const missing = undelivered ? t.undelivered(undelivered.failed, undelivered.unknown) : '';
  return html`<tr role="row">
    ${
      canAct &&
      html`<td class="choose" role="cell">
        ${on && html`<label><input type="checkbox" name="rule" value=${id} autocomplete="off" /><span class="unseen">${t.select} ${id}</span></label>`}
      </td>`
    }
    <th class="name" scope="row" role="rowheader">
      ${schedule === undefined ? html`<bdi>${id}</bdi>` : html`<a href=${addressOfRule(id)}><bdi>${id}</bdi></a>`}
      ${about !== undefined && html`<p class="muted" dir="auto">${about}</p>`}
      <${Problems} rule=${rule} more=${moreProblems} />
    </th>
    <td class="standing" role="cell">
      <${RuleStateBadge} state=${stateOfRule(rule)} />
      <${Paused} rule=${rule} />
      ${missing !== '' && html`<p class="problem-text">${missing}</p>`}
    </td>
    <td class="last" role="cell"><${LastDecision} rule=${rule} /></td>
    <td class="next" role="cell">
      ${on && nextRunAt !== undefined && html`<span class="label">${t.nextRun}</span> <${TimeSince} at=${nextRunAt} />`}
    </td>
    <td class="week" role="cell">${announcements && html`<span class="label">${t.week}: </span><${Week} counts=${announcements} />`}</td>
  </tr>`;
}

function Week({ counts }: { readonly counts: readonly number[] }): VNode {
  const t = useTexts(RULES_TEXTS);
  if (counts.length === 0) return html`<span class="muted">${t.notCounted}</span>`;
  const sum = counts.reduce((total, count) => total + count, 0);
  if (sum === 0) return html`<span class="muted">${t.nothing}</span>`;
  return html`<span class="spark"><${Sparkline} counts=${counts} text=${t.counts(counts)} /> <span aria-hidden="true">${sum}</span></span>`;
}

function Paused({ rule: { on, paused } }: { readonly rule: Rule }): VNode | undefined {
  const t = useTexts(RULES_TEXTS);
  if (!on || !paused) return undefined;
  return html`<p class="muted">
    ${paused.by === undefined ? t.pausedAutomatically : html`${t.pausedBy} <bdi>${paused.by}</bdi>`}
    ${paused.until !== undefined && html`, ${t.pausedUntil} <${Instant} at=${paused.until} />`}
  </p>`;
}

function LastDecision({ rule: { on, schedule, lastDecision, lastUndelivered = 0 } }: { readonly rule: Rule }): VNode | undefined {
  const t = useTexts(RULES_TEXTS);
  if (!lastDecision) return on && schedule !== undefined ? html`<span class="muted">${t.noDecision}</span>` : undefined;
  const { outcome, at } = lastDecision;
  const { text, lang } = useReasons().decided(lastDecision);
  return html`<div class="decided">
    <p>
      <${OutcomeBadge} outcome=${outcome} /> <span class="muted"><${TimeSince} at=${at} /></span>${' '}
      ${lastUndelivered > 0 && html`<span class="problem-text">${t.notSent(lastUndelivered)}</span>`}
    </p>
    <p class="decided-text" dir="auto" lang=${lang} title=${text}>${text}</p>
  </div>`;
}

function Problems({ rule: { diagnostics, file }, more }: { readonly rule: Rule; readonly more: number }): VNode | undefined {
  const t = useTexts(RULES_TEXTS);
  if (diagnostics.length === 0) return undefined;
  return html`<ul class="rule-problems">
    ${diagnostics.map(
      ({ severity, line, column, message, hint }) =>
        html`<li key=${`${line}:${column} ${message}`} class=${severity} dir="auto" lang="en">
          <code>${file}:${line}:${column}</code> ${diagnosticText({ message, hint })}
        </li>`,
    )}
    ${more > 0 && html`<li class="muted">${t.moreProblems(more)}</li>`}
  </ul>`;
}
