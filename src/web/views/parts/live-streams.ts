import type { Status } from '../../client/records.ts';
import { addressOfDelivery, addressOfItem, addressOfRule } from '../addresses.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { useNumbers } from '../numbers.ts';
import type { VNode } from '../preact.mjs';
import { OVERVIEW_TEXTS } from '../texts/overview.ts';
import { PlatformLink } from './platform-link.ts';
import { TimeSince } from './time.ts';

type LiveStream = NonNullable<Status['live']>[number];

/** The announced streams that are live, with what was sent about each. */
export function LiveStreams({ streams }: { readonly streams: Status['live'] }): VNode | undefined {
  const t = useTexts(OVERVIEW_TEXTS);
  if (!streams) return undefined;
  return html`<section class="panel" aria-labelledby="live">
    <h2 id="live" class="panel-title">${t.live}</h2>
    ${streams.length === 0 && html`<p class="nothing muted">${t.liveNone}</p>`}
    <ol class="live-list">
      ${streams.map((stream) => html`<${Live} key=${stream.key} stream=${stream} />`)}
    </ol>
  </section>`;
}

function Live({ stream: { key, name, url, title, game, viewers, startedAt, announcements } }: { readonly stream: LiveStream }): VNode {
  const t = useTexts(OVERVIEW_TEXTS);
  const { compact } = useNumbers();
  return html`<li>
    <div>
      <h3>
        <a href=${addressOfItem(key)}><bdi>${name}</bdi></a>
      </h3>
      ${title !== undefined && html`<p class="stream-title" dir="auto" title=${title}>${title}</p>`}
      <p class="meta">
        ${game !== undefined && html`<bdi>${game}</bdi>`} ${viewers !== undefined && html`<span>${t.viewers(compact(viewers))}</span>`}
        <span>${t.started} <${TimeSince} at=${startedAt} /></span>
        <${PlatformLink} url=${url} text=${t.watch} of=${name} />
      </p>
    </div>
    <ul class="announcements">
      ${announcements.map(
        ({ delivery, rule, do: verb, account, url: sent, at, changes }) =>
          html`<li key=${delivery}>
            <a href=${addressOfDelivery(delivery)}><code>${verb}</code> → <bdi>${account}</bdi></a>
            <p class="meta">
              <a href=${addressOfRule(rule)}><bdi>${rule}</bdi></a
              >${changes > 0 && html`<span>${t.changes(changes)}</span>`}<span><${TimeSince} at=${at} /></span>
              <${PlatformLink} url=${sent} text=${t.open} of=${t.onPlatform(`${verb}: ${name}`)} />
            </p>
          </li>`,
      )}
    </ul>
  </li>`;
}
