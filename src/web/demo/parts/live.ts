import { html } from '../../page/inline/html.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import { type Html, instant } from '../../page/inline/elements.ts';
import { link } from '../../page/inline/link.ts';
import { imageUrl } from '../../page/inline/safe-url.ts';
import type { Language } from '../../language.ts';
import { empty } from '../panel.ts';
import { DEMO_TEXTS } from '../texts.ts';

/** The time until the page loads a thumbnail again. Platforms create thumbnails about this often. */
const THUMBNAIL_MS = 5 * 60_000;
const WIDTH = 320;
const HEIGHT = 180;
const COMPACT = { en: compactIn('en'), de: compactIn('de') };

interface LiveOptions {
  readonly nowMs: number;
  readonly language: Language;
}

function compactIn(locale: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1, useGrouping: 'always' });
}

/** The streams as cards, in the given order. */
export function liveCards(streams: readonly Stream[], options: LiveOptions): Html {
  if (streams.length === 0) return empty(DEMO_TEXTS[options.language].panels.live.empty);
  return html`<ol class="streams">
    ${streams.map((stream) => card(stream, options))}
  </ol>`;
}

function card(stream: Stream, { nowMs, language }: LiveOptions): Html {
  const t = DEMO_TEXTS[language];
  const { owner, title, game, viewerCount, startedAt, url } = stream;
  return html`<li class="stream" data-key="${stream.platform}:${stream.id}">
    <div class="thumbnail">
      ${picture(stream, nowMs)}<span class="viewers"
        >${COMPACT[language].format(viewerCount)}<span class="unseen">${t.viewers(viewerCount)}</span></span
      >
    </div>
    <div class="stream-text">
      <h3 class="name">${link(url, html`<bdi>${owner.displayName}</bdi>`)}</h3>
      <p class="title" title="${title}"><bdi>${title}</bdi></p>
      <p class="meta">
        ${game ? html`<bdi class="game">${game.name}</bdi>` : ''}<span class="nowrap">${t.started} ${instant(startedAt, language)}</span>
      </p>
    </div>
  </li>`;
}

function picture({ thumbnailTemplate, thumbnailUrl }: Stream, nowMs: number): Html | string {
  const small = imageUrl(thumbnailTemplate?.replaceAll('{width}', String(WIDTH)).replaceAll('{height}', String(HEIGHT)));
  const fresh = small?.startsWith('http') ? withParameter(small, 'at', Math.floor(nowMs / THUMBNAIL_MS)) : small;
  const source = fresh ?? imageUrl(thumbnailUrl);
  return source === undefined
    ? ''
    : html`<img src="${source}" alt="" width="${WIDTH}" height="${HEIGHT}" loading="lazy" decoding="async" />`;
}

function withParameter(address: string, name: string, value: number): string {
  const url = new URL(address);
  url.searchParams.set(name, String(value));
  return url.href;
}
