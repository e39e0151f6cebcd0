import { html } from './html.ts';
import { type Html, instant } from './elements.ts';
import { link } from './link.ts';

/** What mentions and times in a text show. */
export interface Mentions {
  readonly user: (id: string) => Html | string;
  readonly role: (id: string) => Html | string;
  readonly channel: (id: string) => Html | string;
  /** `style`: the letter of Discord's timestamp style. */
  readonly time: (at: Date, style: string) => Html;
}

/** Without the members, roles and channels of a server. The script of the page writes times in the language of the reader. */
const UNNAMED: Mentions = { user: () => '@user', role: () => '@role', channel: () => '#channel', time: (at) => instant(at, 'en') };

interface Context {
  readonly mentions: Mentions;
  readonly render: (text: string) => Html;
}

type Show = (inner: string, second: string, context: Context) => Html | string;

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
  { pattern: /``([\s\S]+?)``(?!`)/y, show: (code) => html`<code>${code.trim()}</code>` },
  { pattern: /`([^`]+)`/y, show: (code) => html`<code>${code}</code>` },
  between(String.raw`\*\*\*`, (inner) => html`<strong><em>${inner}</em></strong>`),
  between(String.raw`\*\*`, (inner) => html`<strong>${inner}</strong>`),
  between('__', (inner) => html`<u>${inner}</u>`),
  between('~~', (inner) => html`<s>${inner}</s>`),
  between(String.raw`\|\|`, (inner) => html`<span class="spoiler" tabindex="0">${inner}</span>`),
  between(String.raw`\*`, (inner) => html`<em>${inner}</em>`, String.raw`\*(?!\s)`),
  between(String.raw`_(?!\w)`, (inner) => html`<em>${inner}</em>`, String.raw`\b_`),
  { pattern: /(?<![^\n])-# ([^\n]+)/y, show: (print, _, { render }) => html`<small>${render(print)}</small>` },
  {
    pattern: /<t:(-?\d{1,12})(?::([tTdDfFR]))?>/y,
    show: (seconds, style, { mentions }) => mentions.time(new Date(Number(seconds) * 1000), style || 'f'),
  },
  mention(/<@!?(\d+)>/y, (id, { user }) => user(id)),
  mention(/<@&(\d+)>/y, (id, { role }) => role(id)),
  mention(/<#(\d+)>/y, (id, { channel }) => channel(id)),
  mention(/<\/([^:>]{1,100}):\d+>/y, (name) => `/${name}`),
  { pattern: /<a?:(\w{2,32}):\d+>/y, show: (name) => html`<span class="emoji" title=":${name}:">:${name}:</span>` },
];

const LINKS: readonly Syntax[] = [
  {
    pattern: /\[((?:\\[\s\S]|[^\]\\\n])+)\]\(<?(https?:\/\/[^\s)>]+)>?(?: "[^"\n]*")?\)/y,
    show: (text, url, { mentions }) => link(url, show(text, WORDS, mentions)),
  },
  { pattern: /<(https?:\/\/[^\s>]+)>/y, show: (url) => link(url, url) },
  { pattern: /(https?:\/\/[^\s<>]*[^\s<>.,:;!?"')\]])/y, show: (url) => link(url, url) },
];

/** Renders the inline Markdown of Discord: emphasis, code, times, mentions and links. */
export function markdown(text: string, mentions = UNNAMED): Html {
  return show(text, [...WORDS, ...LINKS], mentions);
}

/** Renders Markdown inside a link, so without links. */
export function unlinkedMarkdown(text: string, mentions = UNNAMED): Html {
  return show(text, WORDS, mentions);
}

function show(text: string, syntaxes: readonly Syntax[], mentions: Mentions): Html {
  const parts: (Html | string)[] = [];
  let plain = '';
  for (let at = 0; at < text.length;) {
    const found = findSyntax(text, at, { syntaxes, mentions });
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

interface Syntaxes {
  readonly syntaxes: readonly Syntax[];
  readonly mentions: Mentions;
}

function findSyntax(text: string, at: number, { syntaxes, mentions }: Syntaxes): Found | undefined {
  // This check is faster than all patterns, and most characters start no markup.
  if (!/[\\`*_~|[<h-]/.test(text.charAt(at))) return undefined;
  for (const syntax of syntaxes) {
    syntax.pattern.lastIndex = at;
    const match = syntax.pattern.exec(text);
    // `show` may use the same pattern for the inner text, so this code does not rely on lastIndex.
    if (!match) continue;
    const render = (inner: string): Html => show(inner, syntaxes, mentions);
    return { shown: syntax.show(match[1] ?? '', match[2] ?? '', { mentions, render }), end: at + match[0].length };
  }
  return undefined;
}

function between(close: string, shown: (inner: Html) => Html, open = close): Syntax {
  return { pattern: new RegExp(open + INNER + close, 'y'), show: (text, _, { render }) => shown(render(text)) };
}

function mention(pattern: RegExp, shown: (id: string, mentions: Mentions) => Html | string): Syntax {
  return { pattern, show: (id, _, { mentions }) => html`<span class="mention">${shown(id, mentions)}</span>` };
}
