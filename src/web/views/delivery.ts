import type { DeliveryDetails } from '../client/records.ts';
import { addressOfItem, addressOfRule } from './addresses.ts';
import { html } from './html.ts';
import { useTexts } from './language.ts';
import { withoutMarkup } from './listed-delivery.ts';
import { StateBadge } from './parts/badge.ts';
import { DeliveryActions } from './parts/delivery-actions.ts';
import { Fact } from './parts/fact.ts';
import { MessageText } from './parts/message-text.ts';
import { PlatformLink } from './parts/platform-link.ts';
import { StepName } from './parts/step-name.ts';
import { Instant } from './parts/time.ts';
import { VIEW_PATHS } from './paths.ts';
import { DELIVERIES_TEXTS } from './texts/deliveries.ts';
import { DELIVERY_TEXTS } from './texts/delivery.ts';
import type { VNode } from './preact.mjs';
import { useReasons } from './reasons.ts';
import type { BodyProps, View } from './view.ts';

/** One delivery: what was sent, its attempts, and the buttons for a failed or an unknown one or for a question. */
export const delivery: View<DeliveryDetails> = {
  path: VIEW_PATHS.delivery,
  title: ({ data: { do: verb, account, channel, ...data } }) =>
    `${nameOf(data)}: ${verb} → ${account}${channel === undefined ? '' : ` #${channel}`}`,
  refreshOn: ['delivery'],
  load: (client, { parameters }) => client.call('getDelivery', { delivery: parameters['delivery'] ?? '' }),
  Body,
};

/** The subject of a delivery: its item, the person who sent it, or its rule. */
function nameOf({ item, by, rule }: Pick<DeliveryDetails, 'item' | 'by' | 'rule'>): string {
  return item?.name ?? by ?? rule;
}

function Body({ data, reader }: BodyProps<DeliveryDetails>): VNode {
  const t = useTexts(DELIVERY_TEXTS);
  const { do: verb, account, channel, texts = [], omitted = [], result } = data;
  const isMarkdown = verb.startsWith('discord.');
  const url = typeof result?.['url'] === 'string' ? result['url'] : undefined;
  return html`<div class="view">
    <p><a href=${VIEW_PATHS.deliveries}>${useTexts(DELIVERIES_TEXTS).title}</a></p>
    <div class="rule-head">
      <h1>
        <bdi>${nameOf(data)}</bdi>: <code>${verb}</code> → <bdi>${account}</bdi>${channel !== undefined && html` <bdi>#${channel}</bdi>`}
      </h1>
      <${StateBadge} delivery=${data} />
    </div>
    <${Decision} data=${data} />
    <${DeliveryActions} delivery=${data} reader=${reader} />
    <section class="panel padded" aria-labelledby="sent">
      <h2 id="sent">${t.content}</h2>
      ${texts.length === 0 && html`<p class="muted">${data.attempts === 0 ? t.notRendered : t.noText}</p>`}
      <dl class="facts">
        ${texts.map(({ parameter, text }) => html`<${Fact} key=${parameter} name=${html`<code>${parameter}</code>`} text=${html`<span class="text" dir="auto">${isMarkdown ? withoutMarkup(text) : text}</span>`} />`)}
        ${omitted.map(({ parameter, message }) => html`<${Fact} key=${`omitted ${parameter}`} name=${html`<code>${parameter}</code>`} text=${html`${t.notSent} <span lang="en">${message}</span>`} />`)}
      </dl>
      ${url !== undefined && html`<p><${PlatformLink} url=${url} text=${t.open} of=${account} /></p>`}
    </section>
    <${Attempts} data=${data} />
    <${Origin} data=${data} />
  </div>`;
}

/** The facts for the decision about an unknown or a failed delivery. */
function Decision({ data }: { readonly data: DeliveryDetails }): VNode | undefined {
  const t = useTexts(DELIVERY_TEXTS);
  const { state, account, lostAt } = data;
  const message = useReasons().delivered(data);
  if (state === 'unknown')
    return html`<section class="obstacle" aria-label=${t.known}>
      <p><bdi>${account}</bdi>: <strong>${t.check}</strong> ${t.press}</p>
      ${lostAt !== undefined && html`<p>${t.lost} <${Instant} at=${lostAt} />.</p>`}
      <${MessageText} message=${message} />
    </section>`;
  return html`<${MessageText} class=${state === 'failed' ? 'obstacle' : 'muted'} message=${message} />`;
}

function Attempts({ data }: { readonly data: DeliveryDetails }): VNode {
  const { attempts, failures, createdAt, dueAt, firstAttemptAt, lastAttemptAt, nextAttemptAt, sentAt, settledAt, fault, message, resends } =
    data;
  const t = useTexts(DELIVERY_TEXTS);
  const instants = [
    [t.decided, createdAt],
    [t.due, dueAt],
    [t.first, firstAttemptAt],
    [t.last, attempts > 1 ? lastAttemptAt : undefined],
    [t.next, nextAttemptAt],
    [t.confirmed, sentAt],
    [t.settled, sentAt === undefined ? settledAt : undefined],
  ] as const;
  return html`<section class="panel padded" aria-labelledby="attempts">
    <h2 id="attempts">${t.attempts(attempts)}</h2>
    <dl class="facts">
      ${instants.map(([name, at]) => at !== undefined && html`<${Fact} key=${name} name=${name} text=${html`<${Instant} at=${at} />`} />`)}
      ${failures.map((one) => html`<${Fact} key=${`failed ${one.at}`} name=${t.failed} text=${html`<span dir="auto"><${Instant} at=${one.at} /> <${Failure} ...${one} /></span>`} />`)}
      ${failures.length === 0 && fault !== undefined && html`<${Fact} name=${t.answer} text=${html`<span dir="auto"><${Failure} fault=${fault} message=${message ?? ''} /></span>`} />`}
      ${resends.map(({ by, at, failure }) => html`<${Fact} key=${at} name=${t.again} text=${html`<span dir="auto"><${Instant} at=${at} /> ${t.by} <bdi>${by}</bdi>${failure !== undefined && html`, ${t.after} <span lang="en">${failure}</span>`}</span>`} />`)}
    </dl>
  </section>`;
}

/** The error of an attempt. */
function Failure(error: Pick<DeliveryDetails['failures'][number], 'fault' | 'message'>): VNode {
  const { text, lang } = useReasons().failed(error);
  return html`<code>${error.fault}</code> <span lang=${lang}>${text}</span>`;
}

function Origin({ data: { id, rule, by, item, episode, position, textVersion } }: { readonly data: DeliveryDetails }): VNode {
  const t = useTexts(DELIVERY_TEXTS);
  return html`<section class="panel padded" aria-labelledby="origin">
    <h2 id="origin">${t.origin}</h2>
    <dl class="facts">
      ${by === undefined ? html`<${Fact} name=${t.rule} text=${html`<a href=${addressOfRule(rule)}><bdi>${rule}</bdi></a>`} />` : html`<${Fact} name=${t.postedBy} text=${by} />`}
      ${
        item &&
        html`<${Fact}
          name=${t.item}
          text=${html`<span
            ><a href=${addressOfItem(item.key)}><bdi>${item.name}</bdi></a> ${t.why}</span
          >`}
        />`
      }
      <${Fact} name=${t.step} text=${html`<${StepName} position=${position} isLabelled />`} />
      <${Fact} name=${t.episode} text=${html`<code>${episode}</code>`} />
      ${textVersion !== undefined && html`<${Fact} name=${t.version} text=${html`<code>${textVersion}</code>`} />`}
      <${Fact} name=${t.id} text=${html`<code>${id}</code>`} />
    </dl>
  </section>`;
}
