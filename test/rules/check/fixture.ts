import type { Accounts } from '#src/rules/accounts.ts';
import { check, unmark } from '../../support/rule-language.ts';

/** A valid step. */
export const SEND = '{ do: discord.send, with: { channel: live, content: hi } }';
/** A step that edits a standing message. */
export const PUT = '{ do: discord.put, with: { name: card, channel: a, content: hi } }';

interface Parts {
  readonly top?: string;
  readonly when?: string;
  readonly steps?: string;
}

/** A rule without a list. */
export function slot({ top = '', when = 'every: 5m', steps = SEND }: Parts): string {
  return `id: r\nwhen: { ${when} }\n${top}\nthen:\n  - ${steps}\n`;
}

/** A rule that watches streams. */
export function list({ when = '', ...parts }: Parts): string {
  return slot({ ...parts, when: `every: 1m, watch: streaming.getStreams, with: { users: [ada] }${when}` });
}

/** A rule that watches a feed. */
export function feed({ when = '', ...parts }: Parts): string {
  return slot({ ...parts, when: `every: 1m, watch: social.getMentions, account: bluesky${when}` });
}

/** A rule that watches a single record. */
export function user(when: string): string {
  return slot({ when: `every: 1m, watch: streaming.getUser, with: { user: ada }${when}` });
}

/** A rule with a long text in a step. */
export function videos(fit: string): string {
  const step = `{ do: discord.send, ${fit}with: { channel: a, content: "\${{ ▲item.description }}" } }`;
  return slot({ when: 'every: 1m, watch: streaming.getUserVideos, with: { user: ada }', steps: step });
}

/** The diagnostics with their messages. `▲` marks the location in the source. */
export function messagesOf(marked: string, accounts?: Accounts): readonly string[] {
  const { source, place } = unmark(marked);
  const { diagnostics } = check(source, { nowMs: Date.UTC(2026, 0, 1), ...(accounts && { accounts }) });
  return diagnostics.map(({ line, column, severity, code, message }) => {
    const at = `${line}:${column}`;
    return `${at === place ? '▲' : at} ${severity} ${code}: ${message}`;
  });
}
