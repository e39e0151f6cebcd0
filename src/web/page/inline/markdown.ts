import { html } from 'hono/html';
import { type Html, instant } from './elements.ts';
import { link } from './link.ts';

type Show = (inner: string, second: string, render: (text: string) => Html) => Html | string;

/** A kind of markup and its HTML. */
interface Syntax {
  readonly pattern: RegExp;
  readonly show: Show;
}

/** The text between two delimiters. A delimiter after a backslash does not end it. */
const INNER = String.raw`((?:\\[\s\S]|[^\\])+?)`;

const WORDS: readonly Syntax[] = [
  { pattern: /\\([!-/:-@[-`{-~])/y, show: (letter) => letter },
  { pattern: /```(?:\w*\n)?([\s\S]+?)```/y, show: (code) => html`<pre><code>${code}</code></pre>` },
  { pattern: /`([^`]+)`/y, show: (code) => html`<code>${code}</code>` },
  between(String.raw`\*\*`, (inner, _, render) => html`<strong>${render(inner)}</strong>`),
  between('__', (inner, _, render) => html`<u>${render(inner)}</u>`),
  between('~~', (inner, _, render) => html`<s>${render(inner)}</s>`),
  between(String.raw`\|\|`, (inner, _, render) => html`<span class="spoiler" tabindex="0">${render(inner)}</span>`),
  between(String.raw`\*`, (inner, _, render) => html`<em>${render(inner)}</em>`, String.raw`\*(?!\s)`),
  between(String.raw`_(?!\w)`, (inner, _, render) => html`<em>${render(inner)}</em>`, String.raw`\b_`),
  { pattern: /(?<![^\n])-# ([^\n]+)/y, show: (print, _, render) => html`<small>${render(print)}</small>` },
  { pattern: /<t:(-?\d{1,12})(?::\w)?>/y, show: (seconds) => instant(new Date(Number(seconds) * 1000)) },
  { pattern: /<@!?\d+>/y, show: () => html`<span class="mention">@user</span>` },
  { pattern: /<@&\d+>/y, show: () => html`<span class="mention">@role</span>` },
  { pattern: /<#\d+>/y, show: () => html`<span class="mention">#channel</span>` },
];

const LINKS: readonly Syntax[] = [
  { pattern: /\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/y, show: (text, url) => link(url, unlinkedMarkdown(text)) },
  { pattern: /<(https?:\/\/[^\s>]+)>/y, show: (url) => link(url, url) },
  { pattern: /(https?:\/\/[^\s<>]*[^\s<>.,:;!?"')\]])/y, show: (url) => link(url, url) },
];

/** Renders the inline Markdown of Discord: emphasis, code, times, mentions and links. */
export function markdown(text: string): Html {
  return show(text, [...WORDS, ...LINKS]);
}

/** Renders Markdown inside a link, so without links. */
export function unlinkedMarkdown(text: string): Html {
  return show(text, WORDS);
}

function show(text: string, syntaxes: readonly Syntax[]): Html {
  const parts: (Html | string)[] = [];
  let plain = '';
  for (let at = 0; at < text.length;) {
    const found = findSyntax(text, at, syntaxes);
    if (found) {
      parts.push(plain, found.shown);
      plain = '';
      at = found.end;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  return html`${[...parts, plain]}`;
}

interface Found {
  readonly shown: Html | string;
  readonly end: number;
}

function findSyntax(text: string, at: number, syntaxes: readonly Syntax[]): Found | undefined {
  // This check is faster than all patterns, and most characters start no markup.
  if (!/[\\`*_~|[<h-]/.test(text.charAt(at))) return undefined;
  for (const syntax of syntaxes) {
    syntax.pattern.lastIndex = at;
    const match = syntax.pattern.exec(text);
    // `show` may use the same pattern for the inner text, so this code does not rely on lastIndex.
    if (match) return { shown: syntax.show(match[1] ?? '', match[2] ?? '', (inner) => show(inner, syntaxes)), end: at + match[0].length };
  }
  return undefined;
}

function between(close: string, shown: Show, open = close): Syntax {
  return { pattern: new RegExp(open + INNER + close, 'y'), show: shown };
}
