import { html } from 'hono/html';
import { instant } from './instant.ts';
import { safeUrl, type Html, type Looker } from './looker.ts';

type Show = (parts: readonly string[], inner: (text: string) => Html) => Html | string;

/** A style that begins at a position. */
interface Style {
  readonly pattern: RegExp;
  readonly show: Show;
}

/** Text up to a closing mark, where a mark behind a backslash closes nothing. */
const INNER = String.raw`((?:\\[\s\S]|[^\\])+?)`;

/** Discord's markup inside of a line: emphasis, code, times, mentions and links. */
export function inline(text: string, looker: Looker): Html {
  return show(text, stylesFor(looker));
}

function stylesFor(looker: Looker): readonly Style[] {
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
      show: ([seconds, form]) => instant(Number(seconds) * 1000, form ?? 'f', looker),
    },
    ...mentionsFor(looker),
    { pattern: /<a?:(\w{2,32}):\d+>/y, show: ([name = '']) => html`<span class="emoji" title=":${name}:">:${name}:</span>` },
    {
      pattern: /\[((?:\\[\s\S]|[^\]\\\n])+)\]\(<?(https?:\/\/[^\s)>]+)>?(?: "[^"\n]*")?\)/y,
      show: ([label = '', url], inner) => linked(url, inner(label)),
    },
    { pattern: /<(https?:\/\/[^\s>]+)>/y, show: ([url = '']) => linked(url, url) },
    { pattern: /(https?:\/\/[^\s<>]*[^\s<>.,:;!?"')\]])/y, show: ([url = '']) => linked(url, url) },
  ];
}

function mentionsFor({ discord: { guild } }: Looker): readonly Style[] {
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

/** Text that leads to `address` where a browser may go there. */
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
  // Most letters begin nothing; that is quicker to see than all patterns are to try.
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
