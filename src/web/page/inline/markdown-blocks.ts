import { html } from './html.ts';
import type { Html } from './elements.ts';
import { markdown, type Mentions } from './markdown.ts';

const FENCE = /```(?:([\w+-]+)\n)?\n?([\s\S]*?)```/g;
const DEEPEST = 4;

/** The styles of lines that begin with a mark. */
const LINES: readonly (readonly [pattern: RegExp, show: (rest: Html, indent: string) => Html])[] = [
  [/^()# +(.+)$/, (rest) => html`<div class="h1">${rest}</div>`],
  [/^()## +(.+)$/, (rest) => html`<div class="h2">${rest}</div>`],
  [/^()### +(.+)$/, (rest) => html`<div class="h3">${rest}</div>`],
  [/^()-# +(.+)$/, (rest) => html`<div class="subtext">${rest}</div>`],
  [/^()> ?(.*)$/, (rest) => html`<div class="quote">${rest}</div>`],
  [/^( *)[-*] +(.+)$/, (rest, indent) => html`<div class="item indent-${Math.min(DEEPEST, indent.length)}">${rest}</div>`],
];

/** A text in Discord's markup: blocks of code, headings, quotes, lists, and the markup in lines. */
export function markdownBlocks(text: string, mentions: Mentions): Html {
  const parts: Html[] = [];
  let at = 0;
  for (const match of text.matchAll(FENCE)) {
    parts.push(lines(text.slice(at, match.index).replace(/\n$/, ''), mentions), html`<pre><code>${match[2]}</code></pre>`);
    at = match.index + match[0].length;
  }
  return html`<div class="markdown">${[...parts, lines(at > 0 ? text.slice(at).replace(/^\n/, '') : text, mentions)]}</div>`;
}

function lines(text: string, mentions: Mentions): Html {
  if (text === '') return html``;
  const blocks: Html[] = [];
  let plain: string[] = [];
  const addPlain = (): void => {
    // Emphasis can span lines, so adjacent plain lines are parsed together.
    if (plain.length > 0) blocks.push(html`<div class="lines">${markdown(plain.join('\n'), mentions)}</div>`);
    plain = [];
  };
  for (const line of text.split('\n')) {
    const [known, show] = LINES.find(([pattern]) => pattern.test(line)) ?? [];
    if (known && show) {
      const [, indent = '', rest = ''] = known.exec(line) ?? [];
      addPlain();
      blocks.push(show(markdown(rest, mentions), indent));
    } else plain.push(line);
  }
  addPlain();
  return html`${blocks}`;
}
