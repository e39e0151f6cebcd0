import { html } from 'hono/html';
import { formatTime, type Html, type PageContext, safeUrl } from './context.ts';

const FENCE = /```(?:([\w+-]+)\n)?\n?([\s\S]*?)```/g;

/** The styles of lines that begin with a mark. */
const LINES: readonly (readonly [pattern: RegExp, show: (rest: string, indent: string, context: PageContext) => Html])[] = [
  [/^()# +(.+)$/, (rest, _, context) => html`<div class="h1">${inline(rest, context)}</div>`],
  [/^()## +(.+)$/, (rest, _, context) => html`<div class="h2">${inline(rest, context)}</div>`],
  [/^()### +(.+)$/, (rest, _, context) => html`<div class="h3">${inline(rest, context)}</div>`],
  [/^()-# +(.+)$/, (rest, _, context) => html`<div class="subtext">${inline(rest, context)}</div>`],
  [/^()> ?(.*)$/, (rest, _, context) => html`<div class="quote">${inline(rest, context)}</div>`],
  [
    /^( *)[-*] +(.+)$/,
    (rest, indent, context) => html`<div class="item" style="margin-left:${8 + indent.length * 8}px">${inline(rest, context)}</div>`,
  ],
];

/** A text in Discord's markup: blocks of code, headings, quotes, lists, and the markup in lines. */
export function markdown(text: string, context: PageContext): Html {
  const parts: Html[] = [];
  let at = 0;
  for (const match of text.matchAll(FENCE)) {
    parts.push(lines(text.slice(at, match.index).replace(/\n$/, ''), context), html`<pre><code>${match[2]}</code></pre>`);
    at = match.index + match[0].length;
  }
  return html`<div class="markdown">${[...parts, lines(at > 0 ? text.slice(at).replace(/^\n/, '') : text, context)]}</div>`;
}

function lines(text: string, context: PageContext): Html {
  if (text === '') return html``;
  const blocks: Html[] = [];
  let plain: string[] = [];
  const addPlain = (): void => {
    // Emphasis can span lines, so adjacent plain lines are parsed together.
    if (plain.length > 0) blocks.push(html`<div class="lines">${inline(plain.join('\n'), context)}</div>`);
    plain = [];
  };
  for (const line of text.split('\n')) {
    const [known, show] = LINES.find(([pattern]) => pattern.test(line)) ?? [];
    if (known && show) {
      const [, indent = '', rest = ''] = known.exec(line) ?? [];
      addPlain();
      blocks.push(show(rest, indent, context));
    } else plain.push(line);
  }
  addPlain();
  return html`${blocks}`;
}

type Show = (parts: readonly string[], inner: (text: string) => Html) => Html | string;

interface Style {
  readonly pattern: RegExp;
  readonly show: Show;
}

/** Text up to a closing mark. A backslash escapes a mark. */
const INNER = String.raw`((?:\\[\s\S]|[^\\])+?)`;

/** Discord's markup in a line: emphasis, code, times, mentions and links. */
export function inline(text: string, context: PageContext): Html {
  return show(text, stylesFor(context));
}

function stylesFor(context: PageContext): readonly Style[] {
  return [
    { pattern: /\\([!-/:-@[-`{-~])/y, show: ([character = '']) => character },
    { pattern: /``([\s\S]+?)``(?!`)/y, show: ([code = '']) => html`<code>${code.trim()}</code>` },
    { pattern: /`([^`]+)`/y, show: ([code = '']) => html`<code>${code}</code>` },
    between(String.raw`\*\*\*`, (inner) => html`<b><i>${inner}</i></b>`),
    between(String.raw`\*\*`, (inner) => html`<b>${inner}</b>`),
    between('__', (inner) => html`<u>${inner}</u>`),
    between('~~', (inner) => html`<s>${inner}</s>`),
    between(String.raw`\|\|`, (inner) => html`<span class="spoiler">${inner}</span>`),
    between(String.raw`\*`, (inner) => html`<i>${inner}</i>`, String.raw`\*(?!\s)`),
    between(String.raw`_(?!\w)`, (inner) => html`<i>${inner}</i>`, String.raw`(?<!\w)_`),
    {
      pattern: /<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y,
      show: ([seconds, style = 'f']) => {
        const atMs = Number(seconds) * 1000;
        return html`<span class="instant" title="${formatTime(atMs, 'F', context)}">${formatTime(atMs, style, context)}</span>`;
      },
    },
    ...mentionsFor(context),
    { pattern: /<a?:(\w{2,32}):\d+>/y, show: ([name = '']) => html`<span class="emoji" title=":${name}:">:${name}:</span>` },
    {
      pattern: /\[((?:\\[\s\S]|[^\]\\\n])+)\]\(<?(https?:\/\/[^\s)>]+)>?(?: "[^"\n]*")?\)/y,
      show: ([label = '', url], inner) => linked(url, inner(label)),
    },
    { pattern: /<(https?:\/\/[^\s>]+)>/y, show: ([url = '']) => linked(url, url) },
    { pattern: /(https?:\/\/[^\s<>]*[^\s<>.,:;!?"')\]])/y, show: ([url = '']) => linked(url, url) },
  ];
}

function mentionsFor({ discord: { guild } }: PageContext): readonly Style[] {
  const pill = (name: string, color?: number): Html =>
    html`<span class="mention" style="${color ? `color:#${color.toString(16).padStart(6, '0')}` : ''}">${name}</span>`;
  return [
    { pattern: /<@!?(\d+)>/y, show: ([id = '']) => pill(`@${guild.members.find(id)?.displayName ?? 'unknown-user'}`) },
    {
      pattern: /<@&(\d+)>/y,
      show: ([id]) => {
        const role = guild.roles.find((each) => each.id === id);
        return pill(`@${role?.name ?? 'unknown-role'}`, role?.color);
      },
    },
    { pattern: /<#(\d+)>/y, show: ([id = '']) => pill(`# ${guild.channels.find(id)?.name ?? 'unknown'}`) },
    { pattern: /<\/([^:>]{1,100}):\d+>/y, show: ([name = '']) => pill(`/${name}`) },
  ];
}

/** A link, if a browser may follow its address; otherwise text. */
export function linked(address: string | undefined, content: Html | string): Html {
  const url = safeUrl(address);
  return url === undefined ? html`${content}` : html`<a href="${url}" title="${url}" rel="noopener noreferrer">${content}</a>`;
}

function show(text: string, styles: readonly Style[]): Html {
  const shown: (Html | string)[] = [];
  let plain = '';
  for (let at = 0; at < text.length;) {
    const found = findStyle(text, at, styles);
    if (found) {
      shown.push(plain, found.shown);
      plain = '';
      at = found.end;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  return html`${[...shown, plain]}`;
}

function findStyle(
  text: string,
  at: number,
  styles: readonly Style[],
): { readonly shown: Html | string; readonly end: number } | undefined {
  // Most characters begin no style, and this check is faster than the patterns.
  if (!/[\\`*_~|[<h]/.test(text.charAt(at))) return undefined;
  for (const style of styles) {
    style.pattern.lastIndex = at;
    const match = style.pattern.exec(text);
    if (match) return { shown: style.show(match.slice(1), (inner) => show(inner, styles)), end: at + match[0].length };
  }
  return undefined;
}

function between(close: string, shown: (inner: Html) => Html, open = close): Style {
  return { pattern: new RegExp(open + INNER + close, 'y'), show: ([text = ''], inner) => shown(inner(text)) };
}
