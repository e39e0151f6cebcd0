import { html } from 'hono/html';
import { instant } from './instant.ts';
import { safeUrl, type Html, type Looker } from './looker.ts';

type Show = (parts: readonly string[], inner: (text: string) => Html) => Html | string;

/** What begins here, and how it is shown. */
interface Mark {
  readonly pattern: RegExp;
  readonly show: Show;
}

/** Text up to a closing mark, where a mark behind a backslash closes nothing. */
const INNER = String.raw`((?:\\[\s\S]|[^\\])+?)`;

/** Discord's markup inside of a line: emphasis, code, times, mentions and links. */
export function inline(text: string, looker: Looker): Html {
  return show(text, marksFor(looker));
}

function marksFor(looker: Looker): readonly Mark[] {
  return [
    { pattern: /\\([!-/:-@[-`{-~])/y, show: ([letter = '']) => letter },
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

function mentionsFor({ discord: { guild } }: Looker): readonly Mark[] {
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

function show(text: string, marks: readonly Mark[]): Html {
  const shown: (Html | string)[] = [];
  let plain = '';
  for (let at = 0; at < text.length;) {
    const found = findMark(text, at, marks);
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

function findMark(text: string, at: number, marks: readonly Mark[]): { readonly shown: Html | string; readonly end: number } | undefined {
  // Most letters begin nothing; that is quicker to see than all patterns are to try.
  if (!/[\\`*_~|[<h]/.test(text.charAt(at))) return undefined;
  for (const mark of marks) {
    mark.pattern.lastIndex = at;
    const match = mark.pattern.exec(text);
    if (match) return { shown: mark.show(match.slice(1), (inner) => show(inner, marks)), end: at + match[0].length };
  }
  return undefined;
}

function between(close: string, shown: (inner: Html) => Html, open = close): Mark {
  return { pattern: new RegExp(open + INNER + close, 'y'), show: ([text = ''], inner) => shown(inner(text)) };
}
