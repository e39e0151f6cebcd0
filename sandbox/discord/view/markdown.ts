import { html } from 'hono/html';
import { inline } from './inline.ts';
import type { Html, Looker } from './looker.ts';

const FENCE = /```(?:([\w+-]+)\n)?\n?([\s\S]*?)```/g;

/** The kind of a line by its first characters. */
const LINES: readonly (readonly [pattern: RegExp, show: (rest: string, indent: string, looker: Looker) => Html])[] = [
  [/^()# +(.+)$/, (rest, _, looker) => html`<div class="h1">${inline(rest, looker)}</div>`],
  [/^()## +(.+)$/, (rest, _, looker) => html`<div class="h2">${inline(rest, looker)}</div>`],
  [/^()### +(.+)$/, (rest, _, looker) => html`<div class="h3">${inline(rest, looker)}</div>`],
  [/^()-# +(.+)$/, (rest, _, looker) => html`<div class="subtext">${inline(rest, looker)}</div>`],
  [/^()> ?(.*)$/, (rest, _, looker) => html`<div class="quote">${inline(rest, looker)}</div>`],
  [
    /^( *)[-*] +(.+)$/,
    (rest, indent, looker) => html`<div class="item" style="margin-left:${8 + indent.length * 8}px">${inline(rest, looker)}</div>`,
  ],
];

/** A text as Discord shows it: blocks of code, headings, quotes, lists, and the markup inside of lines. */
export function markdown(text: string, looker: Looker): Html {
  const parts: Html[] = [];
  let at = 0;
  for (const match of text.matchAll(FENCE)) {
    parts.push(lines(text.slice(at, match.index).replace(/\n$/, ''), looker), html`<pre><code>${match[2]}</code></pre>`);
    at = match.index + match[0].length;
  }
  return html`<div class="markdown">${[...parts, lines(at > 0 ? text.slice(at).replace(/^\n/, '') : text, looker)]}</div>`;
}

function lines(text: string, looker: Looker): Html {
  if (text === '') return html``;
  const blocks: Html[] = [];
  let plain: string[] = [];
  const settle = (): void => {
    // Emphasis may span lines, so lines that are nothing else are read together.
    if (plain.length > 0) blocks.push(html`<div class="lines">${inline(plain.join('\n'), looker)}</div>`);
    plain = [];
  };
  for (const line of text.split('\n')) {
    const [known, show] = LINES.find(([pattern]) => pattern.test(line)) ?? [];
    if (known && show) {
      const [, indent = '', rest = ''] = known.exec(line) ?? [];
      settle();
      blocks.push(show(rest, indent, looker));
    } else plain.push(line);
  }
  settle();
  return html`${blocks}`;
}
