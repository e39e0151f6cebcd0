import { html } from 'hono/html';
import { markdown as inlineMarkdown, unlinkedMarkdown, type Mentions } from '#src/web/page/inline/markdown.ts';
import type { Html } from '#src/web/page/inline/elements.ts';
import { formatTime, hexColor, type PageContext } from './context.ts';

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

/** Discord's markup in a line, with the names and times of the server. */
export function inline(text: string, context: PageContext): Html {
  return inlineMarkdown(text, mentionsIn(context));
}

/** The title of a link, which contains no link. */
export function label(text: string, context: PageContext): Html {
  return unlinkedMarkdown(text, mentionsIn(context));
}

function mentionsIn(context: PageContext): Mentions {
  const { guild } = context.discord;
  return {
    user: (id) => `@${guild.members.find(id)?.displayName ?? 'unknown-user'}`,
    role: (id) => {
      const role = guild.roles.find((each) => each.id === id);
      return role?.color ? html`<span style="color:${hexColor(role.color)}">@${role.name}</span>` : `@${role?.name ?? 'unknown-role'}`;
    },
    channel: (id) => `# ${guild.channels.find(id)?.name ?? 'unknown'}`,
    time: (at, style) =>
      html`<span class="instant" title="${formatTime(at.getTime(), 'F', context)}">${formatTime(at.getTime(), style, context)}</span>`,
  };
}
