import { html } from 'hono/html';
import { markdownBlocks } from '#src/web/page/inline/markdown-blocks.ts';
import { markdown as inlineMarkdown, unlinkedMarkdown, type Mentions } from '#src/web/page/inline/markdown.ts';
import type { Html } from '#src/web/page/inline/elements.ts';
import { formatTime, hexColor, type PageContext } from './context.ts';

/** A text in Discord's markup, with the names and times of the server. */
export function markdown(text: string, context: PageContext): Html {
  return markdownBlocks(text, mentionsIn(context));
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
