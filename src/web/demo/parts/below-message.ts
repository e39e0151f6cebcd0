import { html } from '../../page/inline/html.ts';
import type { Message } from '#src/clients/chat/records.ts';
import type { Html } from '../../page/inline/elements.ts';
import { link } from '../../page/inline/link.ts';
import type { Language } from '../../language.ts';
import { DEMO_TEXTS } from '../texts.ts';
import { imageUrl } from '../../page/inline/safe-url.ts';

const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i;

/** The parts of a message below its text and cards: files, buttons, reactions and its thread. */
export function belowMessage({ files, buttons, reactions, thread }: Message, language: Language): Html {
  const t = DEMO_TEXTS[language];
  return html`${files.map(file)}
  ${list(
    'buttons',
    t.buttons,
    buttons.map((label) => html`<bdi>${label}</bdi>`),
  )}
  ${list('reactions', t.reactions, reactions.map(reaction))}
  ${thread ? html`<p class="thread">${t.thread} ${link(thread.url, html`<bdi>${thread.name}</bdi>`)}</p>` : ''}`;
}

function list(kind: string, label: string, entries: readonly Html[]): Html | string {
  if (entries.length === 0) return '';
  return html`<ul class="${kind}" aria-label="${label}">
    ${entries.map((entry) => html`<li>${entry}</li>`)}
  </ul>`;
}

function file({ name, url }: Message['files'][number]): Html {
  const source = PICTURE.test(name) ? imageUrl(url) : undefined;
  if (source === undefined) return html`<p class="file">${link(url, html`<bdi>${name}</bdi>`)}</p>`;
  return html`<img class="file" src="${source}" alt="${name}" loading="lazy" decoding="async" />`;
}

function reaction({ emoji, count }: Message['reactions'][number]): Html {
  return html`<bdi>${emoji}</bdi> ${count}`;
}
