import type { Delivery, Sandbox, SandboxStreamer } from '../client/records.ts';
import { html } from './html.ts';
import { useTexts } from './language.ts';
import { listedDelivery } from './listed-delivery.ts';
import { ActionForm } from './parts/action-form.ts';
import { SandboxClock } from './parts/sandbox-clock.ts';
import { SandboxEffects } from './parts/sandbox-effects.ts';
import { SandboxFaults } from './parts/sandbox-faults.ts';
import { SandboxStreams, type StreamerChoice } from './parts/sandbox-streams.ts';
import { VIEW_PATHS } from './paths.ts';
import type { VNode } from './preact.mjs';
import { SANDBOX_TEXTS } from './texts/sandbox.ts';
import type { Address, BodyProps, View } from './view.ts';

const STREAMERS_SHOWN = 8;
const DELIVERIES_SHOWN = 6;

interface SandboxData {
  readonly sandbox: Sandbox;
  readonly streamers: readonly SandboxStreamer[];
  /** The start of the next page of streamers. */
  readonly cursor?: string | undefined;
  readonly deliveries: readonly Delivery[];
}

/** The simulated world with the buttons that change it. It exists on the sandbox only. */
export const sandbox: View<SandboxData> = {
  path: VIEW_PATHS.sandbox,
  title: (_, language) => SANDBOX_TEXTS[language].title,
  refreshOn: ['live', 'delivery'],
  timeOf: ({ sandbox: { now, speed } }) => ({ nowMs: Date.parse(now), speed }),
  async load(client, address) {
    const { text, state, cursor: start } = choiceIn(address);
    const [found, { items: streamers, cursor }, { items: deliveries }] = await Promise.all([
      client.call('getSandbox', {}),
      client.call('listSandboxStreamers', { text, state, cursor: start, limit: STREAMERS_SHOWN }),
      client.call('listDeliveries', { limit: DELIVERIES_SHOWN }),
    ]);
    return { sandbox: found, streamers, cursor, deliveries: deliveries.map(listedDelivery) };
  },
  Body,
};

/** People edit addresses, so that any other value counts as absent. */
function choiceIn({ query }: Address): StreamerChoice {
  const { q = '', state, cursor = '' } = query;
  return {
    text: q.trim().slice(0, 100) || undefined,
    state: state === 'live' || state === 'offline' ? state : undefined,
    cursor: /^\d{1,6}$/u.test(cursor) ? cursor : undefined,
  };
}

function Body({
  data: { sandbox: found, streamers, cursor, deliveries },
  address,
  reader: { canAct, isAdmin },
}: BodyProps<SandboxData>): VNode {
  const t = useTexts(SANDBOX_TEXTS);
  const { games, platforms, faults, now, speed, movable } = found;
  return html`<div class="view sandbox-view">
    <h1>${t.title}</h1>
    <p class="muted">${canAct ? t.intro : t.readOnly}</p>
    ${isAdmin && html`<p><a href=${VIEW_PATHS.sandboxDiscord}>${t.discord}</a></p>`}
    <${SandboxStreams} streamers=${streamers} cursor=${cursor} games=${games} choice=${choiceIn(address)} canAct=${canAct} />
    <${SandboxEffects} deliveries=${deliveries} />
    <${SandboxFaults} faults=${faults} platforms=${platforms} canAct=${canAct} />
    <${SandboxClock} now=${now} speed=${speed} movable=${movable} isAdmin=${isAdmin} />
    ${canAct && html`<${ArticleForm} />`}
  </div>`;
}

function ArticleForm(): VNode {
  const t = useTexts(SANDBOX_TEXTS);
  return html`<section class="panel padded" aria-labelledby="article">
    <h2 id="article">${t.article}</h2>
    <p class="muted">${t.articleIntro}</p>
    <${ActionForm} operation="publishSandboxArticle" input=${{}} done=${t.published} class="filters plain-form">
      <label>${t.feed} <input name="feed" defaultValue="blog.example" maxlength="200" required /></label>
      <label>${t.articleTitle} <input name="title" maxlength="300" required /></label>
      <p class="submit"><button>${t.publish}</button></p>
    <//>
  </section>`;
}
