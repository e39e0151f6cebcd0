import type { ScenarioName } from '#src/admin/language/scenarios.ts';
import type { Preview, Replay, RuleTest } from '../../client/records.ts';
import { diagnosticText } from '../diagnostic-text.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { useNumbers } from '../numbers.ts';
import type { VNode } from '../preact.mjs';
import { useReasons, type Message as ReasonText } from '../reasons.ts';
import { TRIAL_TEXTS } from '../texts/trial.ts';
import { ActionForm } from './action-form.ts';
import { answered } from './answered.ts';
import { Badge } from './badge.ts';
import { MessageText } from './message-text.ts';
import { ReplayResult } from './replay-result.ts';
import { RuleReplay } from './rule-replay.ts';
import { StepName } from './step-name.ts';

/** The number of items in a preview. */
const ITEMS = 3;
/** The share of the limit from which the length of a text that is no post is shown. */
const NEARLY_FULL = 0.8;

type Scenario = Preview['scenarios'][number];
type Message = Scenario['steps'][number]['messages'][number];

interface RuleTrialProps {
  readonly id: string;
  /** The YAML of the rule. */
  readonly source?: string | undefined;
  /** Whether the reader may preview and replay it. */
  readonly canAct: boolean;
}

/** The forms that try a rule without sending anything, and what they found. */
export function RuleTrial({ id, source, canAct }: RuleTrialProps): VNode {
  const t = useTexts(TRIAL_TEXTS);
  const of = html`<span class="unseen"> ${id}</span>`;
  return html`<section class="panel padded scripted" aria-labelledby="trial">
    <h2 id="trial">${t.title}</h2>
    <div class="actions">
      ${
        canAct &&
        html`<${ActionForm} operation="previewRule" input=${{ rule: id, items: ITEMS }} done=${t.previewed} failed=${t.notPreviewed}
          ><button>${t.preview}${of}</button><//
        >`
      }
      <${ActionForm} operation="testRule" input=${{ rule: id }} done=${t.tested} failed=${t.notPassed}><button>${t.test}${of}</button><//>
    </div>
    ${canAct && html`<${RuleReplay} id=${id} source=${source} />`}
    <${Result} />
  </section>`;
}

function Result(): VNode | undefined {
  const { operation, answer } = answered.value ?? {};
  if (operation === 'testRule') return html`<${TestResult} result=${answer as RuleTest} />`; // the answer to this operation
  if (operation === 'previewRule') return html`<${PreviewResult} preview=${answer as Preview} />`; // the answer to this operation
  if (operation === 'replayRule') return html`<${ReplayResult} replay=${answer as Replay} />`; // the answer to this operation
  return undefined;
}

function TestResult({ result: { cases, untested, simulatedAccounts, diagnostics } }: { readonly result: RuleTest }): VNode {
  const t = useTexts(TRIAL_TEXTS);
  return html`<div class="history" role="group" aria-label=${t.test} tabindex="-1" data-answer>
    ${cases.length === 0 && diagnostics.length === 0 && html`<p class="muted">${t.noCases(untested.join(', '))}</p>`}
    ${diagnostics.map(({ line, column, message, hint }) => html`<p key=${`${line}:${column} ${message}`} class="obstacle" lang="en">${line}:${column} ${diagnosticText({ message, hint })}</p>`)}
    ${cases.map(
      ({ passed, text }, index) =>
        html`<div key=${index}>
          <${Badge} word=${passed ? t.passed : t.failed} tone=${passed ? 'good' : 'bad'} />
          <pre class="text" lang="en">${text}</pre>
        </div>`,
    )}
    ${cases.length > 0 && untested.length > 0 && html`<p class="muted">${t.noCases(untested.join(', '))}</p>`}
    ${simulatedAccounts.length > 0 && html`<p class="muted">${t.simulated(simulatedAccounts.join(', '))}</p>`}
  </div>`;
}

function PreviewResult({ preview: { read, sample, ignores, answersFirst, scenarios } }: { readonly preview: Preview }): VNode {
  const t = useTexts(TRIAL_TEXTS);
  const reasons = useReasons();
  return html`<div class="history" role="group" aria-label=${t.preview} tabindex="-1" data-answer>
    ${read && html`<p class="muted"><${Read} read=${read} /></p>`}
    ${sample && html`<p class="obstacle">${t.sample[sample.of]} ${sample.ignoresIf && t.ignoresIf}</p>`}
    ${scenarios.length > 0 && ignores.length > 0 && html`<p class="muted">${t.ignores(ignores.join(', '))}</p>`}
    ${scenarios.length > 0 && answersFirst && html`<p class="muted">${t.answersFirst}</p>`}
    ${
      read?.partlyFailed !== undefined &&
      html`<p class="obstacle"><${Text} ...${reasons.decided({ message: read.partlyFailed, reason: read.partlyFailedReason })} /></p>`
    }
    ${read?.unknownUsers.map(({ account, user }) => html`<p key=${`${account} ${user}`} class="obstacle">${t.unknownUser(user, account)}</p>`)}
    ${read?.excluded.map((one) => html`<p key=${one.name} class="muted"><bdi>${one.name}</bdi>: <${Text} ...${reasons.excluded(one)} /></p>`)}
    ${scenarios.length === 0 && read?.failure === undefined && html`<p class="muted">${t.nothing}</p>`}
    ${scenarios.map((scenario, index) => html`<${Scene} key=${index} scenario=${scenario} />`)}
  </div>`;
}

function Read({ read: { failure, fault, count, counted } }: { readonly read: NonNullable<Preview['read']> }): VNode {
  const t = useTexts(TRIAL_TEXTS);
  const reasons = useReasons();
  if (failure === undefined) return html`<span>${t.read(count, counted)}</span>`;
  return html`<span>${t.readFailed} <${Text} ...${reasons.failed({ fault, message: failure })} /></span>`;
}

/** A text of Fanfare within a paragraph. */
function Text({ text, lang }: ReasonText): VNode {
  return html`<span lang=${lang}>${text}</span>`;
}

function Scene({ scenario: { kind, name, suppression, suppressionReason, steps } }: { readonly scenario: Scenario }): VNode {
  const t = useTexts(TRIAL_TEXTS);
  const reasons = useReasons();
  const { span } = useNumbers();
  const names: Readonly<Record<string, ScenarioName>> = t.scenarios;
  const { subject, event } = names[kind] ?? { event: kind };
  return html`<div>
    <h3>${subject !== undefined && html`<bdi>${name ?? subject}</bdi>`} ${event}</h3>
    ${suppression !== undefined && html`<p class="obstacle">${t.notAnnounced} <${Text} ...${reasons.decided({ message: suppression, reason: suppressionReason })} /></p>`}
    ${steps.map(
      ({ name: step, position, do: verb, account, afterMs, notRun, notRunReason, reads, remarks, remarkReasons, messages }) =>
        html`<div key=${`${step} ${account}`}>
          <p class="meta">
            <span><${StepName} position=${position} /></span><span><code>${verb}</code> → <bdi>${account}</bdi></span>
            ${reads && html`<span>${t.reads}</span>`} ${afterMs !== undefined && html`<span>${t.after(span(afterMs))}</span>`}
          </p>
          ${notRun !== undefined && html`<p class="muted">${t.notRun} <${Text} ...${reasons.delivered({ message: notRun, reason: notRunReason })} /></p>`}
          ${messages.map((message, index) => html`<${Shown} key=${index} message=${message} />`)}
          ${remarks.map((message, index) => html`<${MessageText} key=${index} class="obstacle" message=${reasons.remark({ message, reason: remarkReasons[index] })} />`)}
        </div>`,
    )}
  </div>`;
}

/** A message as its readers see it. */
function Shown({ message: { channel, message, lines, lengths, pings = [], onlyText = [] } }: { readonly message: Message }): VNode {
  const t = useTexts(TRIAL_TEXTS);
  const { count } = useNumbers();
  const limited = lengths.flatMap(({ path, length, most }) =>
    most !== undefined && (path === 'text' || length >= most * NEARLY_FULL) ? [{ path, length, most }] : [],
  );
  return html`<blockquote class="quote">
    ${channel !== undefined && html`<p class="muted">#<bdi>${channel}</bdi></p>`}
    ${message !== undefined && html`<p class="muted"><bdi>${t.toMessage(message)}</bdi></p>`}
    ${lines.map((line, index) => html`<p key=${index} class="text" dir="auto">${line}</p>`)}
    ${limited.map(({ path, length, most }) => html`<p key=${path} class=${length < most ? 'muted' : 'obstacle'}>${t.length(path, count(length), count(most))}</p>`)}
    ${pings.length > 0 && html`<p class="muted">${t.pings} ${pings.join(', ')}</p>`}
    ${onlyText.length > 0 && html`<p class="muted">${t.onlyText} ${onlyText.join(', ')}</p>`}
  </blockquote>`;
}
