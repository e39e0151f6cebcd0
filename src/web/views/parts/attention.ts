import type { Delivery, Status } from '../../client/records.ts';
import type { Tone } from '../../page/inline/tones.ts';
import { addressOfDelivery, addressOfRule, addressWith } from '../addresses.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { withoutMarkup } from '../listed-delivery.ts';
import { VIEW_PATHS } from '../paths.ts';
import type { VNode } from '../preact.mjs';
import { useReasons } from '../reasons.ts';
import { RESULT_TEXTS } from '../texts/results.ts';
import { DELIVERIES_TEXTS } from '../texts/deliveries.ts';
import { OVERVIEW_TEXTS } from '../texts/overview.ts';
import type { Reader } from '../view.ts';
import { ActionForm } from './action-form.ts';
import { Badge } from './badge.ts';
import { Choices } from './choices.ts';
import { DeliveryRow } from './delivery-row.ts';
import { MessageText } from './message-text.ts';
import { PlatformLink } from './platform-link.ts';
import { Instant, TimeSince } from './time.ts';

/** The problems of channels that are shown. */
const SHOWN = 10;

type Account = Status['accounts'][number];
type BrokenFile = Status['brokenFiles'][number];
type Diagnostic = BrokenFile['diagnostics'][number];
type PausedRule = NonNullable<Status['pausedRules']>[number];
type Question = NonNullable<Status['questions']>[number];
type Late = NonNullable<Status['lateWebhooks']>[number];
type Word = keyof (typeof OVERVIEW_TEXTS)['en']['words'];

interface AttentionProps {
  readonly status: Status;
  readonly unknown: readonly Delivery[];
  readonly failed: readonly Delivery[];
  readonly reader: Reader;
}

/** What needs a person, most urgent first, each with the button, the link or the command for it. */
export function Attention({ status, unknown, failed, reader }: AttentionProps): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  const {
    readiness,
    accounts,
    lateWebhooks = [],
    questions = [],
    brokenFiles,
    channelProblems,
    pausedRules = [],
    deliveries,
    rules,
  } = status;
  const troubled = accounts.filter(({ problem }) => problem !== undefined);
  const isKnown = troubled.some(({ problem }) => problem === readiness.message);
  const needs = [
    ...(readiness.message === undefined || isKnown ? [] : [html`<${Obstacle} key="readiness" readiness=${readiness} />`]),
    ...troubled.map((account) => html`<${TroubledAccount} key=${`account ${account.account}`} account=${account} />`),
    ...lateWebhooks.map((late) => html`<${LateWebhook} key=${`webhook ${late.webhook}`} late=${late} />`),
    ...unknown.map((delivery) => html`<${DeliveryRow} key=${delivery.id} delivery=${delivery} reader=${reader} />`),
    more({
      key: 'more unknown',
      shown: unknown.length,
      count: deliveries?.unknown,
      address: addressWith(VIEW_PATHS.deliveries, { state: 'unknown' }),
      text: t.more,
    }),
    ...questions.map((question) => html`<${OpenQuestion} key=${question.delivery} question=${question} reader=${reader} />`),
    more({
      key: 'more questions',
      shown: questions.length,
      count: deliveries?.asked,
      address: addressWith(VIEW_PATHS.deliveries, { state: 'asked' }),
      text: t.more,
    }),
    ...failed.map((delivery) => html`<${DeliveryRow} key=${delivery.id} delivery=${delivery} reader=${reader} />`),
    more({
      key: 'more failed',
      shown: failed.length,
      isSearched: true,
      count: deliveries?.failed,
      address: addressWith(VIEW_PATHS.deliveries, { state: 'failed' }),
      text: t.more,
    }),
    ...brokenFiles.map((file) => html`<${FileWithErrors} key=${`file ${file.file}`} file=${file} />`),
    more({
      key: 'more files',
      shown: brokenFiles.length,
      count: rules.broken,
      address: addressWith(VIEW_PATHS.rules, { state: 'broken' }),
      text: t.more,
    }),
    ...channelProblems.slice(0, SHOWN).map((problem) => html`<${ChannelProblem} key=${problem.message} problem=${problem} />`),
    channelProblems.length > SHOWN ? html`<${More} key="more channels" text=${t.moreChannels} address=${VIEW_PATHS.rules} />` : undefined,
    ...pausedRules.map((rule) => html`<${Paused} key=${`paused ${rule.rule}`} rule=${rule} reader=${reader} />`),
    more({
      key: 'more paused',
      shown: pausedRules.length,
      count: rules.paused,
      address: addressWith(VIEW_PATHS.rules, { state: 'paused' }),
      text: t.more,
    }),
  ].filter((need) => need !== undefined);
  return html`<section class="panel" aria-labelledby="needs">
    <h2 id="needs" class="panel-title">${t.needs}</h2>
    ${
      needs.length === 0
        ? html`<p class="nothing"><span class="good">✓</span> ${t.needsNothing}</p>`
        : html`<ol class="delivery-list">
            ${needs}
          </ol>`
    }
  </section>`;
}

interface MoreProps {
  readonly key: string;
  readonly shown: number;
  readonly count: number | undefined;
  readonly address: string;
  readonly text: (count: number) => string;
  /** Whether the list can be empty although the count is not, because only the newest entries were searched. */
  readonly isSearched?: boolean;
}

/** The entry after a list that has more than it shows. */
function more({ key, shown, count = 0, address, text, isSearched = false }: MoreProps): VNode | undefined {
  return count > shown && (shown > 0 || isSearched) ? html`<${More} key=${key} text=${text(count)} address=${address} />` : undefined;
}

function More({ text, address }: { readonly text: string; readonly address: string }): VNode {
  return html`<li>
    <span></span>
    <p class="muted"><a href=${address}>${text}</a></p>
  </li>`;
}

interface NeedProps {
  readonly word: Word;
  readonly tone: Tone;
  readonly children?: unknown;
}

function Need({ word, tone, children }: NeedProps): VNode {
  return html`<li>
    <${Badge} tone=${tone} ...${useTexts(OVERVIEW_TEXTS).words[word]} />
    <div>${children}</div>
  </li>`;
}

function Obstacle({ readiness }: Pick<Status, 'readiness'>): VNode {
  const { ready } = readiness;
  return html`<${Need} word=${ready ? 'remark' : 'obstacle'} tone=${ready ? 'doubt' : 'bad'}>
    <${MessageText} message=${useReasons().readiness(readiness)} />
  <//>`;
}

function TroubledAccount({ account: { account, platform, problem = '', fault, isRefused, since } }: { readonly account: Account }): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  return html`<${Need} word=${isRefused ? 'refused' : 'outage'} tone=${isRefused ? 'bad' : 'doubt'}>
    <p>
      <strong><bdi>${account}</bdi></strong> ${account !== platform && t.on(platform)}
      ${since !== undefined && html`<span class="muted"> ${t.since} <${Instant} at=${since} /></span>`}
    </p>
    <${MessageText} class="muted" message=${useReasons().account({ problem, fault })} />
    ${
      isRefused
        ? html`<p>
            <a href=${VIEW_PATHS.accounts}>${t.refusedRemedy}</a> ${t.orWith} <code>npx fanfare auth ${account}</code>,${' '}
            <code>npx fanfare doctor</code>
          </p>`
        : html`<p class="muted">${t.outageRemedy}</p>`
    }
  <//>`;
}

function LateWebhook({ late: { webhook, since, isGone } }: { readonly late: Late }): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  return html`<${Need} word="webhook" tone="doubt">
    <p>
      <strong><bdi>${webhook}</bdi></strong> <span class="muted">${t.since} <${Instant} at=${since} /></span>
    </p>
    <p class="muted">${isGone ? t.webhookGone : t.webhookRemedy}</p>
  <//>`;
}

function OpenQuestion({ question, reader }: { readonly question: Question; readonly reader: Reader }): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  const { isOver: over } = useTexts(DELIVERIES_TEXTS);
  const { delivery, rule, account, name = rule, text, url, choices, at, isOver } = question;
  return html`<${Need} word="question" tone="busy">
    <p>
      <a class="what" href=${addressOfDelivery(delivery)}><bdi>${name}</bdi> → <bdi>${account}</bdi></a>
    </p>
    ${text !== undefined && html`<p class="quote" dir="auto">${withoutMarkup(text)}</p>`}
    ${isOver === true && html`<p class="obstacle">${over}</p>`}
    <p class="meta">
      <a href=${addressOfRule(rule)}><bdi>${rule}</bdi></a
      ><span><${TimeSince} at=${at} /></span>
      <${PlatformLink} url=${url} text=${t.open} of=${t.onPlatform(name)} />
    </p>
    ${reader.canAct && html`<${Choices} delivery=${delivery} name=${name} choices=${choices} />`}
  <//>`;
}

function FileWithErrors({ file: { file, isRunning, diagnostics } }: { readonly file: BrokenFile }): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  return html`<${Need} word="file" tone=${isRunning ? 'doubt' : 'bad'}>
    <p>
      <code>${file}</code>
    </p>
    ${diagnostics.map((problem) => html`<${Place} key=${`${problem.line}:${problem.column} ${problem.message}`} problem=${problem} />`)}
    <p class="muted">${isRunning ? t.fileRuns : t.fileOut}</p>
  <//>`;
}

function Place({ problem: { file, line, column, message, hint, excerpt } }: { readonly problem: Diagnostic }): VNode {
  return html`<div class="problem">
    <p dir="auto" lang="en"><code>${file}:${line}:${column}</code> ${message}</p>
    ${excerpt.trim() !== '' && html`<pre><code>${excerpt.trim()}</code></pre>`}
    ${hint !== undefined && html`<p class="hint" dir="auto" lang="en">${hint}</p>`}
  </div>`;
}

function ChannelProblem({ problem: { file, line, column, message } }: { readonly problem: Diagnostic }): VNode {
  return html`<${Need} word="channel" tone="doubt">
    <p dir="auto" lang="en">${message}</p>
    <p class="meta"><code>${file}:${line}:${column}</code></p>
  <//>`;
}

function Paused({ rule: { rule, about, paused }, reader }: { readonly rule: PausedRule; readonly reader: Reader }): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  const results = useTexts(RESULT_TEXTS);
  return html`<${Need} word="paused" tone="doubt">
    <p>
      <a class="what" href=${addressOfRule(rule)}><bdi>${rule}</bdi></a>
    </p>
    ${about !== undefined && html`<p class="muted" dir="auto">${about}</p>`}
    <p class="meta">
      <span>${paused.by === undefined ? t.pausedAutomatically : html`<span>${t.pausedBy} <bdi>${paused.by}</bdi></span>`}</span>
      <span><${TimeSince} at=${paused.at} /></span>
      ${paused.until !== undefined && html`<span>${t.until} <${Instant} at=${paused.until} /></span>`}
    </p>
    ${
      reader.canAct &&
      html`<div class="actions">
        <${ActionForm} operation="resumeRule" input=${{ rule }} done=${results.resumed(rule)}>
          <button>${t.resume}<span class="unseen"> ${rule}</span></button>
        <//>
      </div>`
    }
  <//>`;
}
